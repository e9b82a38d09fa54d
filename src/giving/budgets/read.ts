import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { Budget, BudgetPage, BudgetQuery } from '../../ground/contract/budget.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { unitFields, unitKind } from '../../ground/values/member.ts';
import { pageFields } from '../../ground/values/page.ts';
import { entryCount } from './entry-numbers.ts';
import { percentReached } from './levels.ts';
import { sendersOf } from './senders.ts';

/** The columns of a Budget of the workspace $1, of `budgets b` and what `budgetTables` joins to it. */
const budgetColumns = `
  b.id, b.kind, b.currency, b.granted, b.available, b.committed, b.issued, b.redeemed, b.issued + b.redeemed as spent,
  case when b.kind = 'UNLIMITED' then 'ENOUGH'
       else case ${percentReached} when 0 then 'EXHAUSTED' when 100 then 'ENOUGH' else 'LOW' end end as level,
  b.gift_limit as "giftLimit", b.low_percents as "lowPercents", ${entryCount} as entries, encode(b.head, 'hex') as head,
  case when m.id is null then null
       else json_build_object('id', m.id, 'employeeNumber', m.employee_number,
                              'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}) end as member,
  case when b.kind = 'TEAM' then json_build_object('id', b.shared_team_id, 'name', coalesce(t.name, '')) end as team,
  ${unitFields.map((name) => `case when b.kind = '${unitKind(name)}' then b.shared_name end as "${name}"`)},
  b.person_cap as "personCap", b.lapse_every as lapses, b.lapses_at as "lapsesAt",
  b.allowance, b.allowance_every as every, b.next_allowance_at as "nextAt", b.closed_at as "closedAt"`;

/** Merges are followed: a budget of a merged record is the survivor's. */
const budgetTables = `
  left join members named on named.workspace_id = $1 and named.id = b.member_id
  left join members m     on m.workspace_id = $1 and m.id = ${survivorOf('named')}
  left join teams t       on t.workspace_id = $1 and t.id = b.shared_team_id`;

interface Row extends Omit<Budget, 'allowance' | 'lapsesAt' | 'closedAt'> {
  allowance: number | null;
  every: 'MONTH' | 'YEAR';
  nextAt: Date;
  lapsesAt: Date | null;
  closedAt: Date | null;
}

function budgetOf({ allowance, every, nextAt, lapsesAt, closedAt, ...row }: Row): Budget {
  return {
    ...row,
    allowance: allowance === null ? null : { amount: allowance, every, nextAt: nextAt.toISOString() },
    lapsesAt: lapsesAt?.toISOString() ?? null,
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

type Filters = Pick<BudgetQuery, 'currency' | 'member' | 'sender' | 'includeClosed'>;

/** The member `$5`, as the sender of an order in each currency that has a budget. */
const asSender = `(select distinct o.workspace_id, $5::bigint as sender_id, o.currency, null::bigint as named_budget_id
                     from budgets o
                    where o.workspace_id = $1 and o.closed_at is null) asked`;

const matches = `
      b.workspace_id = $1
  and ($2::text is null or b.currency = $2)
  and ($3::bigint is null or m.id = $3)
  and ($4::boolean or b.closed_at is null)
  and ($5::bigint is null or b.id in (select drawn.budget_id from (${sendersOf(asSender, '$1::bigint')}) drawn))`;

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
    `select ${budgetColumns} from budgets b ${budgetTables} where ${matches} order by b.id limit $6 offset $7`,
    [...asked, size, page * size],
  );
  return { ...pageFields({ page, size }, total), budgets: rows.map(budgetOf) };
}

function askedFor(workspaceId: number, { currency, member, includeClosed, sender }: Filters): unknown[] {
  return [workspaceId, currency ?? null, member ?? null, includeClosed, sender ?? null];
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
  'team',
  ...unitFields.toSorted(),
  'personCap',
  'lapses',
] as const;

const pieceSize = 500;

/** All budgets that match, some hundred at a time. */
export async function* eachBudget(on: Queryable, workspaceId: number, filters: Filters): AsyncGenerator<Budget[]> {
  for (let after = 0, isEnd = false; !isEnd; ) {
    const rows = await on.query<Row>(
      `select ${budgetColumns} from budgets b ${budgetTables} where ${matches} and b.id > $6 order by b.id limit $7`,
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
    yield budgets.map(({ member, team, ...budget }) => ({
      ...budget,
      ...member,
      team: team?.name ?? null,
      id: budget.id,
    }));
}
