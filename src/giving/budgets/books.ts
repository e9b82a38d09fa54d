import { seal } from '../../company/workspaces/seals.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { accountsOf, type EntryType } from './entry.ts';
import { lapseFirst } from './lapse-before.ts';
import { type Line, type Posting, post } from './post.ts';
import { budgetRecord } from './sealed.ts';
import { changesShares, moveShares } from './shares.ts';

interface OrderBook {
  requestId: string;
  currency: string;
  budgetId: number | null;
  isUnlimited: boolean;
  /** Whether the order counts in the share of its sender. */
  isShared: boolean;
  /** Whether a period of the budget has ended that has not lapsed. */
  isDue: boolean;
}

/**
 * Posts entries of one type about orders or their gifts, one for each book that they draw on. What is due of a budget lapses before
 * its available money moves. The caller holds the workspace's lock. Returns the ids of the budgets whose balances moved.
 */
export async function postLines(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  type: EntryType,
  lines: readonly Line[],
  detailOf: (lines: readonly Line[]) => Record<string, unknown> = () => ({}),
): Promise<number[]> {
  if (lines.length === 0) return [];
  const books = await findBooks(
    tx,
    workspaceId,
    moment,
    new Map(lines.map(({ requestId, currency }) => [requestId, currency])),
  );
  const bookOf = ({ requestId }: Line) => books.get(requestId) as OrderBook;
  const postings = [...Map.groupBy(lines, (line) => bookOf(line).budgetId as number)].map(
    ([budgetId, some]): Posting => {
      const { isUnlimited } = bookOf(some[0] as Line);
      return { budgetId, isUnlimited, type, lines: some, detail: detailOf(some) };
    },
  );
  if (accountsOf(type, false).includes('available') && [...books.values()].some(({ isDue }) => isDue))
    await lapseFirst(
      tx,
      workspaceId,
      postings.map(({ budgetId }) => budgetId),
    );
  await post(tx, workspaceId, moment, postings);
  const shared = lines.filter((line) => bookOf(line).isShared);
  if (shared.length > 0 && changesShares(type)) await moveShares(tx, workspaceId, type, shared);
  return postings.filter(({ isUnlimited }) => !isUnlimited).map(({ budgetId }) => budgetId);
}

/** The book of each order: its budget's, else the one of its currency without a limit, which is opened where it is missing. */
async function findBooks(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  currencyOf: ReadonlyMap<string, string>,
): Promise<Map<string, OrderBook>> {
  const found = await tx.query<OrderBook>(booksSql, [
    workspaceId,
    [...currencyOf.keys()],
    [...currencyOf.values()],
    moment,
  ]);
  const missing = [...new Set(found.filter(({ budgetId }) => budgetId === null).map(({ currency }) => currency))];
  const opened = new Map(await openUnlimited(tx, workspaceId, missing));
  return new Map(
    found.map((book) => [
      book.requestId,
      { ...book, budgetId: book.budgetId ?? (opened.get(book.currency) as number) },
    ]),
  );
}

const booksSql = `
  select asked.request_id as "requestId", asked.currency, coalesce(o.budget_id, u.id) as "budgetId", o.budget_id is null as "isUnlimited",
         o.share_member_id is not null as "isShared", due.id is not null as "isDue"
    from unnest($2::uuid[], $3::text[]) as asked (request_id, currency)
    left join order_budgets o on o.workspace_id = $1 and o.request_id = asked.request_id
    left join budgets u       on u.workspace_id = $1 and u.currency = asked.currency and u.kind = 'UNLIMITED'
    left join budgets due     on due.workspace_id = $1 and due.id = o.budget_id and due.lapses_at <= $4::timestamptz`;

async function openUnlimited(
  tx: Queryable,
  workspaceId: number,
  currencies: readonly string[],
): Promise<[string, number][]> {
  if (currencies.length === 0) return [];
  const ids = await takeFromSequence(tx, 'budget_ids', currencies.length);
  await tx.query(
    `insert into budgets (workspace_id, id, kind, currency)
     select $1, id, 'UNLIMITED', currency from unnest($2::bigint[], $3::text[]) as book (id, currency)`,
    [workspaceId, ids, currencies],
  );
  await seal(tx, workspaceId, { record: budgetRecord, keys: ids });
  return currencies.map((currency, nth) => [currency, ids[nth] as number]);
}
