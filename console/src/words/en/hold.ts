/** The legal hold on a person. */
export const hold = {
  title: 'Legal hold',
  place: 'Place legal hold',
  placeTitle: (name: string) => `Place a legal hold on ${name}?`,
  placeText:
    'Until it is released, this person cannot be erased or anonymized, and the texts they wrote or received are kept.',
  reason: 'Reason',
  reasonHint: 'For example the case. It is in the audit log.',
  noReason: '',
  placed: 'Legal hold placed.',
  release: 'Release',
  releaseTitle: (name: string) => `Release the legal hold on ${name}?`,
  releaseText: 'This person can be erased again, and retention applies.',
  released: 'Legal hold released.',
  since: (day: string, who: string | null) => (who ? `Since ${day}, by ${who}` : `Since ${day}`),
};
