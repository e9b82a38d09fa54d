import type { Database, Queryable } from '../../ground/database/database.ts';
import { violates } from '../../ground/database/errors.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText, inUnits, sumOf, unitsOfOne } from '../../ground/values/money.ts';
import { accountsOf } from './entry.ts';
import { lapseBefore } from './lapse-before.ts';
import { posting } from './post.ts';
import { type BudgetOwner, namedBudgets, ofWhom, ownerName, sendersOf, shareLeft } from './senders.ts';
import { sharing } from './shares.ts';

/** An order that may draw on a budget. */
export interface Draw {
  workspaceId: number;
  requestId: string;
  senderId: number;
  /** The budget that the order names. */
  budgetId?: number | null;
  order: { currency: string; orderItems: readonly { amount: number }[] };
}

/**
 * The CTEs that reserve what orders cost. `orders` is a CTE with the columns workspace_id, request_id, sender_id, currency, named_budget_id and nth, `costs`
 * the parameter with what `costsOf` returns, in which an order is the nth. If an order does not fit, a constraint of `budgets` lets
 * the whole statement fail (`isOverBudget`). Orders of senders without a budget are left alone.
 *
 * The program adds the gifts up, and the budgets of senders are found before the orders are joined with them: PostgreSQL prepares
 * every expression again for each batch, and would look for the budget of each order.
 */
export function reserving(orders: string, costs: string, workspace: string | null = null): string {
  const cost = (column: 1 | 2) => `((${costs}::bigint[])[o.nth][${column}] * ${1 / unitsOfOne})`;
  return `senders as materialized (
    ${sendersOf(orders, workspace ?? 's.workspace_id')}
  ),
  draws as materialized (
    select s.workspace_id, o.request_id, s.budget_id, ${cost(1)}::numeric(20, 4) as amount, ${cost(2)} as largest_gift,
           s.share_member_id, s.share_month, s.month_cap
      from senders s
     cross join lateral (
       select request_id, nth
         from ${orders} o
        where o.workspace_id = s.workspace_id and o.sender_id = s.sender_id and o.currency = s.currency
          and o.named_budget_id is not distinct from s.named_budget_id
       offset 0) o
  ),
  drawn as (
    insert into order_budgets (workspace_id, request_id, budget_id, amount, share_member_id, share_month)
    select workspace_id, request_id, budget_id, amount, share_member_id, share_month from draws
  ),
  postings as (
    select workspace_id, budget_id, 'COMMITTED' as type, 'available' as source, 'committed' as target,
           sum(amount)                       as amount,
           max(largest_gift)                 as largest_gift,
           ${workspaceNow(workspace ?? 'draws.workspace_id')} as at,
           array_agg(request_id)             as requests,
           '{}'::int[]                       as positions,
           array_agg(amount)                 as amounts,
           '{}'::json                        as detail,
           null::text                        as idempotency_key
      from draws
     group by workspace_id, budget_id
     order by workspace_id, budget_id
  ),
  ${posting('postings', workspace ?? 'p.workspace_id', accountsOf('COMMITTED', false))},
  ${sharing('draws')}`;
}

/**
 * The time in a workspace, of its clock alone: the test clock may be ahead, and periods end by it. No `clock_timestamp()`, as in every statement that
 * changes rows.
 */
function workspaceNow(workspaceId: string): string {
  return `(now() + (select a.clock_ahead from activity_counters a where a.workspace_id = ${workspaceId}))`;
}

/** What each order costs, and its dearest gift, as an array of PostgreSQL. In whole units: it finds the nth of them at once. */
export function costsOf(draws: readonly Draw[]): string {
  return `{${draws.map(({ order }) => `{${costOf(order).map(inUnits).join()}}`).join()}}`;
}

function costOf({ orderItems }: Draw['order']): [total: number, largest: number] {
  const amounts = orderItems.map(({ amount }) => amount);
  return [sumOf(amounts), Math.max(...amounts)];
}

