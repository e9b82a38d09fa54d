import type { Gift } from '@giftwire/sdk';
import type { GiftState } from '../../parts/state-pill.tsx';
import type { Formats } from '../../words/formats.ts';
import type { Words } from '../../words/words.tsx';

/** The state of a gift as people see it: while it is not claimed, what became of its email. */
export function standingOf({ state, delivery }: Pick<Gift, 'state' | 'delivery'>): GiftState {
  if (state !== 'ISSUED') return state;
  if (delivery === 'SENT') return 'SENT';
  return delivery === 'FAILED' || delivery === 'NO_ADDRESS' ? 'FAILED' : 'ISSUED';
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
