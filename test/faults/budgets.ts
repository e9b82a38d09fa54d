import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { momentOf } from '../../src/company/workspaces/lock.ts';
import { addBudget } from '../../src/giving/budgets/manage.ts';
import { post } from '../../src/giving/budgets/post.ts';
import type { NewBudget } from '../../src/ground/contract/budget.ts';
import { type Database, type Queryable, queryOne } from '../../src/ground/database/database.ts';
import { addPool } from '../../src/spending/code-pools/pools.ts';
import { setSpendingOption } from '../../src/spending/redemptions/spending-options.ts';

/** More than any load spends. */
const plenty = 1_000_000_000_000;
/** Some orders, so that it is exhausted soon, and orders fit again when gifts are cancelled. */
const little = 2_000;

/**
 * What the orders of the load draw on: those in CAD on a budget of the workspace, those in USD on a budget of the sender, those in EUR
 * on none. The workspace after it has too little for what is sent there (spending.ts).
 */
export async function setBudgets(database: Database, workspaceId: number): Promise<void> {
  await database.transaction(async (tx) => {
    const { memberId } = await queryOne<{ memberId: number }>(
      tx,
      'select member_id as "memberId" from api_token_workspaces where workspace_id = $1',
      [workspaceId],
    );
    await setBudget(tx, workspaceId, { currency: 'CAD' }, plenty);
    await setBudget(tx, workspaceId, { currency: 'USD', memberId }, plenty);
    await setBudget(tx, shortOf(workspaceId), { currency: 'CAD' }, little);
    await offerOptions(tx, shortOf(workspaceId));
  });
}

/** The first pool of a database, and the shop of its codes. */
export const poolId = 1;
export const retailer = 'Riverside Books';

/** Beside payroll, which every workspace offers. */
async function offerOptions(tx: Queryable, workspaceId: number): Promise<void> {
  const { id } = await addPool(tx, atTheCommandLine, workspaceId, { name: 'Cards', currency: 'CAD' });
  if (id !== poolId) throw new Error(`the first pool has the id ${id}`);
  await setSpendingOption(tx, workspaceId, 'cards', { kind: 'POOL', name: 'A gift card', poolId });
  await setSpendingOption(tx, workspaceId, 'shop', { kind: 'TILL', name: 'Company shop' });
  await setSpendingOption(tx, workspaceId, 'charity', { kind: 'HAND', name: 'Food bank' });
}

/** The workspace with too small a budget. */
export function shortOf(workspaceId: number): number {
  return workspaceId + 1;
}

/** The workspace whose orders no journal counts: what was issued there is compared with what was issued in a lost time (traces.ts). */
export function tracedOf(workspaceId: number): number {
  return workspaceId + 2;
}

/** Without the event of a grant: faults compare the events that come after their start. */
async function setBudget(tx: Queryable, workspaceId: number, budget: NewBudget, amount: number): Promise<void> {
  const { id: budgetId } = await addBudget(tx, atTheCommandLine, workspaceId, budget);
  await post(tx, workspaceId, momentOf(tx, workspaceId), [{ budgetId, isUnlimited: false, type: 'GRANTED', amount }]);
}
