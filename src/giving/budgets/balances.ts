import { hasNumber, survivorOf } from '../../company/directory/who.ts';
import type { MemberBalance, MemberBalancePage, WorkspaceBalance } from '../../ground/contract/balance.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { pageFields } from '../../ground/values/page.ts';

export async function readWorkspaceBalance(
  on: Queryable,
  workspaceId: number,
  currency: string,
): Promise<WorkspaceBalance> {
  const balance = await queryOptional<WorkspaceBalance>(
    on,
    `select available + committed as balance, available as amount, currency
       from budgets
      where workspace_id = $1
        and currency = $2
        and kind = 'WORKSPACE'
        and closed_at is null`,
    [workspaceId, currency],
  );
  if (!balance) throw noBudget(`The workspace has no budget in ${currency}`);
  return balance;
}

/** A budget whose member was merged is the survivor's. */
const memberBudgets = `
    from budgets b
    join members named on named.workspace_id = b.workspace_id and named.id = b.member_id
    join members m     on m.workspace_id = b.workspace_id and m.id = ${survivorOf('named')}
   where b.workspace_id = $1
     and b.currency = $2
     and b.kind = 'MEMBER'
     and b.closed_at is null`;

export async function readMemberBalance(
  on: Queryable,
  workspaceId: number,
  employeeNumber: string,
  currency: string,
): Promise<MemberBalance> {
  const balance = await queryOptional<MemberBalance>(
    on,
    `select b.available as amount, b.currency
     ${memberBudgets}
       and ${hasNumber('m', '$3')}
     order by b.member_id = m.id desc, b.id
     limit 1`,
    [workspaceId, currency, employeeNumber],
  );
  if (!balance) throw noBudget(`No member with this employee number has a budget in ${currency}`);
  return balance;
}

function noBudget(what: string): Failure {
  return new Failure('missing', `${what}: "giftwire budget set" or POST /api/v1/budgets sets one.`);
}

export async function listMemberBalances(
  on: Queryable,
  workspaceId: number,
  currency: string,
  { page, size }: { page: number; size: number },
): Promise<MemberBalancePage> {
  const { total } = await queryOne<{ total: number }>(on, `select count(*) as total ${memberBudgets}`, [
    workspaceId,
    currency,
  ]);
  const memberBalanceResponses = await readBalances(on, workspaceId, currency, size, page * size);
  return { ...pageFields({ page, size }, total), memberBalanceResponses };
}

type Balances = MemberBalancePage['memberBalanceResponses'];

function readBalances(
  on: Queryable,
  workspaceId: number,
  currency: string,
  limit: number,
  offset: number,
): Promise<Balances> {
  return on.query<Balances[number]>(
    `select b.available as amount, m.employee_number as "employeeNumber", m.id as "memberId", m.id as user
     ${memberBudgets}
     order by m.id, b.id
     limit $3 offset $4`,
    [workspaceId, currency, limit, offset],
  );
}

export const balanceCsvColumns = ['employeeNumber', 'user', 'amount'] as const;

const pieceSize = 1_000;

/** All balances of members, many at a time. */
export async function* streamMemberBalances(
  on: Queryable,
  workspaceId: number,
  currency: string,
): AsyncGenerator<Record<string, unknown>[]> {
  for (let offset = 0, isEnd = false; !isEnd; offset += pieceSize) {
    const rows = await readBalances(on, workspaceId, currency, pieceSize, offset);
    isEnd = rows.length < pieceSize;
    yield rows;
  }
}
