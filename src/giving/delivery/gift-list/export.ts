import type { GiftRecord } from '../../../ground/contract/gift.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { type GiftPageQuery, listGifts } from './list.ts';

type Row = Record<string, unknown>;

export const giftCsvColumns = [
  'id',
  'state',
  'delivery',
  'recipientId',
  'firstName',
  'lastName',
  'email',
  'employeeNumber',
  'address',
  'amount',
  'redeemed',
  'currency',
  'message',
  'reason',
  'senderName',
  'orderedAt',
  'sentAt',
  'viewedAt',
  'claimedAt',
  'expiresAt',
  'thanks',
  'requestId',
  'customerRequestId',
];

const giftsAtOnce = 500;

/**
 * All gifts that fit, the newest first, as pieces and a function that reads a piece. Those that are ordered meanwhile are left out. A
 * piece is where the piece before ended, so it can be read again after a failure.
 */
export function giftPieces(on: Queryable, workspaceId: number, filters: GiftPageQuery) {
  let next: number | null | undefined;
  function* pieces(): Generator<number | undefined> {
    while (next !== null) yield next;
  }
  async function read(after: number | undefined): Promise<Row[]> {
    const { after: _asked, ...asked } = { ...filters, size: giftsAtOnce };
    const page = await listGifts(on, workspaceId, after === undefined ? asked : { ...asked, after });
    next = page.next;
    return page.gifts.map(rowOf);
  }
  return { pieces: pieces(), read };
}

function rowOf({ recipient, ...gift }: GiftRecord): Row {
  const { id: recipientId, ...person } = recipient;
  return { ...person, recipientId, ...gift };
}
