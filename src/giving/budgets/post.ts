import { accounts } from '../../ground/contract/ledger-entry.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { accountsOf, changeBetween, changeOf, type EntryType, entryHash, type LedgerAccount } from './entry.ts';

/** An order, or one gift of it, with what it costs. */
export interface Line {
  requestId: string;
  /** Absent: the whole order. */
  position?: number;
  amount: number;
  currency: string;
  /** The redemption that it is about, if it is about one. */
  redemptionId?: number;
}

/** An entry to post. Its amount is that of its lines if it has any. */
export interface Posting {
  budgetId: number;
  isUnlimited: boolean;
  type: EntryType;
  amount?: number;
  lines?: readonly Line[];
  detail?: Record<string, unknown>;
  idempotencyKey?: string | null;
}

/** A book after an entry was posted. */
export interface Moved {
  budgetId: number;
  number: number;
}

/**
 * Posts entries of one workspace, at most one for each book: moves the balances, appends to the chains. Everything that changes
 * a balance does it here or with `posting`, the same as part of another statement. Locks the books in the sequence of their ids.
 */
export async function post(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  postings: readonly Posting[],
): Promise<Moved[]> {
  if (postings.length === 0) return [];
  const lines = postings.flatMap(({ lines = [] }, nth) => lines.map((line) => ({ ...line, nth: nth + 1 })));
  const moves = postings.map(({ type, isUnlimited }) => accountsOf(type, isUnlimited));
  return tx.query<Moved>(postSql, [
    workspaceId,
    moment,
    postings.map(({ budgetId }) => budgetId),
    postings.map(({ type }) => type),
    moves.map(([source]) => source),
    moves.map(([, target]) => target),
    postings.map(({ amount }) => amount ?? null),
    postings.map(({ detail = {} }) => JSON.stringify(detail)),
    postings.map(({ idempotencyKey }) => idempotencyKey ?? null),
    lines.map(({ nth }) => nth),
    lines.map(({ requestId }) => requestId),
    lines.map(({ position }) => position ?? null),
    lines.map(({ amount }) => amount),
  ]);
}

/**
 * The CTEs that post entries: `moved` and `posted`. They read the rows of `postings`, another CTE: workspace_id, budget_id, type,
 * source, target, amount, largest_gift, at, requests, positions, amounts, detail and idempotency_key, sorted by book. `between`: source
 * and target, where they are the same for all rows.
 *
 * The balances are moved relative to the row as it is when this statement has locked it, and so are number and hash: two nodes
 * that post to one book wait for each other, and neither is lost.
 */
export function posting(postings: string, workspace: string, between: readonly LedgerAccount[] | null = null): string {
  return `moved as (
    update budgets b
       set ${between ? movedBetween(between) : movedAnywhere},
           largest_gift = p.largest_gift,
           latest       = ${nextNumber},
           latest_at    = ${entryAt},
           previous     = b.head,
           head         = ${newHash}
      from ${postings} p
     where b.workspace_id = ${workspace}
       and b.id = p.budget_id
    returning b.workspace_id, b.id as budget_id, b.latest as number, b.latest_at as at, b.previous, b.head as hash,
              p.type, p.source, p.target, p.amount, p.requests, p.positions, p.amounts, p.detail, p.idempotency_key
  ),
  posted as (
    insert into ledger_entries (workspace_id, budget_id, number, at, previous, hash, type, source, target, amount,
                                requests, positions, amounts, detail, idempotency_key)
    select workspace_id, budget_id, number, at, previous, hash, type, source, target, amount,
           requests, positions, amounts, detail, idempotency_key
      from moved
  )`;
}

/** The times of a book's entries never go back, also if the clock does. */
const entryAt = 'greatest(b.latest_at, p.at)';

/** Without a gap within a history. */
const nextNumber = `(greatest(b.latest, ${historyBase}) + 1)`;

const newHash = entryHash({
  previous: 'b.head',
  workspaceId: 'b.workspace_id',
  budgetId: 'b.id',
  currency: 'b.currency',
  number: nextNumber,
  at: entryAt,
  type: 'p.type',
  source: 'p.source',
  target: 'p.target',
  amount: 'p.amount',
  requests: 'p.requests',
  positions: 'p.positions',
  amounts: 'p.amounts',
  detail: 'p.detail',
});

const movedAnywhere = accounts
  .map((account) => `${account} = b.${account} + ${changeOf(account, 'p')}`)
  .join(',\n           ');

/** The same for two accounts that are known before. */
function movedBetween(between: readonly LedgerAccount[]): string {
  return between.map((account) => `${account} = b.${account} + ${changeBetween(account, between, 'p')}`).join(', ');
}

const postSql = `
  with lines as (
    select nth,
           sum(amount)                                                         as amount,
           array_agg(request_id order by ordinality)                           as requests,
           array_remove(array_agg(position order by ordinality), null)         as positions,
           array_agg(amount::numeric(20, 4) order by ordinality)::numeric(20, 4)[] as amounts
      from unnest($10::int[], $11::uuid[], $12::int[], $13::numeric[]) with ordinality
             as line (nth, request_id, position, amount, ordinality)
     group by nth
  ),
  postings as (
    select $1::bigint as workspace_id, given.budget_id, given.type, given.source, given.target,
           coalesce(given.amount, l.amount)::numeric(20, 4) as amount,
           null::numeric as largest_gift,
           $2::timestamptz as at,
           coalesce(l.requests, '{}') as requests,
           coalesce(l.positions, '{}') as positions,
           coalesce(l.amounts, '{}') as amounts,
           given.detail::json as detail,
           given.idempotency_key
      from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::text[], $9::text[]) with ordinality
             as given (budget_id, type, source, target, amount, detail, idempotency_key, nth)
      left join lines l on l.nth = given.nth
     order by given.budget_id
  ),
  ${posting('postings', '$1::bigint')}
  select budget_id as "budgetId", number from moved`;
