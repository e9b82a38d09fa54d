import type { FeedPerson } from '@giftwire/sdk';

/** First and last name, as colleagues see them. */
export function fullName({ firstName, lastName }: Pick<FeedPerson, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}
