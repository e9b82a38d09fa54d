import assert from 'node:assert/strict';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { addBudget } from '../../src/giving/budgets/manage.ts';
import { readBudget } from '../../src/giving/budgets/read.ts';
import type { Budget, NewBudget } from '../../src/ground/contract/budget.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';

/** The ledger of the whole database agrees with itself, with the balances, the orders and the gifts. */
export async function checkLedger(database: Database): Promise<void> {
  assert.deepEqual((await verifyLedger(database)).faults, []);
}

export function setBudget(database: Database, workspaceId: number, budget: Partial<NewBudget> = {}): Promise<Budget> {
  return database.transaction((tx) =>
    addBudget(tx, atTheCommandLine, workspaceId, { currency: 'CAD', amount: 100, ...budget }),
  );
}

/** Where the money of a budget is: available, committed, issued, redeemed. */
export async function balancesOf(database: Database, workspaceId: number, id: number): Promise<number[]> {
  const { available, committed, issued, redeemed } = await readBudget(database, workspaceId, id);
  return [available, committed, issued, redeemed];
}

type Find = (database: Database, tx: Queryable) => Promise<LedgerFault[]>;

const findAll: Find = async (database) => (await verifyLedger(database)).faults;

/** Tampers with the database, sees what the verification says, and undoes it. */
export async function tamper(database: Database, sql: string, find = findAll): Promise<string[]> {
  const undo = new Error('undo');
  let said: string[] = [];
  await database
    .transaction(async (tx) => {
      await tx.query(sql, [], 'once');
      const transaction = (work: (on: typeof tx) => unknown) => work(tx);
      // One connection: nothing else sees what was changed.
      const inside = { ...database, transaction, pool: { options: { max: 1 } } };
      const query = tx.query.bind(tx);
      tx.query = (text, ...rest) => (text.startsWith('set transaction') ? Promise.resolve([]) : query(text, ...rest));
      const faults = await find(inside as unknown as typeof database, tx);
      said = faults.map(({ budgetId, number, problem }) => `${budgetId} ${number}: ${problem}`);
      throw undo;
    })
    .catch((error) => assert.equal(error, undo, String(error)));
  return said;
}
