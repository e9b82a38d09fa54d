import { count } from '../count.ts';
import type { spending as english } from '../en/spending.ts';

const many = count('fr');

export const spending: typeof english = {
  edit: 'Modifier',
  kinds: {
    PAYROLL: 'Avec le salaire',
    POOL: 'Codes d’une enseigne',
    HAND: 'À la main ou don',
    TILL: 'Caisse ou boutique',
  },
  cancel: 'Annuler',
  save: 'Enregistrer',
  poolsText: 'Codes d’enseignes achetés par votre entreprise. Ils sont chiffrés, et chacun va à une seule personne.',
  addPool: 'Ajouter une réserve',
  changePool: 'Modifier cette réserve',
  noPools: 'Pas encore de codes',
  noPoolsText: 'Achetez des codes d’une enseigne, ajoutez-les ici par fichier et proposez-les comme moyen de dépense.',
  poolName: 'Nom',
  currency: 'Devise',
  retailer: 'Enseigne',
  worth: 'Valeur',
  codesLeft: 'Restants',
  codesGiven: 'Donnés',
  codesExpired: 'Expirés',
  stock: 'Stock',
  empty: 'Vide',
  low: 'Bas',
  enough: 'Suffisant',
  lowAt: (codes) => many(codes, 'Bas à # code', 'Bas à # codes'),
  lowLabel: 'Considéré comme bas à',
  lowHint: 'Codes d’une enseigne et d’une valeur. Les webhooks l’apprennent.',
  noCodes: 'Cette réserve n’a pas encore de codes.',
  addCodes: 'Ajouter des codes par fichier',
  template: 'Télécharger un modèle',
  codesAdded: (codes) => many(codes, '# code ajouté.', '# codes ajoutés.'),
};
