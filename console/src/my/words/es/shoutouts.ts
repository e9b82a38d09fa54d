import type { shoutouts as english } from '../en/shoutouts.ts';

export const shoutouts: typeof english = {
  title: 'Mis agradecimientos',
  direction: 'Cuáles',
  received: (total) => (total === null ? 'Recibidos' : `Recibidos ${total}`),
  given: (total) => (total === null ? 'Enviados' : `Enviados ${total}`),
  reply: 'Responder con una nota',
  replyTo: (name) => `Dar las gracias a ${name}`,
  label: 'Su nota de agradecimiento',
  hint: (name) => `Solo la lee ${name}.`,
  send: 'Enviar nota de agradecimiento',
  notSent: 'No se envió ninguna nota. Su texto se conserva.',
  replied: (day) => `Respondió el ${day}`,
  noneReceived: 'Aún no recibió agradecimientos',
  noneReceivedText: 'Cuando un colega le dé las gracias, lo guardará aquí.',
  noneGiven: 'Aún no envió agradecimientos',
  noneGivenText: '¿Quién le ayudó esta semana?',
  notes: 'Notas de agradecimiento',
};
