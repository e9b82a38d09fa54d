/** A person who is kept out of reports about individuals. */
export const keptOut = {
  title: 'Kept out of reports',
  place: 'Keep out of reports',
  placeTitle: (name: string) => `Keep ${name} out of reports?`,
  placeText:
    'Reports about individuals, the feed and automations leave this person out. Totals stay as they are, and so do the directory, gifts, payroll and the tax log.',
  reason: 'Reason',
  reasonHint: 'For example that they asked for it. It is in the audit log.',
  noReason: 'The person has objected in the employees’ app.',
  placed: 'Kept out of reports.',
  release: 'Let in again',
  releaseTitle: (name: string) => `Let ${name} into reports again?`,
  releaseText: 'Reports about individuals, the feed and automations have this person again.',
  released: 'Reports have this person again.',
  since: (day: string, who: string | null) => (who ? `Since ${day}, by ${who}` : `Since ${day}`),
};
