import { speak } from '../speak.ts';

const say = speak('fr');

export const customFields = {
  text: 'Ce que votre entreprise veut savoir des personnes en plus des champs habituels. Seuls les propriétaires, l’équipe RH et la personne voient les valeurs.',
  full: (most: number) =>
    `Un espace de travail a au plus ${most} champs personnalisés. Pour en ajouter un, supprimez-en d’abord un autre.`,
  add: 'Ajouter un champ',
  none: 'Aucun champ personnalisé',
  noneText:
    'Ajoutez un champ, par exemple une taille de t-shirt. Vous pourrez ensuite le remplir, l’importer et l’utiliser comme filtre.',
  label: 'Libellé',
  key: 'Clé',
  keyHint:
    'Son nom dans les fichiers, l’API et la synchronisation de l’annuaire. Elle ne peut plus être modifiée ensuite.',
  kind: 'Type',
  kinds: { TEXT: 'Texte', NUMBER: 'Nombre', DATE: 'Date', CHOICE: 'Choix' },
  choices: 'Choix possibles',
  choicesHint: 'Un par ligne.',
  actions: 'Actions',
  actionsFor: (label: string) => `Actions pour ${label}`,
  addTitle: 'Ajouter un champ personnalisé',
  editTitle: (label: string) => `Modifier ${label}`,
  edit: 'Modifier',
  save: 'Enregistrer',
  saved: (label: string) => `${label} : modifications enregistrées.`,
  remove: 'Supprimer le champ',
  removeTitle: (label: string) => `Supprimer ${label} ?`,
  removeText: (people: number) =>
    say(
      '{n, plural, =0 {Personne n’a de valeur.} one {# personne a une valeur, qui sera supprimée avec le champ.} other {# personnes ont une valeur, qui sera supprimée avec le champ.}} Cette action est définitive.',
      { n: people },
    ),
  removed: (label: string) => `${label} : champ supprimé.`,
  filter: 'Champ personnalisé',
  value: 'Valeur',
  valueOf: (label: string) => `Valeur de ${label}`,
};
