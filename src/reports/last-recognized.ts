import { type Page, pageFields } from '../contract/paging.ts';
import type { LastRecognizedPage, LastRecognizedQuery } from '../contract/report.ts';
import type { Queryable } from '../database/database.ts';

export type LastRecognizedFilters = Omit<LastRecognizedQuery, 'page' | 'size'>;

interface Row {
  total: number;
  members: LastRecognizedPage['teamMembers'];
}

/** When each member was last recognized, the latest first; or those who never were. */
export async function readLastRecognized(
  database: Queryable,
  workspaceId: number,
  filters: LastRecognizedFilters,
  page: Page,
): Promise<LastRecognizedPage> {
  const values: unknown[] = [workspaceId, page.page * page.size, page.size];
  const conditions = columnConditions(filters, (value) => `$${values.push(value)}`);
  if (filters.manager !== undefined) {
    const managers = await findManagers(database, workspaceId, filters.manager);
    conditions.push(`m.manager_id = any($${values.push(managers)}::bigint[])`);
  }
  const [row] = await database.query<Row>(statementFor(filters.neverRecognized === 'true', conditions), values);
  const { total, members } = row ?? { total: 0, members: [] };
  return { ...pageFields(page, total), teamMembers: members };
}

const columns = {
  costCentre: 'cost_centre',
  currency: 'currency',
  department: 'department',
  employeeNumber: 'employee_number',
  location: 'location',
} as const;

/** One condition for each filter that is there, so that the statement has as many texts as there are combinations. */
function columnConditions(filters: LastRecognizedFilters, parameter: (value: string) => string): string[] {
  return Object.entries(columns).flatMap(([name, column]) => {
    const value = filters[name as keyof typeof columns];
    return value === undefined ? [] : `lower(m.${column}) = lower(${parameter(value)})`;
  });
}

async function findManagers(database: Queryable, workspaceId: number, manager: string): Promise<number[]> {
  const id = /^[1-9]\d{0,14}$/.test(manager) ? manager : null;
  const rows = await database.query<{ id: number }>(
    `select id from members where workspace_id = $1 and email_key = lower($2)
      union
     select id from members where workspace_id = $1 and lower(employee_number) = lower($2)
      union
     select id from members where workspace_id = $1 and id = $3::bigint`,
    [workspaceId, manager, id],
  );
  return rows.map((row) => row.id);
}

function statementFor(never: boolean, conditions: readonly string[]): string {
  if (never) return filteredSql(['m.last_recognized_on is null', 'not m.is_integration', ...conditions], 'm.id');
  if (conditions.length === 0) return byDaySql;
  return filteredSql(['m.last_recognized_on is not null', ...conditions], latestFirst);
}

const latestFirst = 'm.last_recognized_on desc, m.id';

const records = (order: string) => `
  coalesce(json_agg(json_build_object(
    'teamMember', json_build_object(
      'email', coalesce(m.email, ''), 'firstName', m.first_name, 'lastName', m.last_name),
    'lastDate', m.last_recognized_on,
    'type', m.last_recognized_by) order by ${order}), '[]')`;

/** The page is found in the index alone, and only then are its members read. */
function filteredSql(conditions: readonly string[], order: string): string {
  const where = ['m.workspace_id = $1', ...conditions].join(' and ');
  return `
    select (select count(*) from members m where ${where}) as total,
           (select ${records(order)}
              from (select m.id from members m where ${where} order by ${order} offset $2::bigint limit $3::bigint) page
              join members m on m.workspace_id = $1 and m.id = page.id
           ) as members`;
}

// The page begins on the first day by which more members than lie before it were recognized.
const byDaySql = `
  with days as (
    select day, members, sum(members) over (order by day desc) - members as members_before
      from recognition_days
     where workspace_id = $1
       and members > 0
  ),
  start as (
    select day, $2::bigint - members_before as skipped
      from days
     where members_before + members > $2::bigint
     order by day desc
     limit 1
  )
  select (select coalesce(sum(members), 0) from days)::bigint as total,
         (select ${records(latestFirst)}
            from start
           cross join lateral (
                   select m.id
                     from members m
                    where m.workspace_id = $1
                      and m.last_recognized_on <= start.day
                    order by ${latestFirst}
                   offset start.skipped
                    limit $3::bigint
                 ) page
            join members m on m.workspace_id = $1 and m.id = page.id
         ) as members`;
