import type { approvals as english } from '../en/approvals.ts';

export const approvals: Record<keyof typeof english, string> = {
  giftsOrName: '{gifts, plural, one {{recipient}} other {# regalos}}',
  approvalSubject: '{sender} le pide que apruebe {amount}',
  askPreview: '{amount} para {whom}. Decida hasta el {day}.',
  askTitle: '{sender} le pide {amount}',
  askLead: 'Para {whom}. No se envía nada antes de su decisión.',
  askButton: 'Ver la solicitud y decidir',
  askTotal: 'Total',
  askGifts: 'Regalos',
  askBy: 'Decidir hasta el',
  askRule: 'Recibe esta solicitud por la regla {rule}.',
  askOwners:
    'La recibe con su función de Propietario: ninguna persona que la regla designa puede decidir, porque está de baja, o porque envió, pidió o recibe uno de los regalos.',
  askSecond: '{name} aprobó primero. Su decisión es la última.',
  askPersonal: 'Este enlace es solo para usted:',
  askPersonalText: 'una persona que lo tenga puede decidir en su nombre. No reenvíe este correo.',
  toldSubject:
    '{decision, select, APPROVED {Aprobación} DECLINED {Rechazo} other {Sin decisión a tiempo}}: {amount} para {whom}',
  toldTitle:
    '{decision, select, APPROVED {{name} aprobó el pedido} DECLINED {{name} rechazó el pedido} other {Sin decisión a tiempo}}',
  toldLead:
    '{decision, select, APPROVED {{amount} para {whom}: el envío se hace como estaba previsto.} DECLINED {{amount} para {whom}: no se envió nada. El importe reservado vuelve a estar disponible.} other {El plazo para decidir terminó. {amount} para {whom}: no se envió nada, y el importe reservado vuelve a estar disponible.}}',
  toldButton: 'Abrir el pedido',
  toldSender: 'De parte de',
  toldRule: 'Regla',
  decideStartTitle: 'Abra el enlace de su correo',
  decideStartLead:
    'Un correo le pide que decida, y su enlace abre la solicitud aquí. También puede decidir en la consola.',
  decideWaiting: 'Buscando la solicitud',
  decideLead: 'para {whom}',
  decideNote: 'Por qué, según {sender}',
  decideWhy: 'Por qué usted',
  decideOwners:
    'Ninguna persona que la regla «{rule}» designa puede decidir, así que la solicitud va a quienes tienen la función de Propietario',
  decideFirst: 'Primera aprobación',
  commentLabel: 'Comentario para {sender}',
  commentHint: 'Obligatorio para rechazar. Los destinatarios no lo leen.',
  commentFault: 'Para rechazar, escriba un comentario de 1 a 1000 caracteres. Explica el motivo a {sender}.',
  commentLong: 'El comentario es demasiado largo. Puede tener 1000 caracteres.',
  approveButton: 'Aprobar {amount}',
  declineButton: 'Rechazar',
  decideAs: 'Usted decide como {name}. Si es otra persona, cierre esta página.',
  decideChanged: 'La solicitud cambió desde que abrió esta página. Léala de nuevo y decida.',
  decideRejected: 'Su decisión no fue posible aquí. Decida en la consola, que explica el motivo.',
  decideOverLimit:
    'El pedido supera un límite del presupuesto o de un destinatario. Rechácelo, o pida que se suba el límite y apruébelo de nuevo.',
  decidedByYou: '{decision, select, APPROVED {Usted aprobó} other {Usted rechazó}}',
  decidedByOther:
    '{decision, select, APPROVED {{name} aprobó} DECLINED {{name} rechazó} other {El plazo para decidir terminó}}',
  decidedLead:
    '{decision, select, APPROVED {{amount} para {whom}: el envío se hace como estaba previsto. No tiene que hacer nada más.} NEXT {{amount} para {whom}: ahora decide el segundo nivel. No tiene que hacer nada más.} other {{amount} para {whom}: no se envió nada. No tiene que hacer nada más.}}',
  decidedAsked: 'Solicitud de',
  decidedAt: 'Decisión',
  notAskedTitle: 'Esta decisión ya no le corresponde',
  notAskedLead: 'Esta solicitud no espera su decisión por ahora. La consola muestra las que la esperan.',
  askedElsewhereTitle: 'Este enlace ya no es válido',
  askedElsewhereLead: 'La solicitud espera su decisión. Use el enlace del correo más reciente, o decida en la consola.',
  otherPersonTitle: 'Este enlace es para otra persona',
  otherPersonLead: 'Su sesión es la de {name}. Solo la persona que recibió el correo puede decidir con su enlace.',
  linkNotFoundTitle: 'Este enlace no funciona',
  linkNotFoundLead:
    'Puede que su programa de correo lo haya cortado. Ábralo de nuevo en el correo, o decida en la consola.',
  linkTooManyTitle: 'Demasiados enlaces incorrectos',
  linkTooManyLead: 'Su red probó muchos enlaces incorrectos. Espere {seconds} segundos y abra el enlace de su correo.',
  toConsole: 'Abrir la consola',
};
