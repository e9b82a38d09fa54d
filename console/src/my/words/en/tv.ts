export const tv = {
  title: 'Shoutouts',
  note: 'Public shoutouts only, no amounts',
  join: (address: string) => `Give one at ${address}`,
  empty: 'The first shoutout comes here',
  emptyText: 'When colleagues recognize each other, everyone reads it on this screen.',
  revoked: 'This screen was turned off',
  revokedText: 'Its link was revoked, or is not complete. The people team creates another one.',
  away: 'No connection. These are the latest shoutouts that arrived.',
  withGift: 'with a gift',
};
