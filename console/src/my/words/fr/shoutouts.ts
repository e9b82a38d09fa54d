import type { shoutouts as english } from '../en/shoutouts.ts';

export const shoutouts: typeof english = {
  title: 'Mes remerciements',
  direction: 'Lesquels',
  received: (total) => (total === null ? 'Reçus' : `Reçus ${total}`),
  given: (total) => (total === null ? 'Envoyés' : `Envoyés ${total}`),
  reply: 'Répondre par un mot',
  replyTo: (name) => `Remercier ${name}`,
  label: 'Votre mot de remerciement',
  hint: (name) => `Lu par ${name} uniquement.`,
  send: 'Envoyer le mot de remerciement',
  notSent: 'Aucun mot n’a été envoyé. Votre texte est conservé.',
  replied: (day) => `Vous avez répondu le ${day}`,
  noneReceived: 'Aucun remerciement reçu',
  noneReceivedText: 'Quand un collègue vous remercie, vous le gardez ici.',
  noneGiven: 'Aucun remerciement envoyé',
  noneGivenText: 'Qui vous a aidé cette semaine ?',
  notes: 'Mots de remerciement',
};
