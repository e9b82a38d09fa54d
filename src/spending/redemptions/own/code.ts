import { type Gift, leftOf } from '../../../giving/gifts/gift.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { GiftTokenKeys } from '../../../giving/gifts/token-keys.ts';
import { shortToken } from '../../../giving/gifts/tokens.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { readGivenCode } from '../../code-pools/give.ts';
import { readSpendingOption } from '../spending-options.ts';
import { noSpending, readOwnSpending } from './read.ts';

/** The code of a claimed gift, for a till, and the link of a shop that takes it. */
export async function readOwnCode(on: Queryable, keys: GiftTokenKeys, gift: Gift, optionId: string | undefined) {
  if (gift.claimedAt === null) throw new Failure('conflict', 'Claim the gift first.');
  if (leftOf(gift) === 0) throw new Failure('conflict', 'Nothing is left of the gift: it is spent.');
  const code = shortToken(keys, gift);
  const option = optionId === undefined ? null : await readSpendingOption(on, gift.workspaceId, optionId);
  return { code, link: option?.link?.replaceAll('{code}', encodeURIComponent(code)) ?? null };
}

/** The gift card that a person has spent gifts on. */
export async function readOwnCard(on: Queryable, keys: GiftTokenKeys, recipient: Claimant, id: number) {
  const { hasCode, retailer, amount, currency, ...spending } = await readOwnSpending(on, recipient, id);
  const given = hasCode ? await readGivenCode(on, keys, recipient.workspaceId, spending.id) : null;
  if (given === null) throw noSpending();
  const { code, pin, expiresOn } = given;
  return { retailer: retailer ?? '', amount, currency, code, pin, expiresOn };
}
