import type { keptOut as english } from '../en/kept-out.ts';

/** A person who is kept out of reports about individuals. */
export const keptOut: typeof english = {
  title: 'Hors des rapports',
  place: 'Exclure des rapports',
  placeTitle: (name: string) => `Exclure ${name} des rapports ?`,
  placeText:
    'Les rapports sur les personnes, le fil et les automatisations ne la montrent plus. Les totaux ne changent pas, ni l’annuaire, les cadeaux, la paie et le journal fiscal.',
  reason: 'Motif',
  reasonHint: 'Par exemple une demande de la personne. Il figure dans le journal d’audit.',
  noReason: 'La personne s’y est opposée dans l’application des employés.',
  placed: 'Exclusion enregistrée.',
  release: 'Réintégrer',
  releaseTitle: (name: string) => `Réintégrer ${name} dans les rapports ?`,
  releaseText: 'Les rapports sur les personnes, le fil et les automatisations la montrent de nouveau.',
  released: 'Réintégration enregistrée.',
  since: (day: string, who: string | null) => (who ? `Depuis le ${day}, par ${who}` : `Depuis le ${day}`),
};
