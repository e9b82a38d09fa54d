import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { refusals } from '../../company/directory/recipient-rules.ts';
import { namedHasLeft } from '../../company/directory/who.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { isLocked } from '../../ground/database/errors.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { type Failure, invalid, isUnavailable, unavailable } from '../../ground/errors.ts';
import { holdOrders } from './held.ts';
import { giftCount } from './order-body.ts';
import type { AcceptedOrder, AcceptStep, HeldOrder, Hold } from './order-steps.ts';
import { queueSql } from './queue.ts';
import { isTooMuchAhead } from './recipient-year.ts';
import { repeatAfterSteps } from './repeat.ts';
import { siftOrders } from './sift.ts';
import { concerns, type StoreMode } from './store-modes.ts';

/** An order to store. */
export interface Entry extends AcceptedOrder {
  workspace: WorkspaceGrant;
  /** The row as JSON text. All rows of a batch are one parameter of the statement. */
  row: string;
}

/** What became of each order, by requestId: null if it is stored, else why it is not. Absent if its idempotency key is taken. */
export type Stored = ReadonlyMap<string, Failure | null>;

/**
 * Stores orders and adds their wake-up. If they need a transaction, or another one has locked what an order needs, a budget or an idempotency key, the
 * orders are stored each workspace apart: those of the workspace that cannot be stored are refused, and the others are not held up.
 */
export async function storeOrders(
  database: Database,
  steps: readonly AcceptStep[],
  entries: readonly Entry[],
  mode: StoreMode,
  onJudged: OnJudged = () => {},
): Promise<Stored> {
  const store: Store = (some) => storeTogether(database, steps, some, mode, onJudged);
  const workspaces = [...Map.groupBy(entries, ({ workspaceId }) => workspaceId).values()];
  const apart = () => storeApart(store, workspaces, atOnce);
  if (workspaces.length > 1 && mode === 'transaction') return apart();
  try {
    return await store(entries);
  } catch (error) {
    if (workspaces.length > 1 && (error instanceof Refused || isLocked(error) || isTooMuchAhead(error))) return apart();
    if (!isLocked(error) && !isTooMuchAhead(error)) throw error;
    return refusedAs(entries, error);
  }
}

type Store = (entries: readonly Entry[]) => Promise<Stored>;

/** A step has to refuse an order of a statement that has several workspaces: the transaction that finds out which is about one. */
class Refused extends Error {}

/** Told of orders that could not be stored by a statement because they had to be judged. */
type OnJudged = (entries: readonly Entry[]) => void;

/** The number of workspaces stored at the same time: a locked one takes half a second, and the others should not wait for it. */
const atOnce = 4;

/**
 * Stores groups of orders, each on its own. If an order of a group fails, its orders are stored one by one. Never throws: other orders
 * are committed, and their callers must get their 201.
 */
async function storeApart(store: Store, groups: readonly (readonly Entry[])[], most: number): Promise<Stored> {
  const stored = await inTurns(groups, most, (some) =>
    store(some).catch((error) => {
      if (isUnavailable(error)) return refusedAs(some, error);
      if (some.length === 1) return refusedAs(some, unavailable(error));
      const single = some.map((one) => [one]);
      return storeApart(store, single, 1);
    }),
  );
  return new Map(stored.flatMap((one) => [...one]));
}

function refusedAs(entries: readonly Entry[], failure: Failure): Stored {
  return new Map(entries.map(({ requestId }) => [requestId, failure]));
}

async function inTurns<In, Out>(items: readonly In[], most: number, work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const waiting = [...items];
  const workInTurn = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await work(next));
  };
  await Promise.all(Array.from({ length: most }, workInTurn));
  return results;
}

/**
 * Where the steps that concern these orders can be part of a statement, or there are none, this is one statement, committed at once: a
 * transaction would keep its connection for several round trips. If a step has to refuse an order, the statement fails as a whole. Then
 * a transaction finds out which order that is.
 */
