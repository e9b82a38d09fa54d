import { speak } from '../speak.ts';

const say = speak('es');

export const recognition: typeof import('../en/recognition.ts').recognition = {
  text: 'Los regalos y los agradecimientos, con su mensaje.',
  views: 'Reconocimiento',
  feed: 'Novedades',
  declined: 'Rechazados',
  give: 'Enviar un agradecimiento',
  noFeed: 'Aún no hay reconocimientos',
  noFeedText: 'Los regalos y agradecimientos aparecen aquí, del más reciente al más antiguo.',
  noDeclined: 'No hay agradecimientos rechazados',
  noDeclinedText: 'Los agradecimientos rechazados aparecen aquí con su motivo. No cuentan como reconocimiento.',
  approveOf: (sender, receiver) => `Aprobar el agradecimiento de ${sender} a ${receiver}`,
  declineOf: (sender, receiver) => `Rechazar el agradecimiento de ${sender} a ${receiver}`,
  approved: (sender, receiver) => `Aprobado: agradecimiento de ${sender} a ${receiver}.`,
  declinedOf: (sender, receiver) => `Rechazado: agradecimiento de ${sender} a ${receiver}.`,
  declineTitle: '¿Rechazar este agradecimiento?',
  declineText: (receiver) => `${receiver} no lo verá, y no contará como reconocimiento. No se puede deshacer.`,
  declineReason: 'Motivo',
  declineReasonHint: 'Opcional. Se guarda con el agradecimiento.',
  declinedBy: (name, reason) => (reason ? `Rechazado por ${name}: ${reason}` : `Rechazado por ${name}`),
  to: 'Para',
  toHint: 'Empiece a escribir un nombre',
  nobodyFound: 'No se encontró ninguna persona',
  message: 'Mensaje',
  messageHint: 'Diga qué pasó y por qué importó.',
  left: (count) =>
    `${say('{n, plural, one {queda} other {quedan}}', { n: count })} ${count} ${say('{n, plural, one {carácter} other {caracteres}}', { n: count })}`,
  reason: 'Motivo',
  isPrivate: 'Privado',
  isPrivateHint: 'Los informes lo marcan como privado, para que otros sistemas puedan omitirlo.',
  given: (name) => `Agradecimiento enviado a ${name}.`,
  givenWaits: (name) => `Su agradecimiento a ${name} espera aprobación.`,
  missingTo: 'Elija un destinatario',
  missingMessage: 'Escriba un mensaje',
};
