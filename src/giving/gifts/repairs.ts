import { endOfDay } from '../../company/workspaces/days.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { RepairReason } from '../../ground/contract/bulk-action.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { slowHistoryBase } from '../../ground/database/history.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { type Gift, type GiftState, readGiftsById } from './gift.ts';
import { moveGifts } from './moves.ts';
import type { GiftTokenKeys } from './token-keys.ts';
import { currentTokenVersion, shortTokenHash } from './tokens.ts';

const claimed = 'it was claimed, and belongs to the person who has claimed it';
const cancelled = 'it was cancelled: order a new one';

/** Why a repair is refused, by the state of the gift, and what is possible instead. In the other states it is allowed. */
const refusals = {
  resend: {
    REDEEMED: 'it is redeemed: nothing is left to send',
    EXPIRED: 'it has expired: extend it first, then send it again',
    CANCELLED: cancelled,
  },
  correct: {
    CLAIMED: `${claimed}: send it again, or order another one for the new address`,
    PARTLY_REDEEMED: `${claimed}: send it again, or order another one for the new address`,
    REDEEMED: 'it is redeemed: order another one for the new address',
    EXPIRED: 'it has expired: extend it first, then correct the address',
    CANCELLED: cancelled,
  },
  cancel: {
    CLAIMED: `${claimed}: agree with them on what to do`,
    PARTLY_REDEEMED: `${claimed}: agree with them on what to do`,
    REDEEMED: 'it is redeemed: nothing is left to cancel',
  },
  extend: {
    CLAIMED: 'it was claimed, and a claimed gift does not expire',
    PARTLY_REDEEMED: 'it was claimed, and a claimed gift does not expire',
    REDEEMED: 'it is redeemed: nothing is left to claim',
    CANCELLED: cancelled,
  },
} as const satisfies Record<string, Partial<Record<GiftState, string>>>;

export type Repair = keyof typeof refusals;

const verbs: Record<Repair, string> = {
  resend: 'sent again',
  correct: 'corrected',
  cancel: 'cancelled',
  extend: 'extended',
};

/** A 409 that says why the repair is not possible. */
export function refuseRepair(
  repair: Repair,
  { id }: Pick<Gift, 'id'>,
  why: string,
  reason: RepairReason,
  retryAfterSeconds?: number,
): never {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  throw new Failure('conflict', `Gift ${id} cannot be ${verbs[repair]}: ${why}.`, { headers, reason });
}

export function checkState(repair: Repair, gift: Gift): void {
  const why = whyNot(repair, gift.state);
  if (why !== undefined) refuseRepair(repair, gift, why, reasonOf(gift.state));
}

/** The reason for which the state of a gift forbids a repair; null if it allows it. */
export function stateRefusal(repair: Repair, { state }: Pick<Gift, 'state'>): RepairReason | null {
  return whyNot(repair, state) === undefined ? null : reasonOf(state);
}

function whyNot(repair: Repair, state: GiftState): string | undefined {
  return (refusals[repair] as Partial<Record<GiftState, string>>)[state];
}

function reasonOf(state: GiftState): RepairReason {
  if (state === 'PARTLY_REDEEMED') return 'CLAIMED';
  return state === 'ISSUED' ? 'OTHER' : state;
}

export async function findGift(on: Queryable, workspaceId: number, id: number): Promise<Gift> {
  const [gift] = await readGiftsById(on, workspaceId, [id]);
  if (!gift) throw noGift();
  return gift;
}

export function noGift(): Failure {
  return new Failure('missing', 'There is no gift with this id in this workspace.');
}

export async function cancelGift(tx: Queryable, gift: Gift, by: Actor): Promise<void> {
  await moveGifts(tx, gift.workspaceId, [{ type: 'CANCELLED', gift, by }]);
}

/**
 * Gives a gift new tokens. The earlier ones end with the commit, on every node: each look-up of a token compares it with the stored
 * hash. `noted` is kept in the gift's log. Returns the gift in its new edition.
 */
export async function reissueGift(
  tx: Queryable,
  keys: GiftTokenKeys,
  gift: Gift,
  by: Actor,
  noted: Readonly<Record<string, unknown>> = {},
): Promise<Gift> {
  const { edition } = await queryOne<{ edition: number }>(
    tx,
    `select greatest($1::int, ${slowHistoryBase}) + 1 as edition`,
    [gift.edition],
  );
  const reissued = { ...gift, edition, tokenVersion: currentTokenVersion };
  const hash = shortTokenHash(keys, reissued).toString();
  const detail = { ...noted, edition, shortTokenHash: hash };
  await moveGifts(tx, gift.workspaceId, [{ type: 'REISSUED', gift, by, detail, data: { edition } }]);
  return reissued;
}

/**
 * Lets a gift be claimed until the end of a day, or removes its expiry date. The recipient was told until when it can be claimed, so that day is
 * moved only to a later one. Returns the gift as it is then, or null if nothing changed.
 */
export async function extendGift(tx: Queryable, gift: Gift, expiresOn: string | null, by: Actor): Promise<Gift | null> {
  const expiresAt = expiresOn === null ? null : await readEnd(tx, gift.workspaceId, expiresOn);
  if (expiresAt?.getTime() === gift.expiresAt?.getTime()) return null;
  if (gift.expiresAt === null) refuseRepair('extend', gift, 'it has no expiry date already', 'EXPIRES_LATER');
  if (expiresAt !== null && expiresAt < gift.expiresAt)
    refuseRepair(
      'extend',
      gift,
      'it can be claimed for longer already, and its recipient was told so',
      'EXPIRES_LATER',
    );
  const data = { expiresAt: expiresAt === null ? null : expiresAt.toISOString() };
  await moveGifts(tx, gift.workspaceId, [{ type: 'EXTENDED', gift, by, detail: data, data }]);
  return { ...gift, expiresAt };
}

/** The end of the last day on which a gift can be claimed. The caller holds the workspace's lock. */
export async function readEnd(tx: Queryable, workspaceId: number, day: string): Promise<Date> {
  const { end, isPast, isFar } = await queryOne<{ end: Date; isPast: boolean; isFar: boolean }>(tx, endSql, [
    workspaceId,
    day,
  ]);
  if (isPast) throw invalid([{ path: 'expiresOn', problem: "must be today or later, in the workspace's time zone" }]);
  if (isFar) throw invalid([{ path: 'expiresOn', problem: 'must be within ten years; null means no expiry date' }]);
  return end;
}

const endSql = `
  select ending.at as "end",
         ending.at <= ${timeOf('a')} as "isPast",
         ending.at > ${timeOf('a')} + interval '10 years' as "isFar"
    from workspaces w
    join activity_counters a on a.workspace_id = w.id
   cross join lateral (select ${endOfDay('$2::date', 'w.time_zone')} as at) ending
   where w.id = $1`;
