import { appendEvents } from '../../company/events/log.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import { byOf, type Move, moveGifts } from '../../giving/gifts/moves.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { RedemptionState } from '../../ground/contract/redemption.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { SpendingOptionKind } from '../../ground/values/spending-kinds.ts';
import { noRedemption, redemptionTables } from './read.ts';
import { redemptionRecord } from './sealed.ts';

/** What can become of a redemption later, and in which state it must be for that. */
const endings = {
  /** The people team has fulfilled the request. */
  DONE: 'REQUESTED',
  /** The people team has declined the request. */
  DECLINED: 'REQUESTED',
  REVERSED: 'DONE',
} as const satisfies Partial<Record<RedemptionState, RedemptionState>>;
type Ending = keyof typeof endings;

/** What else is kept about an ending, for instance `note`: what recipients read. Never a code or a token. */
type EndingDetail = Record<string, unknown>;

/** Fulfils what recipients asked for. The caller holds the workspace's lock. One that is fulfilled already stays as it is. */
export const fulfil = endBy('DONE');
/** Declines what recipients asked for: the gifts have the amounts back. The caller holds the workspace's lock. */
export const decline = endBy('DECLINED');
/** Reverses redemptions: the gifts have the amounts back. The caller holds the workspace's lock, and knows that the spending option allows it. */
export const reverse = endBy('REVERSED');

/** Gives redemptions an ending. Those that have it already stay as they are. Returns the ids of the others. */
function endBy(ending: Ending) {
  return (tx: Queryable, actor: Actor, workspaceId: number, ids: readonly number[], detail: EndingDetail = {}) =>
    finish(tx, actor, workspaceId, ids, ending, detail);
}

async function finish(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  ids: readonly number[],
  ending: Ending,
  detail: EndingDetail,
): Promise<number[]> {
  const rows = await lockRows(tx, workspaceId, ids);
  if (rows.length < new Set(ids).size) throw noRedemption();
  const changing = rows.filter(({ state }) => state !== ending);
  const refused = changing.find(({ state }) => state !== endings[ending]);
  if (refused)
    throw new Failure('conflict', `Redemption ${refused.redemptionId} is ${refused.state}: ${nowNot[ending]}.`);
  if (changing.length === 0) return [];
  const changed = changing.map(({ redemptionId }) => redemptionId);
  await tx.query(finishSql, [
    workspaceId,
    changed,
    ending,
    momentOf(tx, workspaceId),
    JSON.stringify(detail),
    JSON.stringify(actor),
  ]);
  if (ending === 'DONE') await seal(tx, workspaceId, { record: redemptionRecord, keys: changed });
  if (ending !== 'DONE') await giveBack(tx, actor, workspaceId, changing);
  await announce(tx, actor, workspaceId, ending, changing);
  return changed;
}

const nowNot: Record<Ending, string> = {
  DONE: 'only what is REQUESTED can be fulfilled',
  DECLINED: 'only what is REQUESTED can be declined',
  REVERSED: 'only what is DONE can be reversed',
};

interface Row {
  redemptionId: number;
  spendingId: number | null;
  state: RedemptionState;
  kind: SpendingOptionKind;
  spendingOption: string;
  amount: number;
  currency: string;
  giftId: number;
  requestId: string;
  position: number;
  memberId: number;
}

function lockRows(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<Row[]> {
  return tx.query<Row>(
    `select d.id as "redemptionId", d.spending_id as "spendingId", d.state, d.kind, d.spending_option as "spendingOption", d.amount, r.currency, c.id as "giftId", d.request_id as "requestId",
            d.position, m.id as "memberId"
       from redemptions d
       ${redemptionTables}
      where d.workspace_id = $1
        and d.id = any($2::bigint[])
      order by d.id
        for update of d`,
    [workspaceId, ids],
  );
}

const finishSql = `
  update redemptions
     set state       = $3,
         finished_at = $4::timestamptz,
         detail      = detail || $5::jsonb,
         finished_by = $6
   where workspace_id = $1
     and id = any($2::bigint[])`;

async function giveBack(tx: Queryable, by: Actor, workspaceId: number, rows: readonly Row[]): Promise<void> {
  for (const round of rounds(rows)) {
    const moves = round.map((row): Move => {
      const { giftId: id, requestId, position, memberId } = row;
      const data = dataOf(row);
      const seals = { record: redemptionRecord, keys: [row.redemptionId] };
      return { type: 'REVERSED', gift: { id, requestId, position, memberId }, by, detail: data, data, seals };
    });
    const moved = await moveGifts(tx, workspaceId, moves);
    if (moved.length < moves.length) throw new Error('a redemption was not given back: its gift does not have it');
  }
}

/** A statement changes a gift once, so several redemptions of one gift are given back one after the other. */
function rounds(rows: readonly Row[]): Row[][] {
  const byGift = [...Map.groupBy(rows, ({ giftId }) => giftId).values()];
  const count = Math.max(...byGift.map(({ length }) => length));
  return Array.from({ length: count }, (_, nth) => byGift.flatMap((some) => some.slice(nth, nth + 1)));
}

function dataOf({ redemptionId, spendingId, kind, spendingOption, amount, currency }: Row) {
  return { redemptionId, ...(spendingId !== null && { spendingId }), kind, spendingOption, amount, currency };
}

async function announce(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  ending: Ending,
  rows: readonly Row[],
): Promise<void> {
  if (ending === 'REVERSED') return;
  const type = ending === 'DONE' ? 'redemption.fulfilled' : 'redemption.declined';
  const events = rows.map((row): NewEvent => {
    const { giftId, requestId, memberId } = row;
    return { type, data: { giftId, requestId, memberId, ...dataOf(row), ...byOf(actor) } };
  });
  await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), events);
}
