import type { tv as english } from '../en/tv.ts';

export const tv: typeof english = {
  title: 'Remerciements',
  note: 'Remerciements publics, sans montants',
  join: (address) => `Envoyez-en un sur ${address}`,
  empty: 'Le premier remerciement s’affichera ici',
  emptyText: 'Quand des collègues se remercient, tout le monde le lit sur cet écran.',
  revoked: 'Cet écran a été désactivé',
  revokedText: 'Son lien a été révoqué ou n’est pas complet. L’équipe RH peut en créer un autre.',
  away: 'Pas de connexion. Voici les derniers remerciements reçus.',
  withGift: 'avec un cadeau',
};
