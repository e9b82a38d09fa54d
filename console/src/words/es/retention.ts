import type { retention as english } from '../en/retention.ts';

export const retention: typeof english = {
  text: 'Cuánto tiempo se conservan los datos. Los más antiguos se eliminan cada día en segundo plano. Los pedidos, los importes y los totales se conservan siempre.',
  record: 'Datos',
  keep: 'Conservar durante',
  keepOf: (record: string) => `Días de conservación: ${record}`,
  always: 'Siempre',
  suffix: ' días',
  usual: (days: number | null) => (days === null ? 'Predeterminado: siempre' : `Predeterminado: ${days} días`),
  least: (days: number) => `al menos ${days} días`,
  most: (days: number) => `como máximo ${days} días`,
  next: 'Próxima eliminación',
  useUsual: 'Usar el valor predeterminado',
  saved: 'Plazos guardados.',
  sure: '¿Guardar y eliminar los datos más antiguos?',
  sureText: 'Los datos que superan el plazo elegido se eliminan y no se pueden recuperar.',
  sureAction: 'Guardar plazos',
  kinds: {
    'gift-texts': {
      name: 'Textos de los regalos',
      why: 'Mensajes y notas de agradecimiento de regalos canjeados, cancelados o vencidos. Se puede volver a leer el motivo.',
    },
    'shoutout-texts': {
      name: 'Textos de los agradecimientos',
      why: 'Con los comentarios y las notas. Se puede volver a leer el motivo.',
    },
    emails: {
      name: 'Correos sobre regalos',
      why: 'Direcciones y respuestas de los servidores de correo. Muestran si un correo llegó.',
    },
    'approval-emails': { name: 'Correos de aprobación', why: 'Direcciones de correo. Muestran a quién se preguntó.' },
    'manager-emails': {
      name: 'Correos a responsables',
      why: 'Direcciones de correo. Muestran a quién se informó de una automatización.',
    },
    'digest-emails': {
      name: 'Correos semanales y mensuales',
      why: 'Direcciones de correo. Muestran qué se envió, y ninguna semana se envía dos veces.',
    },
    'gift-log': {
      name: 'Historial de los regalos',
      why: 'Lo que ocurrió con los regalos canjeados, cancelados o vencidos.',
    },
    'audit-log': {
      name: 'Registro de auditoría',
      why: 'Demuestra quién hizo qué. Las entradas sobre exportaciones de nómina se conservan siempre.',
    },
    'sign-ins': {
      name: 'Inicios de sesión',
      why: 'Las sesiones terminadas. Cada persona ve dónde tenía la sesión abierta.',
    },
    leavers: {
      name: 'Personas de baja',
      why: 'Sus datos se anonimizan estos días después de la baja, como en un borrado. Desactivado de forma predeterminada.',
    },
    'webhook-attempts': {
      name: 'Envíos a webhooks',
      why: 'Los envíos fallidos. Muestran por qué una URL no recibió eventos.',
    },
    'order-parties': {
      name: 'Personas que no podían decidir',
      why: 'Direcciones y números de pedidos completados que una regla retuvo.',
    },
    'sender-months': {
      name: 'Totales mensuales de remitentes',
      why: 'Las reglas miden lo que un remitente ha enviado en el mes actual.',
    },
    'sender-month-orders': { name: 'Pedidos de esos totales', why: 'Lo que cada pedido añadió a ellos.' },
  },
};
