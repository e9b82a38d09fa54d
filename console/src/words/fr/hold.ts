import type { hold as english } from '../en/hold.ts';

/** The legal hold on a person. */
export const hold: typeof english = {
  title: 'Gel juridique',
  place: 'Placer sous gel juridique',
  placeTitle: (name: string) => `Placer ${name} sous gel juridique ?`,
  placeText:
    'Jusqu’à la levée, cette personne ne peut être ni effacée ni anonymisée, et les textes écrits ou reçus sont conservés.',
  reason: 'Motif',
  reasonHint: 'Par exemple le dossier. Il figure dans le journal d’audit.',
  noReason: '',
  placed: 'Gel juridique en place.',
  release: 'Lever',
  releaseTitle: (name: string) => `Lever le gel juridique de ${name} ?`,
  releaseText: 'Cette personne peut de nouveau être effacée, et les durées de conservation s’appliquent.',
  released: 'Gel juridique levé.',
  since: (day: string, who: string | null) => (who ? `Depuis le ${day}, par ${who}` : `Depuis le ${day}`),
};
