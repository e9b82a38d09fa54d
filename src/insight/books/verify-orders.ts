import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { LedgerFault, Within } from './checks.ts';
import { middleOfOrders, orderProblems, orderSums, ordersAgree, shares } from './order-checks.ts';
import { findProblems, ifReadable } from './readable.ts';
import type { Reading } from './snapshot.ts';

/** Readings that add the orders up, in two shares. Each returns a JSON array of sums. */
export async function sumOrders(tx: Queryable, workspaceId: number | null): Promise<Reading<string>[]> {
  const { middle } = await queryOne<{ middle: string }>(tx, middleOfOrders, [workspaceId], 'once');
  // Sums that cannot be read do not agree with anything, so that the orders are looked at one by one.
  const sums = (on: Queryable, share: Within) =>
    ifReadable(
      on,
      () => readSums(on, orderSums(share), [workspaceId, middle]),
      () => '[]',
    );
  return shares.map((share) => (on) => withoutLoops(on, () => sums(on, share)));
}

async function readSums(on: Queryable, sql: string, values: readonly unknown[]): Promise<string> {
  const { sums } = await queryOne<{ sums: string }>(on, sql, values, 'once');
  return sums;
}

/** Row by row, this join takes as long as the square of the orders. PostgreSQL could choose that while its statistics are old. */
async function withoutLoops<T>(on: Queryable, read: () => Promise<T>): Promise<T> {
  await on.query(`select set_config('enable_nestloop', 'off', true)`);
  const result = await read();
  await on.query(`select set_config('enable_nestloop', 'on', true)`);
  return result;
}

/** Compares the sums with the other tables. Only if they differ, it looks for the orders that cause it. */
export async function concludeOrders(
  tx: Queryable,
  workspaceId: number | null,
  sums: readonly string[],
): Promise<LedgerFault[]> {
  const all = `[${sums.join(',')}]`;
  const { agree } = await queryOne<{ agree: boolean }>(tx, ordersAgree(), [workspaceId, all], 'once');
  if (agree) return [];
  const found = await withoutLoops(tx, () => findProblems(tx, orderProblems(), [workspaceId]));
  return found.length > 0 ? found : [{ workspaceId, budgetId: null, number: null, problem: nothingFound }];
}

/** Both statements are made of the same SQL. If they should ever differ, the books are not said to agree. */
const nothingFound =
  'Orders, gifts and entries do not add up, but no single order explains it: verify again, and report it if it stays.';
