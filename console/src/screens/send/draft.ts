import type { MemberSuggestion, OrderRequest } from '@giftwire/sdk';
import { momentOf } from '../../gift/terms.ts';

/** A recipient of the gift. Without an id: a new person. */
export type Recipient = Pick<MemberSuggestion, 'email' | 'employeeNumber' | 'firstName' | 'lastName'> & {
  id: number | null;
  department: string | null;
  lastRecognizedOn: string | null;
};

/** A gift as it is being written. */
export interface Draft {
  recipients: readonly Recipient[];
  amount: number | null;
  currency: string;
  message: string;
  reasonId: number | null;
  language: string;
  /** As the field has it: 2026-12-24T09:00. Empty: now. */
  deliverAt: string;
  /** What the gift is for. Recipients never see it. */
  note: string;
}

export const longestMessage = 1_000;
export const longestNote = 1_000;
export const smallestAmount = 1;
export const largestAmount = 10_000;

/** Two recipients are the same if they identify the same member. */
export function keyOf({ id, email, employeeNumber }: Recipient): string {
  return id === null ? `new ${email ?? employeeNumber}`.toLowerCase() : `member ${id}`;
}

/** An order names people by address or number: a member without both cannot be sent a gift. */
export function canReceive({ email, employeeNumber }: Pick<Recipient, 'email' | 'employeeNumber'>): boolean {
  return email !== null || employeeNumber !== null;
}

/** What is still missing; nothing when the gift can be sent. */
export function missingOf({ recipients, amount, message }: Draft): ('recipients' | 'amount' | 'message')[] {
  const length = [...message.trim()].length;
  return [
    ...(recipients.length === 0 ? (['recipients'] as const) : []),
    ...(amount === null || amount < smallestAmount || amount > largestAmount ? (['amount'] as const) : []),
    ...(length === 0 || length > longestMessage ? (['message'] as const) : []),
  ];
}

export function orderOf(draft: Draft): OrderRequest {
  const { recipients, amount, currency, message, reasonId, language, deliverAt } = draft;
  const note = draft.note.trim();
  return {
    currency,
    language,
    deliverAt: momentOf(deliverAt),
    ...(note !== '' && { note }),
    orderItems: recipients.map(({ email, employeeNumber, firstName, lastName }) => ({
      message: message.trim(),
      amount: amount ?? 0,
      reasonId,
      recipient: { ...(email ? { email } : { employeeNumber }), firstName, lastName },
    })),
  };
}

/**
 * The key of an order. The same gift once more, after a lost answer or a second press, is the same order; a changed one is another.
 * `draftId` changes when a gift was sent. A hash of our own, because browsers have crypto.subtle on https alone.
 */
export function orderKey(draftId: string, order: OrderRequest): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const character of JSON.stringify(order)) {
    const code = character.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) + 0x27d4eb2f;
  }
  return `send-${draftId}-${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}`;
}
