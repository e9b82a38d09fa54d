import type { Gift } from '@giftwire/sdk';
import type { GiftState } from '../../parts/state-pill.tsx';
import type { Formats } from '../../words/formats.ts';
import type { Words } from '../../words/words.tsx';

/**
 * The state of a gift as people see it: while it is not claimed, what became of its latest email. Pills, progress lines and counts follow
 * it. A gift without an address has not failed: its row says what it lacks.
 */
export function standingOf({ state, delivery }: Pick<Gift, 'state' | 'delivery'>): GiftState {
  if (state !== 'ISSUED') return state;
  if (delivery === 'SENT') return 'SENT';
  return delivery === 'FAILED' ? 'FAILED' : 'ISSUED';
}

/** Whether the email needs another address before it can be sent. */
export function needsAddress({ state, delivery }: Pick<Gift, 'state' | 'delivery'>): boolean {
  return state === 'ISSUED' && (delivery === 'FAILED' || delivery === 'NO_ADDRESS');
}

/** What the pill does not say about the email of a gift; null if there is nothing more to say. */
export function mailNote(gift: Gift, { note }: Words['gifts'], { moment }: Formats): string | null {
  const { state, delivery, dueAt } = gift;
  if (state !== 'ISSUED') return null;
  if (delivery === 'NO_ADDRESS') return note.noAddress;
  if (delivery === 'SCHEDULED' && dueAt) return note.scheduled(moment(dueAt));
  if (delivery === 'DEFERRED' && dueAt) return note.deferred(moment(dueAt));
  if (delivery === 'QUEUED') return note.queued;
  return delivery === 'NONE' ? note.printed : null;
}

/** What happened to a gift last, or happens next, in a few words. */
export function lastOf(gift: Gift, words: Words['gifts'], formats: Formats): string | null {
  const { last } = words;
  const { state, claimedAt, viewedAt, sentAt, expiresAt, redeemed, currency } = gift;
  if (state === 'PARTLY_REDEEMED' || state === 'REDEEMED') return last.spent(formats.money(redeemed, currency));
  if (state === 'CLAIMED') return gift.thanks ? last.thanked : last.claimed(claimedAt && formats.shortDay(claimedAt));
  if (state === 'EXPIRED') return last.expired(expiresAt && formats.shortDay(expiresAt));
  if (state === 'CANCELLED') return null;
  const note = mailNote(gift, words, formats);
  if (note) return note;
  if (gift.delivery === 'FAILED') return words.note.failed;
  if (viewedAt) return last.opened(formats.shortDay(viewedAt));
  return sentAt && last.sent(formats.shortDay(sentAt));
}