async function storeTogether(
  database: Database,
  steps: readonly AcceptStep[],
  entries: readonly Entry[],
  mode: StoreMode,
  onJudged: OnJudged,
): Promise<Stored> {
  const concerned = steps.filter((step) => entries.some((entry) => concerns(step, entry)));
  if (mode !== 'transaction') {
    try {
      const values = concerned.map(({ inStatement }) => inStatement?.valueOf(entries));
      return storedOf(
        entries,
        await database.query<StoredRow>(storeAndQueueSql(concerned), [rowsOf(entries), ...values]),
      );
    } catch (error) {
      const refusing = concerned.find(({ inStatement }) => inStatement?.isRefusal(error));
      if (!refusing) throw error;
      if (entries.some(({ workspaceId }) => workspaceId !== entries[0]?.workspaceId)) throw new Refused();
      if (refusing.judge) onJudged(entries.filter((entry) => concerns(refusing, entry)));
    }
  }
  return repeatAfterSteps(database, concerned, entries, () =>
    database.transaction((tx) => storeWithSteps(tx, concerned, entries)),
  );
}

/**
 * The orders are inserted before the steps see them: the insert finds out which idempotency keys are taken, and waits for
 * another node that stores the same key. Orders that a step rejects are deleted again in the same transaction, so no one sees them.
 */
export async function storeWithSteps(
  tx: Queryable,
  steps: readonly AcceptStep[],
  entries: readonly Entry[],
): Promise<Stored> {
  const workspaceId = workspaceOf(entries);
  const stored = new Map(storedOf(entries, await tx.query<StoredRow>(storeSql, [rowsOf(entries), workspaceId])));
  const inserted = entries.filter(({ requestId }) => stored.get(requestId) === null);
  const { refused, holds } = await siftOrders(tx, steps, inserted);
  for (const [requestId, failure] of refused) stored.set(requestId, failure);
  if (refused.size > 0) await tx.query(removeSql, [workspaceId, [...refused.keys()]]);
  const accepted = inserted.filter(({ requestId }) => !refused.has(requestId));
  if (accepted.length === 0) return stored;
  for (const step of steps) {
    const orders = accepted.filter((entry) => concerns(step, entry));
    if (orders.length > 0) await step.inTransaction?.(tx, orders);
  }
  await queueOrHold(tx, steps, accepted, holds);
  return stored;
}

/** Lists orders as pending, except those that wait for a decision. */
export async function queueOrHold(
  tx: Queryable,
  steps: readonly AcceptStep[],
  orders: readonly AcceptedOrder[],
  holds: ReadonlyMap<string, Hold>,
): Promise<void> {
  const held = orders.flatMap((order): HeldOrder[] => {
    const hold = holds.get(order.requestId);
    return hold ? [{ ...order, hold }] : [];
  });
  if (held.length > 0) {
    await holdOrders(tx, held);
    for (const step of steps) await step.hold?.(tx, held);
  }
  const free = orders.filter(({ requestId }) => !holds.has(requestId));
  if (free.length > 0) await queueOrders(tx, free);
}

