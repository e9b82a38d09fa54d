import type { Queryable } from '../../ground/database/database.ts';
import { isText } from '../../ground/values/text.ts';
import { atDesk, type GiftDesk } from './claim.ts';
import type { Gift } from './gift.ts';
import { moveGifts } from './moves.ts';

export const longestThanks = 500;

/** `thanked`: the sender has a note, this one or an earlier one. `closed`: the gift is not claimed. */
export type ThanksOutcome = 'thanked' | 'closed' | 'gone';

/** A note as it is sent: plain text, 1 to 500 characters, with line breaks of one kind. Null where it cannot be sent. */
export function readThanks(typed: string): string | null {
  const note = typed.replace(/\r\n?/g, '\n').trim();
  const length = [...note].length;
  return isText(note) && length > 0 && length <= longestThanks ? note : null;
}

/** Sends a note of thanks to the sender of a gift, once. A second note changes nothing. */
export function thankSender(desk: GiftDesk, found: Gift, thanks: string) {
  return atDesk(desk, found, (tx, gift) => thankAtDesk(tx, desk, gift, thanks));
}

/** The same in a transaction that holds the workspace's lock. */
export async function thankAtDesk(
  tx: Queryable,
  { mails }: GiftDesk,
  gift: Gift,
  thanks: string,
): Promise<Exclude<ThanksOutcome, 'gone'>> {
  if (gift.thanks !== null) return 'thanked';
  const moved = await moveGifts(tx, gift.workspaceId, [{ type: 'THANKED', gift, detail: { thanks } }]);
  if (moved.length === 0) return 'closed';
  await mails?.queue(tx, gift, 'THANKS', 0);
  return 'thanked';
}
