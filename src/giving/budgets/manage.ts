import { audit } from '../../company/workspaces/audit.ts';
import { startOfDay } from '../../company/workspaces/days.ts';
import { announceGrantChange } from '../../company/workspaces/grant-changes.ts';
import { lockWorkspace, momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Budget, BudgetChange, NewAllowance, NewBudget } from '../../ground/contract/budget.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { invalid } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { grantNext } from './allowances.ts';
import { alreadySet, type BudgetHolder, findBudget, findOwner, renameOwner } from './owners.ts';
import { readBudget } from './read.ts';
import { refill, withdraw } from './refill.ts';
import { budgetRecord } from './sealed.ts';
import { checkAmount, readOpenBudget } from './terms.ts';

/**
 * Sets a budget: from now on orders of its owner draw on it: of a member, of the people of a team, cost centre or department, or of the workspace. Nodes that keep grants in memory are told of it
 * within a second. A closed budget of the same owner and currency is opened again.
 */
export async function addBudget(tx: Queryable, actor: Actor, workspaceId: number, budget: NewBudget): Promise<Budget> {
  await lockWorkspace(tx, workspaceId);
  const { currency, amount, note, ...terms } = budget;
  checkAmount('amount', amount, currency);
  const owner = await findOwner(tx, workspaceId, budget);
  const id = await openBudget(tx, workspaceId, owner, currency);
  await announceGrantChange(tx);
  if (amount !== undefined)
    await refill(tx, workspaceId, id, 'GRANTED', { amount, ...(note !== undefined && { note }) });
  await audit(tx, { workspaceId, actor, action: 'budget.set', subject: { id, name: currency }, detail: budget });
  return setTerms(tx, workspaceId, id, terms);
}

async function openBudget(tx: Queryable, workspaceId: number, owner: BudgetHolder, currency: string): Promise<number> {
  const known = await findBudget(tx, workspaceId, owner, currency);
  if (known && !known.isClosed) throw alreadySet(currency, known.id);
  const { kind, memberId, teamId, name } = owner;
  if (known) {
    // Its terms are those of a new one.
    await tx.query(
      `update budgets
          set closed_at = null, gift_limit = null, largest_gift = null, low_percents = default, person_cap = null, shared_name = $3
        where workspace_id = $1
          and id = $2`,
      [workspaceId, known.id, name],
    );
    return known.id;
  }
  const [id] = (await takeFromSequence(tx, 'budget_ids', 1)) as [number];
  await tx.query(
    `insert into budgets (workspace_id, id, kind, member_id, shared_team_id, shared_name, currency)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [workspaceId, id, kind, memberId, teamId, name, currency],
  );
  return id;
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

async function setTerms(tx: Queryable, workspaceId: number, id: number, change: BudgetChange): Promise<Budget> {
  const before = await readOpenBudget(tx, workspaceId, id);
  const { giftLimit, allowance, lowPercents, personCap, lapses } = change;
  const { currency } = before;
  checkAmount('giftLimit', giftLimit, currency);
  checkAmount('personCap', personCap, currency);
  checkPeriods(before, change);
  await renameOwner(tx, workspaceId, before, change);
  if (personCap !== undefined)
    await tx.query('update budgets set person_cap = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      personCap,
    ]);
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
  // The database compares both periods, so the former end of a period is removed before the allowance changes.
  if (lapses !== undefined) await setLapse(tx, workspaceId, id, null);
  if (allowance !== undefined) await setAllowance(tx, workspaceId, id, allowance);
  if (lapses) await setLapse(tx, workspaceId, id, lapses);
  await seal(tx, workspaceId, { record: budgetRecord, keys: [id] });
  return readBudget(tx, workspaceId, id);
}

/** An allowance of a year would lapse after its first month. */
function checkPeriods(before: Budget, change: BudgetChange): void {
  const { allowance, lapses } = { ...before, ...change };
  if (allowance?.every === 'YEAR' && lapses === 'MONTH')
    throw invalid([{ path: 'lapses', problem: 'must be YEAR, because the allowance is yearly' }]);
}

/** What is available lapses for the first time at the end of the current period. */
async function setLapse(tx: Queryable, workspaceId: number, id: number, every: 'MONTH' | 'YEAR' | null): Promise<void> {
  const beginning = `date_trunc(lower($3::text), $4::timestamptz at time zone w.time_zone) + ('1 ' || $3::text)::interval`;
  await tx.query(
    `update budgets b
        set lapse_every  = $3,
            lapses_at    = ${startOfDay(beginning, 'w.time_zone')},
            largest_gift = null
       from workspaces w
      where b.workspace_id = $1
        and b.id = $2
        and w.id = $1`,
    [workspaceId, id, every, momentOf(tx, workspaceId)],
  );
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
        set closed_at = $3, allowance = null, allowance_every = null, next_allowance_at = null, lapse_every = null, lapses_at = null
      where workspace_id = $1
        and id = $2`,
    [workspaceId, id, moment],
  );
  await seal(tx, workspaceId, { record: budgetRecord, keys: [id] });
  await announceGrantChange(tx);
  await audit(tx, { workspaceId, actor, action: 'budget.closed', subject: { id, name: currency } });
}