/** Lists stored orders as pending, and wakes the workers. */
async function queueOrders(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<void> {
  const gifts = orders.map(({ order }) => order.orderItems.length);
  await tx.query(queueStoredSql, [workspaceOf(orders), orders.map(({ requestId }) => requestId), gifts]);
}

/** Stores one order that nothing refuses, given as its row, and does not queue it. */
export async function storeRow(tx: Queryable, workspaceId: number, row: object): Promise<void> {
  await tx.query(storeSql, [JSON.stringify([row]), workspaceId]);
}

export async function removeRow(tx: Queryable, workspaceId: number, requestId: string): Promise<void> {
  await tx.query(removeSql, [workspaceId, [requestId]]);
}

interface StoredRow {
  requestId: string;
  /** The positions of recipients who have left, if the order is refused for that. */
  leavers: number[] | null;
}

function storedOf(entries: readonly Entry[], rows: readonly StoredRow[]): Stored {
  return new Map(rows.map(({ requestId, leavers }) => [requestId, leavers && haveLeft(entries, requestId, leavers)]));
}

function haveLeft(entries: readonly Entry[], id: string, positions: number[]): Failure {
  const entry = entries.find(({ requestId }) => requestId === id);
  const problem = refusals.hasLeft('gifts', entry?.workspace.onlyReportsOf ?? null);
  return invalid(positions.sort((a, b) => a - b).map((at) => ({ path: `orderItems[${at}].recipient`, problem })));
}

function rowsOf(entries: readonly Entry[]): string {
  return `[${entries.map(({ row }) => row).join(',')}]`;
}

// Nothing joins `accepted` with `incoming`: without hash joins, which this pool does not use, that takes as long as the square of the orders.
// Rows go in sorted by key, so that two batches with the same keys wait for each other and never deadlock.
const storing = (workspace: string) => `
  incoming as (
    select *
      from rows from (jsonb_to_recordset($1::jsonb) as (
             workspace_id bigint, request_id uuid, token_id bigint, sender_id bigint, sender_name text,
             customer_request_id text, idempotency_key text, currency text, language text,
             body jsonb, may_have_left boolean, traceparent text, caller_role text, named_budget_id bigint,
             occasion text)) with ordinality as incoming
  ),
  left_already as (
    select i.request_id, array_agg(item.ordinality - 1)::int[] as positions
      from incoming i
     cross join jsonb_array_elements(i.body -> 'orderItems') with ordinality as item
     cross join lateral (select item.value #>> '{recipient,email}', item.value #>> '{recipient,employeeNumber}')
                as r (email, employee_number)
     where not i.may_have_left
       and ${namedHasLeft(workspace, 'r.email', 'r.employee_number')}
     group by i.request_id
  ),
  accepted as (
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name,
                                customer_request_id, idempotency_key, currency, language, body, traceparent, caller_role, named_budget_id,
                                occasion)
    select workspace_id, request_id, token_id, sender_id, sender_name,
           customer_request_id, idempotency_key, currency, language, body, traceparent, caller_role, named_budget_id, occasion
      from incoming
     where request_id not in (select request_id from left_already)
     order by workspace_id, idempotency_key
    on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing
    returning workspace_id, request_id, sender_id, currency, named_budget_id, ${giftCount('body')} as gifts
  )`;

const storeSql = `
  with ${storing('$2::bigint')}
  select request_id as "requestId", null as leavers from accepted
   union all
  select request_id, positions from left_already`;

/**
 * Orders are numbered as pending in the sequence in which they arrived. It is found in an array: a join would compare every order with
 * all others of the batch, row by row, and took a tenth of PostgreSQL's time for an order.
 */
const storeAndQueueSql = (steps: readonly AcceptStep[]) => `
  with ${storing('i.workspace_id')},
  arrived as (
    select *, array_position((select array_agg(request_id order by ordinality) from incoming), request_id) as nth from accepted
  ),
  ${steps.map(({ inStatement }, nth) => `${inStatement?.sql('arrived', `$${nth + 2}`)},`).join('')}
  ${queueSql('select workspace_id, request_id, gifts from arrived order by nth')}
  select request_id as "requestId", null as leavers, (select count(*) from wake_up) as "wakeUps" from accepted
   union all
  select request_id, positions, 0 from left_already`;

const queueStoredSql = `
  with ${queueSql(`
    select $1::bigint, request_id, gifts
      from unnest($2::uuid[], $3::int[]) with ordinality as a (request_id, gifts, nth)
     order by nth`)}
  select from wake_up`;

const removeSql = `
  delete from order_requests
   where workspace_id = $1
     and request_id = any($2::uuid[])`;