/** The constraints that an order violates if it does not fit into its budget, or if money of the budget should have lapsed before. */
const limits = ['budgets_available', 'budgets_gift_limit', 'budgets_period', 'budget_shares_cap'];

/** Whether a statement failed because an order may not fit into its budget. */
export function isOverBudget(error: unknown): boolean {
  return limits.some((constraint) => violates(error, constraint));
}

/** Money of a budget should have lapsed before an order draws on it. That needs the workspace's lock, which comes before all others. */
class PeriodEnded extends Error {}

/**
 * Lets a transaction that reserves be repeated: what is due lapses first. Between `refuseOverBudget` and `reserveOrders` a sender can also have got another
 * budget, of which only a constraint says that the order does not fit: the next time it is rejected with a 402.
 */
export async function recoverReserving(database: Database, draws: readonly Draw[], error: unknown): Promise<boolean> {
  if (!(error instanceof PeriodEnded) && !isOverBudget(error)) return false;
  await database.transaction((tx) => lapseBefore(tx, draws));
  return true;
}

/** Reserves what stored orders of a workspace cost. The caller has refused those that do not fit. */
export async function reserveOrders(tx: Queryable, draws: readonly Draw[]): Promise<void> {
  await tx.query(reserveSql, [
    workspaceOf(draws),
    draws.map(({ requestId }) => requestId),
    draws.map(({ senderId }) => senderId),
    draws.map(({ order }) => order.currency),
    namedBudgets(draws),
    costsOf(draws),
  ]);
}

/**
 * Says which orders of a workspace do not fit into their budgets, by requestId. Orders are taken in their sequence: one that fits is not refused
 * because of a later one. They need not be stored. Locks the budgets, so that what fits now can be reserved.
 */
export async function refuseOverBudget(tx: Queryable, draws: readonly Draw[]): Promise<ReadonlyMap<string, Failure>> {
  const costs = await readCosts(tx, draws);
  if (costs.some(({ isDue }) => isDue)) throw new PeriodEnded();
  const left = new Map(costs.map(({ budgetId, available }) => [budgetId, available]));
  const shares = new Map(costs.map((cost) => [shareOf(cost), cost.personLeft]));
  const refused = new Map<string, Failure>();
  for (const cost of costs) {
    const available = left.get(cost.budgetId) as number;
    const rest = sumOf([available, -cost.total]);
    const personLeft = shares.get(shareOf(cost)) ?? null;
    const isTooLarge = cost.giftLimit !== null && cost.largest > cost.giftLimit;
    if (cost.isClosed) refused.set(cost.requestId, closed(cost));
    else if (isTooLarge) refused.set(cost.requestId, overLimit(cost, cost.giftLimit as number));
    else if (rest < 0) refused.set(cost.requestId, overBudget(cost, available));
    else if (personLeft !== null && cost.total > personLeft) refused.set(cost.requestId, overShare(cost, personLeft));
    else {
      left.set(cost.budgetId, rest);
      if (personLeft !== null) shares.set(shareOf(cost), sumOf([personLeft, -cost.total]));
    }
  }
  return refused;
}

function shareOf({ budgetId, shareMemberId }: Cost): string {
  return `${budgetId} ${shareMemberId}`;
}

const reserveSql = `
  with sent as (
    select $1::bigint as workspace_id, o.*
      from unnest($2::uuid[], $3::bigint[], $4::text[], $5::bigint[]) with ordinality
             as o (request_id, sender_id, currency, named_budget_id, nth)
  ),
  ${reserving('sent', '$6', '$1::bigint')}
  select from moved`;

