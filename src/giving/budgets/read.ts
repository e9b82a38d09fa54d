import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { Budget, BudgetPage, BudgetQuery } from '../../ground/contract/budget.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { pageFields } from '../../ground/values/page.ts';
import { percentReached } from './levels.ts';

/** The columns of a Budget, of `budgets b` and what `budgetTables` joins to it. */
const budgetColumns = `
  b.id, b.kind, b.currency, b.granted, b.available, b.committed, b.issued, b.redeemed, b.issued + b.redeemed as spent,
  case when b.kind = 'UNLIMITED' then 'ENOUGH'
       else case ${percentReached} when 0 then 'EXHAUSTED' when 100 then 'ENOUGH' else 'LOW' end end as level,
  b.gift_limit as "giftLimit", b.low_percents as "lowPercents", b.latest as entries, encode(b.head, 'hex') as head,
  case when m.id is null then null
       else json_build_object('id', m.id, 'employeeNumber', m.employee_number,
                              'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}) end as member,
  b.allowance, b.allowance_every as every, b.next_allowance_at as "nextAt", b.closed_at as "closedAt"`;

/** Merges are followed: a budget of a merged record is the survivor's. */
const budgetTables = `
  left join members named on named.workspace_id = b.workspace_id and named.id = b.member_id
  left join members m     on m.workspace_id = b.workspace_id and m.id = ${survivorOf('named')}`;

interface Row extends Omit<Budget, 'allowance' | 'closedAt'> {
  allowance: number | null;
  every: 'MONTH' | 'YEAR';
  nextAt: Date;
  closedAt: Date | null;
}

function budgetOf({ allowance, every, nextAt, closedAt, ...row }: Row): Budget {
  return {
    ...row,
    allowance: allowance === null ? null : { amount: allowance, every, nextAt: nextAt.toISOString() },
    closedAt: closedAt?.toISOString() ?? null,
  };
}

export async function readBudget(on: Queryable, workspaceId: number, id: number): Promise<Budget> {
  const row = await queryOptional<Row>(
    on,
    `select ${budgetColumns} from budgets b ${budgetTables} where b.workspace_id = $1 and b.id = $2`,
    [workspaceId, id],
  );
  if (!row) throw new Failure('missing', 'There is no budget with this id in this workspace.');
  return budgetOf(row);
}

type Filters = Pick<BudgetQuery, 'currency' | 'member' | 'includeClosed'>;

const matches = `
      b.workspace_id = $1
  and ($2::text is null or b.currency = $2)
  and ($3::bigint is null or m.id = $3)
  and ($4::boolean or b.closed_at is null)`;

export async function listBudgets(
  on: Queryable,
  workspaceId: number,
  { page, size, ...filters }: Filters & { page: number; size: number },
): Promise<BudgetPage> {
  const asked = askedFor(workspaceId, filters);
  const { total } = await queryOne<{ total: number }>(
    on,
    `select count(*) as total from budgets b ${budgetTables} where ${matches}`,
    asked,
  );
  const rows = await on.query<Row>(
    `select ${budgetColumns} from budgets b ${budgetTables} where ${matches} order by b.id limit $5 offset $6`,
    [...asked, size, page * size],
  );
  return { ...pageFields({ page, size }, total), budgets: rows.map(budgetOf) };
}

function askedFor(workspaceId: number, { currency, member, includeClosed }: Filters): unknown[] {
  return [workspaceId, currency ?? null, member ?? null, includeClosed];
}

export const budgetCsvColumns = [
  'id',
  'kind',
  'employeeNumber',
  'firstName',
  'lastName',
  'currency',
  'granted',
  'available',
  'committed',
  'issued',
  'redeemed',
  'spent',
  'giftLimit',
  'closedAt',
] as const;

const pieceSize = 500;

/** All budgets that match, some hundred at a time. */
export async function* eachBudget(on: Queryable, workspaceId: number, filters: Filters): AsyncGenerator<Budget[]> {
  for (let after = 0, isEnd = false; !isEnd; ) {
    const rows = await on.query<Row>(
      `select ${budgetColumns} from budgets b ${budgetTables} where ${matches} and b.id > $5 order by b.id limit $6`,
      [...askedFor(workspaceId, filters), after, pieceSize],
    );
    after = rows.at(-1)?.id ?? after;
    isEnd = rows.length < pieceSize;
    yield rows.map(budgetOf);
  }
}

/** The same as rows of a file. */
export async function* streamBudgets(
  on: Queryable,
  workspaceId: number,
  filters: Filters,
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const budgets of eachBudget(on, workspaceId, filters))
    yield budgets.map(({ member, ...budget }) => ({ ...budget, ...member, id: budget.id }));
}
