import type { Read } from '../../../company/access/read-traces.ts';
import { readGiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { maxPrinted } from '../../../ground/contract/gift.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure, invalid } from '../../../ground/errors.ts';
import { type Gift, readGiftsById, readGiftsOfOrder } from '../../gifts/gift.ts';
import { noGift } from '../../gifts/repairs.ts';
import type { GiftTokenKeys } from '../../gifts/token-keys.ts';
import { shortToken } from '../../gifts/tokens.ts';
import { giftLink } from '../compose/message.ts';
import { printSheet } from './print.ts';

export interface Printing {
  keys: GiftTokenKeys;
  /** The base of links, without a slash at the end. */
  publicUrl: string;
}

/** Either all gifts of an order, or these. */
export interface PrintChoice {
  requestId?: string | undefined;
  ids?: readonly number[] | undefined;
}

/** Gifts on paper, as an HTML document. It shows their tokens, so the caller writes `read` to the audit log. */
export async function printGifts(
  on: Queryable,
  { keys, publicUrl }: Printing,
  workspaceId: number,
  choice: PrintChoice,
  perPage: 1 | 8,
): Promise<{ page: string; read: Read }> {
  const gifts = await readChosen(on, workspaceId, choice);
  const settings = await readGiftSettings(on, workspaceId);
  const pages = gifts.map((gift) => ({
    gift,
    shortToken: shortToken(keys, gift),
    page: giftLink({ keys, publicUrl }, gift),
  }));
  const subject = choice.requestId === undefined ? null : { id: choice.requestId, name: null };
  return {
    page: await printSheet(pages, { settings, codePage: `${publicUrl}/g`, perPage }),
    read: { action: 'gift.printed', subject, gifts: gifts.length },
  };
}

async function readChosen(on: Queryable, workspaceId: number, { requestId, ids }: PrintChoice): Promise<Gift[]> {
  if ((requestId === undefined) === (ids === undefined))
    throw invalid([{ path: 'requestId', problem: 'or ids must be given, and not both' }]);
  if (ids === undefined) return ofOrder(await readGiftsOfOrder(on, workspaceId, requestId as string));
  if (ids.length > maxPrinted) throw invalid([{ path: 'ids', problem: `must be at most ${maxPrinted}` }]);
  const gifts = await readGiftsById(on, workspaceId, ids);
  if (gifts.length < ids.length) throw noGift();
  const useless = gifts.find((gift) => !isOfUse(gift));
  if (useless)
    throw new Failure(
      'conflict',
      `Gift ${useless.id} is ${useless.state}: leave it out, because it can no longer be used.`,
    );
  return gifts;
}

/** Gifts of an order that can no longer be used are left out. */
function ofOrder(gifts: readonly Gift[]): Gift[] {
  const useful = gifts.filter(isOfUse);
  if (useful.length === 0) throw new Failure('missing', 'There is no gift of this order in this workspace to print.');
  return useful;
}

function isOfUse({ state }: Gift): boolean {
  return state !== 'CANCELLED' && state !== 'EXPIRED' && state !== 'REDEEMED';
}