interface Book extends BudgetOwner {
  nth: number;
  budgetId: number;
  available: number;
  /** Only a budget that the order names can be closed. */
  isClosed: boolean;
  giftLimit: number | null;
  personCap: number | null;
  /** In whose share the order counts; null: the budget has no cap for each person. */
  shareMemberId: number | null;
  /** What this person may still draw this month. */
  personLeft: number | null;
  /** Whether a period of it has ended that has not lapsed. */
  isDue: boolean;
}

/** What an order costs, and the budget on which it draws. */
interface Cost extends Book {
  requestId: string;
  currency: string;
  total: number;
  largest: number;
}

/** Of the orders that draw on a budget, in their sequence. */
async function readCosts(tx: Queryable, draws: readonly Draw[]): Promise<Cost[]> {
  const asked = [
    workspaceOf(draws),
    draws.map(({ senderId }) => senderId),
    draws.map(({ order }) => order.currency),
    namedBudgets(draws),
  ];
  let books = await tx.query<Book>(booksSql, asked);
  // Shares are read again once the budgets are locked: orders of other nodes may have changed them meanwhile.
  if (books.some(({ shareMemberId }) => shareMemberId !== null)) books = await tx.query<Book>(booksSql, asked);
  return books
    .sort((a, b) => a.nth - b.nth)
    .map((book) => {
      const { requestId, order } = draws[book.nth - 1] as Draw;
      const [total, largest] = costOf(order);
      return { ...book, requestId, currency: order.currency, total, largest };
    });
}

const booksSql = `
  with sent as (
    select $1::bigint as workspace_id, o.*
      from unnest($2::bigint[], $3::text[], $4::bigint[]) with ordinality as o (sender_id, currency, named_budget_id, nth)
  ),
  senders as (
    ${sendersOf('sent', '$1::bigint')}
  )
  select o.nth, b.id as "budgetId", b.available, b.closed_at is not null as "isClosed", b.gift_limit as "giftLimit", b.kind, ${ownerName} as owner,
         b.person_cap as "personCap", s.share_member_id as "shareMemberId",
         case when s.month_cap is not null then ${shareLeft} end as "personLeft",
         b.lapses_at is not null and b.lapses_at <= ${workspaceNow('$1::bigint')} as "isDue"
    from sent o
    join senders s using (workspace_id, sender_id, currency)
    join budgets b on b.workspace_id = $1 and b.id = s.budget_id
   where s.named_budget_id is not distinct from o.named_budget_id
   order by b.id
     for update of b`;

/** What is wrong with a gift of an order that is over the limit for one gift. */
export function overGiftLimit(limit: number, currency: string): string {
  return `must be ${amountText(limit, currency)} or less, which is the limit of the budget for one gift`;
}

function closed(book: Cost): Failure {
  return overspent(
    `The order names ${ofWhom(book)}, which is closed`,
    'open the budget again, or have another one pay',
  );
}

function overBudget({ total, currency, ...book }: Cost, available: number): Failure {
  const left = amountText(available, currency);
  return overspent(
    `The order costs ${amountText(total, currency)}, and ${left} is left in ${ofWhom(book)}`,
    'send gifts for less, or have the budget raised and send the same request again',
  );
}

export function overLimit(
  { largest, currency, ...book }: Pick<Cost, 'largest' | 'currency' | 'kind' | 'owner'>,
  limit: number,
): Failure {
  return overspent(
    `A gift of ${amountText(largest, currency)} is over the limit of ${amountText(limit, currency)} for one gift in ${ofWhom(book)}`,
    'send it for less, or have the limit raised',
  );
}

function overShare({ total, currency, personCap, ...book }: Cost, left: number): Failure {
  return overspent(
    `The order costs ${amountText(total, currency)}, and the sender can draw ${amountText(left, currency)} more this month on ${ofWhom(book)}, which allows ${amountText(personCap ?? 0, currency)} for each person and month`,
    'send gifts for less, or have the cap raised',
  );
}

function overspent(problem: string, whatToDo: string): Failure {
  return new Failure('overBudget', `${problem}: ${whatToDo}.`, { problem });
}
