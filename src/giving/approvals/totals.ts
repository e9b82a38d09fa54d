import type { RecipientPerson } from '../../company/directory/recipient-rules.ts';
import type { RuleCondition } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { sumOf } from '../../ground/values/money.ts';
import type { AcceptedOrder } from '../orders/order-steps.ts';
import { type RecipientYear, readRecipientYear } from '../orders/recipient-year.ts';
import { noteJudged } from './count-months.ts';
import type { OrderTotals } from './fits.ts';
import { readSenderMonths } from './sender-months.ts';

/** The totals that rules measure, while the orders of a batch are judged one after the other. */
export interface Totals {
  /** What the totals would be with this order. */
  with(order: AcceptedOrder): OrderTotals;
  /** Counts an order that is not rejected, for the ones after it. */
  add(order: AcceptedOrder): void;
}

/** Reads the totals that the rules about these orders measure. Without such a rule it reads nothing. */
export async function openTotals(
  tx: Queryable,
  rules: readonly RuleCondition[],
  orders: readonly AcceptedOrder[],
  locks: boolean,
): Promise<Totals> {
  const measuredBy = (measure: string) => {
    const currencies = new Set(rules.flatMap((rule) => (rule.measure === measure ? rule.currency : [])));
    return orders.filter(({ order }) => currencies.has(order.currency));
  };
  const months = await openMonths(tx, measuredBy('SENDER_MONTH'), locks);
  const years = await openYears(tx, measuredBy('RECIPIENT_YEAR'), locks);
  return {
    with: (order) => ({ ...months.with(order), ...years.with(order) }),
    add(order) {
      months.add(order);
      years.add(order);
    },
  };
}

const nothing: Totals = { with: () => ({}), add() {} };

async function openMonths(tx: Queryable, orders: readonly AcceptedOrder[], locks: boolean): Promise<Totals> {
  if (orders.length === 0) return nothing;
  const found = await readSenderMonths(tx, orders, locks);
  if (locks)
    noteJudged(
      tx,
      orders.map(({ requestId }, nth) => [requestId, found[nth]?.total ?? 0] as const),
    );
  const keys = new Map<string, string>();
  const totals = new Map<string, number>();
  for (const [nth, { requestId, workspaceId, order }] of orders.entries()) {
    const { senderId = 0, total = 0 } = found[nth] ?? {};
    const key = `${workspaceId} ${senderId} ${order.currency}`;
    keys.set(requestId, key);
    totals.set(key, total);
  }
  const reached = ({ requestId, order }: AcceptedOrder) =>
    sumOf([totals.get(keys.get(requestId) as string) ?? 0, ...order.orderItems.map(({ amount }) => amount)]);
  return {
    with: (order) => (keys.has(order.requestId) ? { SENDER_MONTH: reached(order) } : {}),
    add(order) {
      const key = keys.get(order.requestId);
      if (key !== undefined) totals.set(key, reached(order));
    },
  };
}

// Away from the numbers of other advisory locks. Not the one of the yearly limit, which is taken after the budgets.
const yearLocks = 0x75_00_00_00_00_00;

async function openYears(tx: Queryable, orders: readonly AcceptedOrder[], locks: boolean): Promise<Totals> {
  const years = new Map<number, RecipientYear>();
  const workspaces = [...Map.groupBy(orders, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => a - b);
  for (const [workspaceId, some] of workspaces) {
    if (locks) await tx.query('select pg_advisory_xact_lock($1::bigint)', [yearLocks + workspaceId]);
    years.set(workspaceId, await readRecipientYear(tx, workspaceId, some));
  }
  const measured = new Set(orders.map(({ requestId }) => requestId));
  const added = new Map<string, Map<RecipientPerson, number>>();
  /** What each recipient of the order gets with it and with those of the batch before. */
  const reached = ({ workspaceId, requestId, order: { currency, orderItems } }: AcceptedOrder) => {
    const people = years.get(workspaceId)?.recipients.get(requestId) ?? [];
    const sums = new Map(added.get(currency));
    for (const [at, person] of people.entries())
      sums.set(person, sumOf([sums.get(person) ?? 0, orderItems[at]?.amount ?? 0]));
    return { people, sums };
  };
  return {
    with(order) {
      if (!measured.has(order.requestId)) return {};
      const { people, sums } = reached(order);
      const { currency } = order.order;
      const year = years.get(order.workspaceId);
      const all = people.map((person) => sumOf([year?.totalOf(person, currency) ?? 0, sums.get(person) ?? 0]));
      return { RECIPIENT_YEAR: Math.max(0, ...all) };
    },
    add(order) {
      if (measured.has(order.requestId)) added.set(order.order.currency, reached(order).sums);
    },
  };
}
