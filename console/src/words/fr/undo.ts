import type { en } from '../en/index.ts';
import { speak } from '../speak.ts';

const say = speak('fr');

export const undo: (typeof en)['undo'] = {
  text: 'Les fusions, les importations, les changements de rôle et les motifs qui ne sont plus proposés peuvent être rétablis pendant 24 heures, sauf si des données ont changé depuis.',
  none: 'Rien à annuler',
  noneText:
    'Fusionnez deux fiches, importez des personnes ou changez un rôle\u00a0: vous pourrez l’annuler ici pendant 24 heures.',
  change: 'Changement',
  timeLeft: 'Temps restant',
  left: (hours) => say('{n, plural, one {# heure} other {# heures}}', { n: hours }),
  hours: (hours) => say('{n, plural, one {# heure restante} other {# heures restantes}}', { n: hours }),
  undo: 'Annuler',
  undoOf: (change) => `Annuler\u00a0: ${change}`,
  undone: 'Annulé. Tout est comme avant.',
  wholeText:
    'L’annulation rétablit tout comme avant le changement. Si des données ont changé depuis, rien n’est annulé.',
  mergeText:
    'La fusion redevient deux fiches, chacune avec ses champs, ses adresses courriel, ses équipes et ses subordonnés directs. Les cadeaux et les remerciements reçus après la fusion restent avec la fiche conservée. Si l’une des deux a changé depuis, rien n’est annulé.',
  reasonText: 'Ce motif peut de nouveau être choisi pour les cadeaux et les remerciements.',
  importText:
    'L’annulation rétablit les personnes comme avant le fichier, et retire celles que le fichier a ajoutées. Si l’une d’elles a été modifiée ou utilisée depuis, rien n’est annulé.',
  link: 'Voir ce qui peut être annulé.',
  imported: (added, changed) =>
    say(
      'Importation\u00a0: {added, plural, one {# personne ajoutée} other {# personnes ajoutées}}, {changed, plural, one {# modifiée} other {# modifiées}}',
      { added, changed },
    ),
  kinds: {
    MEMBER_MERGE: (name) => `Fusion de ${name}`,
    MEMBER_IMPORT: () => 'Importation',
    USER_ROLE: (name) => `Rôle de ${name}`,
    REASON: (name) => `Motif qui n’est plus proposé\u00a0: ${name}`,
  },
};
