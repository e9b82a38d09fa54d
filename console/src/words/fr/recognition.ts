import { speak } from '../speak.ts';

const say = speak('fr');

export const recognition: typeof import('../en/recognition.ts').recognition = {
  text: 'Les cadeaux et les remerciements, avec leur message.',
  views: 'Reconnaissance',
  feed: 'Fil',
  declined: 'Refusés',
  give: 'Envoyer un remerciement',
  noFeed: 'Aucune reconnaissance pour l’instant',
  noFeedText: 'Les cadeaux et remerciements figurent ici, du plus récent au plus ancien.',
  noDeclined: 'Aucun remerciement refusé',
  noDeclinedText: 'Les remerciements refusés figurent ici avec le motif. Ils ne comptent pas comme reconnaissance.',
  approveOf: (sender, receiver) => `Approuver le remerciement de ${sender} à ${receiver}`,
  declineOf: (sender, receiver) => `Refuser le remerciement de ${sender} à ${receiver}`,
  approved: (sender, receiver) => `Approuvé\u00a0: remerciement de ${sender} à ${receiver}.`,
  declinedOf: (sender, receiver) => `Refusé\u00a0: remerciement de ${sender} à ${receiver}.`,
  declineTitle: 'Refuser ce remerciement\u00a0?',
  declineText: (receiver) =>
    `${receiver} ne le verra pas, et il ne comptera pas comme reconnaissance. C’est définitif.`,
  declineReason: 'Motif',
  declineReasonHint: 'Facultatif. Conservé avec le remerciement.',
  declinedBy: (name, reason) => (reason ? `Refusé par ${name}\u00a0: ${reason}` : `Refusé par ${name}`),
  to: 'À',
  toHint: 'Commencez à écrire un nom',
  nobodyFound: 'Aucune personne trouvée',
  message: 'Message',
  messageHint: 'Dites ce qui s’est passé et pourquoi cela comptait.',
  left: (count) => `${count} ${say('{n, plural, one {caractère restant} other {caractères restants}}', { n: count })}`,
  reason: 'Motif',
  isPrivate: 'Privé',
  isPrivateHint: 'Les rapports le signalent comme privé, pour que d’autres systèmes puissent l’omettre.',
  given: (name) => `Remerciement envoyé à ${name}.`,
  givenWaits: (name) => `Votre remerciement à ${name} est en attente d’approbation.`,
  missingTo: 'Choisissez un destinataire',
  missingMessage: 'Écrivez un message',
};
