import type { parts as english } from '../en/parts.ts';

export const parts: typeof english = {
  retry: 'Réessayer',
  cancel: 'Annuler',
  save: 'Enregistrer',
  more: 'Afficher plus',
  loading: 'Chargement',
  offline: 'Vous êtes hors ligne. Vérifiez votre connexion, puis réessayez.',
  unreachable: 'Le service est injoignable. Réessayez dans un instant.',
  serverFault: 'Le service a un problème. Réessayez dans un instant.',
  tooMany: 'Trop de tentatives. Réessayez dans quelques minutes.',
  forbidden: 'Vous n’y avez pas accès.',
  required: 'Remplissez ce champ.',
  rejected: {
    400: 'Vérifiez ce que vous avez saisi.',
    402: 'Le budget ne suffit pas, ou une règle de votre entreprise s’y oppose.',
    404: 'Cela n’est plus disponible.',
    409: 'Cela n’est pas possible.',
    410: 'Cela n’est plus disponible.',
  },
};
