import { asksForCode, type GiftDesk } from '../../giving/gifts/claim.ts';
import { findByLongToken, findByShortToken, type Gift, leftOf, readGiftsById } from '../../giving/gifts/gift.ts';
import { moveGifts } from '../../giving/gifts/moves.ts';
import type { GiftTokenKeys } from '../../giving/gifts/token-keys.ts';
import { readShortToken } from '../../giving/gifts/tokens.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import type { CheckedGift, TillRedemption } from '../../ground/contract/till.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { kindsWith } from '../../ground/values/spending-kinds.ts';
import { amountToSpend } from './amounts.ts';
import { readRedemption } from './read.ts';
import { findEarlier, type Redeemed, redeem } from './redeem.ts';
import { isFor, readSpendingOptions } from './spending-options.ts';

const tillKinds = kindsWith('fulfilledBy', 'till');

/** The gift of a token of either kind in this workspace; null if it does not exist. */
export async function findByToken(
  on: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  token: string,
): Promise<Gift | null> {
  const find = readShortToken(token) ? findByShortToken : findByLongToken;
  const gift = await find(on, keys, token);
  return gift?.workspaceId === workspaceId ? gift : null;
}

export function noSuchToken(): Failure {
  return new Failure('missing', 'No gift of this workspace has this code: check how it is typed.');
}

/** Says whether a gift can be redeemed at a till. Changes nothing. */
export async function checkGift(on: Queryable, gift: Gift): Promise<CheckedGift> {
  const problem = await findProblem(on, gift);
  return {
    giftId: gift.id,
    isGood: problem === null,
    problem,
    state: gift.state,
    amount: gift.amount,
    left: leftOf(gift),
    currency: gift.currency,
    expiresAt: gift.expiresAt?.toISOString() ?? null,
  };
}

async function findProblem(on: Queryable, gift: Gift): Promise<string | null> {
  try {
    const option = await chooseTill(on, gift, undefined);
    // Only the rules of the gift count here: how much of it is asked for later.
    const open = { ...option, allowsParts: true, minAmount: null, maxAmount: null };
    amountToSpend(await openAtTill(on, gift), open, undefined);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** The gift as it will be when a till has claimed it. */
async function openAtTill(on: Queryable, gift: Gift): Promise<Gift> {
  if (gift.state !== 'ISSUED') return gift;
  if (await asksForCode(on, gift))
    throw new Failure('conflict', 'A gift of this amount has to be claimed on its page first, with the emailed code.');
  return { ...gift, state: 'CLAIMED' };
}

interface TillRequest extends Omit<TillRedemption, 'token'> {
  idempotencyKey: string;
}

/** Redeems a gift at a till. Redeeming an unclaimed gift claims it. The caller holds the workspace's lock. */
export async function redeemAtTill(
  tx: Queryable,
  actor: Actor,
  { mails }: Pick<GiftDesk, 'mails'>,
  found: Gift,
  { idempotencyKey, ...asked }: TillRequest,
): Promise<Redeemed> {
  const { workspaceId } = found;
  const [gift] = (await readGiftsById(tx, workspaceId, [found.id])) as [Gift];
  const body = { giftId: gift.id, ...asked };
  const earlier = await findEarlier(tx, workspaceId, { kinds: tillKinds, idempotencyKey, body });
  if (earlier !== null) return { redemption: await readRedemption(tx, workspaceId, earlier), replayed: true };
  // Its code was replaced between the look-up and the lock.
  if (gift.edition !== found.edition) throw noSuchToken();
  const option = await chooseTill(tx, gift, asked.spendingOption);
  const opened = await openAtTill(tx, gift);
  if (gift.state === 'ISSUED') {
    await moveGifts(tx, workspaceId, [{ type: 'CLAIMED', gift, by: actor }]);
    await mails?.withdraw(tx, gift);
  }
  const { amount, reference } = asked;
  const detail = reference === undefined ? {} : { reference };
  return redeem(tx, workspaceId, { gift: opened, option, by: actor, amount, detail, idempotencyKey, body });
}

async function chooseTill(on: Queryable, gift: Gift, id: string | undefined): Promise<SpendingOption> {
  const tills = (await readSpendingOptions(on, gift.workspaceId)).filter(({ kind }) => tillKinds.includes(kind));
  const option = tills.find((one) => (id === undefined ? isFor(one, gift) : one.id === id));
  if (option) return option;
  throw new Failure(
    'conflict',
    id === undefined
      ? `This workspace offers no till for gifts in ${gift.currency}: set a spending option of the kind ${tillKinds.join(' or ')}.`
      : `This workspace has no spending option of the kind ${tillKinds.join(' or ')} with this id.`,
  );
}
