import { audit } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Budget, MoneyGrant } from '../../ground/contract/budget.ts';
import type { LedgerEntry } from '../../ground/contract/ledger-entry.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { mismatch } from '../../ground/values/differences.ts';
import { amountText } from '../../ground/values/money.ts';
import { readEntry } from './entries.ts';
import type { EntryType } from './entry.ts';
import { type GrantRequest, refill, withdraw } from './refill.ts';
import { checkAmount, readOpenBudget } from './terms.ts';

export interface Granted {
  entry: LedgerEntry;
  replayed: boolean;
}

/** Grants money to a budget. With the key of an earlier request nothing happens. */
export function grantMoney(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  request: GrantRequest,
): Promise<Granted> {
  return once(tx, workspaceId, id, 'GRANTED', request, async ({ currency }) => {
    await refill(tx, workspaceId, id, 'GRANTED', request);
    const subject = { id, name: currency };
    await audit(tx, { workspaceId, actor, action: 'budget.granted', subject, detail: bodyOf(request) });
  });
}

/** Takes money back that no order has reserved. */
export function withdrawMoney(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  request: GrantRequest,
): Promise<Granted> {
  return once(tx, workspaceId, id, 'WITHDRAWN', request, async ({ available, currency }) => {
    if (request.amount > available)
      throw new Failure(
        'conflict',
        `${amountText(available, currency)} can be withdrawn: the rest of the budget is committed to orders or spent.`,
      );
    await withdraw(tx, workspaceId, id, request);
    const subject = { id, name: currency };
    await audit(tx, { workspaceId, actor, action: 'budget.withdrawn', subject, detail: bodyOf(request) });
  });
}

/** Does the work unless the idempotency key was used before: then the entry of that time is the answer. */
async function once(
  tx: Queryable,
  workspaceId: number,
  id: number,
  type: EntryType,
  request: GrantRequest,
  work: (budget: Budget) => Promise<void>,
): Promise<Granted> {
  await lockWorkspace(tx, workspaceId);
  const earlier = request.idempotencyKey ? await findEarlier(tx, workspaceId, request.idempotencyKey) : null;
  if (earlier) return replay(tx, workspaceId, earlier, { budgetId: id, type, ...bodyOf(request) });
  const budget = await readOpenBudget(tx, workspaceId, id);
  checkAmount('amount', request.amount, budget.currency);
  await work(budget);
  const entry = await readEntry(tx, workspaceId, id, null);
  return { entry, replayed: false };
}

function bodyOf({ amount, note }: GrantRequest): MoneyGrant {
  return { amount, ...(note !== undefined && { note }) };
}

interface Earlier {
  budgetId: number;
  number: number;
  type: string;
  amount: number;
  detail: { note?: string };
}

function findEarlier(tx: Queryable, workspaceId: number, key: string): Promise<Earlier | null> {
  return queryOptional<Earlier>(
    tx,
    `select budget_id as "budgetId", number, type, amount, detail
       from ledger_entries
      where workspace_id = $1
        and idempotency_key = $2`,
    [workspaceId, key],
  );
}

async function replay(
  tx: Queryable,
  workspaceId: number,
  { budgetId, number, type, amount, detail }: Earlier,
  asked: object,
): Promise<Granted> {
  const difference = mismatch({ budgetId, type, amount, ...detail }, asked);
  if (difference !== null) throw new Failure('mismatch', ...difference);
  return { entry: await readEntry(tx, workspaceId, budgetId, number), replayed: true };
}
