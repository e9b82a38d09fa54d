import { isPerson } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { startOfDay } from '../../company/workspaces/days.ts';
import { announceGrantChange } from '../../company/workspaces/grant-changes.ts';
import { lockWorkspace, momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Budget, BudgetChange, NewAllowance, NewBudget } from '../../ground/contract/budget.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { grantNext } from './allowances.ts';
import { refill, withdraw } from './grants.ts';
import { readBudget } from './read.ts';
import { budgetRecord } from './sealed.ts';
import { checkAmount, readOpenBudget } from './terms.ts';

/**
 * Sets a budget: from now on orders of the member, or of the workspace, draw on it. Nodes that keep grants in memory hear of it
 * within a second. A closed budget of the same owner and currency is opened again.
 */
export async function addBudget(tx: Queryable, actor: Actor, workspaceId: number, budget: NewBudget): Promise<Budget> {
  await lockWorkspace(tx, workspaceId);
  const { currency, memberId = null, amount, note, ...terms } = budget;
  checkAmount('amount', amount, currency);
  if (memberId !== null) await checkMember(tx, workspaceId, memberId);
  const id = await openBudget(tx, workspaceId, memberId, currency);
  await announceGrantChange(tx);
  if (amount !== undefined)
    await refill(tx, workspaceId, id, 'GRANTED', { amount, ...(note !== undefined && { note }) });
  await audit(tx, { workspaceId, actor, action: 'budget.set', subject: { id, name: currency }, detail: budget });
  return setTerms(tx, workspaceId, id, terms);
}

async function openBudget(
  tx: Queryable,
  workspaceId: number,
  memberId: number | null,
  currency: string,
): Promise<number> {
  const kind = memberId === null ? 'WORKSPACE' : 'MEMBER';
  const known = await queryOptional<{ id: number; isClosed: boolean }>(
    tx,
    `select id, closed_at is not null as "isClosed"
       from budgets
      where workspace_id = $1 and currency = $2 and kind = $3 and member_id is not distinct from $4`,
    [workspaceId, currency, kind, memberId],
  );
  if (known && !known.isClosed)
    throw new Failure(
      'conflict',
      `There is a budget for that in ${currency} already, ${known.id}: grant or change that one.`,
    );
  if (known) {
    // Its terms are those of a new one.
    await tx.query(
      `update budgets
          set closed_at = null, gift_limit = null, largest_gift = null, low_percents = default
        where workspace_id = $1
          and id = $2`,
      [workspaceId, known.id],
    );
    return known.id;
  }
  const [id] = (await takeFromSequence(tx, 'budget_ids', 1)) as [number];
  await tx.query('insert into budgets (workspace_id, id, kind, member_id, currency) values ($1, $2, $3, $4, $5)', [
    workspaceId,
    id,
    kind,
    memberId,
    currency,
  ]);
  return id;
}

async function checkMember(tx: Queryable, workspaceId: number, memberId: number): Promise<void> {
  const found = await tx.query(
    `select from members m where m.workspace_id = $1 and m.id = $2 and (m.is_integration or ${isPerson('m')})`,
    [workspaceId, memberId],
  );
  if (found.length === 0)
    throw invalid([{ path: 'memberId', problem: 'must be the id of a member of this workspace' }]);
}

/** Changes the terms of a budget. An allowance that is set is granted for the current month or year at once. */
export async function changeBudget(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: BudgetChange,
): Promise<Budget> {
  await lockWorkspace(tx, workspaceId);
  const before = await readBudget(tx, workspaceId, id);
  const budget = await setTerms(tx, workspaceId, id, newTerms(before, change));
  if (!changesAnything(before, change)) return budget;
  const subject = { id, name: budget.currency };
  await audit(tx, { workspaceId, actor, action: 'budget.changed', subject, detail: change });
  return budget;
}

/** The terms that differ from those of the budget. The same allowance once more would be granted at once again. */
function newTerms(before: Budget, change: BudgetChange): BudgetChange {
  const entries = Object.entries(change).filter(([name, value]) => changesAnything(before, { [name]: value }));
  return Object.fromEntries(entries);
}

async function setTerms(
  tx: Queryable,
  workspaceId: number,
  id: number,
  { giftLimit, allowance, lowPercents }: BudgetChange,
): Promise<Budget> {
  const { currency } = await readOpenBudget(tx, workspaceId, id);
  checkAmount('giftLimit', giftLimit, currency);
  checkAmount('allowance.amount', allowance?.amount, currency);
  if (giftLimit !== undefined)
    await tx.query('update budgets set gift_limit = $3, largest_gift = null where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      giftLimit,
    ]);
  if (lowPercents !== undefined)
    await tx.query('update budgets set low_percents = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      lowPercents,
    ]);
  if (allowance !== undefined) await setAllowance(tx, workspaceId, id, allowance);
  await seal(tx, workspaceId, { record: budgetRecord, keys: [id] });
  return readBudget(tx, workspaceId, id);
}

/** It is due at once, for the period that has begun. */
async function setAllowance(
  tx: Queryable,
  workspaceId: number,
  id: number,
  allowance: NewAllowance | null,
): Promise<void> {
  await tx.query(
    `update budgets b
        set allowance         = $3,
            allowance_every   = $4,
            next_allowance_at = ${startOfDay('date_trunc(lower($4::text), $5::timestamptz at time zone w.time_zone)', 'w.time_zone')}
       from workspaces w
      where b.workspace_id = $1
        and b.id = $2
        and w.id = $1`,
    [workspaceId, id, allowance?.amount ?? null, allowance?.every ?? null, momentOf(tx, workspaceId)],
  );
  await grantNext(tx, workspaceId, [id]);
}

/** Closes a budget: what is available is withdrawn, and orders draw on the workspace's budget or on none. */
export async function closeBudget(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const moment = await lockWorkspace(tx, workspaceId);
  if ((await readBudget(tx, workspaceId, id)).closedAt !== null) return;
  const { available, currency } = await readOpenBudget(tx, workspaceId, id);
  if (available > 0) await withdraw(tx, workspaceId, id, { amount: available });
  await tx.query(
    `update budgets
        set closed_at = $3, allowance = null, allowance_every = null, next_allowance_at = null
      where workspace_id = $1
        and id = $2`,
    [workspaceId, id, moment],
  );
  await seal(tx, workspaceId, { record: budgetRecord, keys: [id] });
  await announceGrantChange(tx);
  await audit(tx, { workspaceId, actor, action: 'budget.closed', subject: { id, name: currency } });
}
