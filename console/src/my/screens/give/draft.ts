import type { FeedPerson, NewPost } from '@giftwire/sdk';
import { fullName } from '../../data/people.ts';

/** A person or a team whom a shoutout is for. */
export interface Recipient {
  kind: 'member' | 'team';
  id: number;
  name: string;
  /** How many people it is; null: of a team that does not say. */
  people: number | null;
}

/** What a person has written so far. This browser keeps it. */
export interface Draft {
  message: string;
  to: Recipient[];
  reasonId: number | null;
  isPrivate: boolean;
  /** A gift for each person; null: none. The amount is null until one is chosen. */
  gift: { amount: number | null; currency: string; isShown: boolean } | null;
}

export const emptyDraft: Draft = { message: '', to: [], reasonId: null, isPrivate: false, gift: null };

export function personAsRecipient(person: Pick<FeedPerson, 'id' | 'firstName' | 'lastName'>): Recipient {
  return { kind: 'member', id: person.id, name: fullName(person), people: 1 };
}

/** How many people get it; null where a team does not say. */
export function countPeople(to: readonly Recipient[]): number | null {
  return to.reduce<number | null>((sum, { people }) => (sum === null || people === null ? null : sum + people), 0);
}

export function requestOf(draft: Draft): NewPost {
  return {
    to: draft.to.map(({ kind, id }) => (kind === 'team' ? { teamId: id } : { memberId: id })),
    message: draft.message.trim(),
    ...(draft.reasonId !== null && { reasonId: draft.reasonId }),
    isPrivate: draft.isPrivate,
    ...(hasGift(draft) && { gift: draft.gift as NewPost['gift'] }),
  };
}

/** Whether a gift with an amount comes with it. A private shoutout has none. */
export function hasGift({ gift, isPrivate }: Draft): boolean {
  return !isPrivate && gift !== null && gift.amount !== null && gift.amount > 0;
}
