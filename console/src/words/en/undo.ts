import { speak } from '../speak.ts';

const say = speak('en');

export const undo = {
  text: 'Merges, imports, changed roles, and reasons that are no longer offered can be undone for 24 hours, unless something was changed since.',
  none: 'Nothing to undo',
  noneText: 'Merge two records, import people or change a role: for 24 hours you can undo it here.',
  change: 'Change',
  timeLeft: 'Time left',
  left: (hours: number) => say('{n, plural, one {# hour} other {# hours}}', { n: hours }),
  hours: (hours: number) => say('{n, plural, one {# hour left} other {# hours left}}', { n: hours }),
  undo: 'Undo',
  undoOf: (change: string) => `Undo: ${change}`,
  undone: 'Undone. Everything is as it was before.',
  wholeText:
    'Undoing restores everything as it was before the change. If something was changed since, nothing is undone.',
  mergeText:
    'The merge becomes two records again, each with its own fields, email addresses, teams and direct reports. Gifts and shoutouts that came after the merge stay with the record that was kept. If one of the two was changed since, nothing is undone.',
  reasonText: 'People can choose this reason again for gifts and shoutouts.',
  importText:
    'Undoing restores people as they were before the file, and removes people whom the file added. If one of them was changed or used since, nothing is undone.',
  link: 'See what can be undone.',
  imported: (added: number, changed: number) =>
    say('Import: {added, plural, one {# person} other {# people}} added, {changed} changed', { added, changed }),
  kinds: {
    MEMBER_MERGE: (name: string) => `Merge of ${name}`,
    MEMBER_IMPORT: (_: string) => 'Import',
    USER_ROLE: (name: string) => `Role of ${name}`,
    REASON: (name: string) => `Reason no longer offered: ${name}`,
  },
};
