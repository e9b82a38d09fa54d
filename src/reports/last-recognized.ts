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
  const conditions = conditionsFor(filters, (value) => `$${values.push(value)}`);
  const [row] = await database.query<Row>(lastRecognizedSql(conditions, filters.neverRecognized === 'true'), values);
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
function conditionsFor(filters: LastRecognizedFilters, parameter: (value: string) => string): string[] {
  const conditions: string[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const value = filters[name as keyof typeof columns];
    if (value !== undefined) conditions.push(`lower(m.${column}) = lower(${parameter(value)})`);
  }
  if (filters.manager !== undefined) {
    const manager = parameter(filters.manager);
    conditions.push(`m.manager_id in (
      select id
        from members
       where workspace_id = $1
         and (lower(email) = lower(${manager}) or lower(employee_number) = lower(${manager}) or id::text = ${manager}))`);
  }
  return conditions;
}

function lastRecognizedSql(conditions: readonly string[], never: boolean): string {
  const who = never ? 'm.last_recognized_on is null and not m.is_integration' : 'm.last_recognized_on is not null';
  const order = never ? 'm.id' : 'm.last_recognized_on desc, m.id';
  const where = ['m.workspace_id = $1', who, ...conditions].join('\n             and ');
  return `
    select (select count(*) from members m where ${where}) as total,
           coalesce((
             select json_agg(json_build_object(
                      'teamMember', json_build_object(
                        'email', coalesce(m.email, ''), 'firstName', m.first_name, 'lastName', m.last_name),
                      'lastDate', m.last_recognized_on,
                      'type', m.last_recognized_by) order by ${order})
               from (select * from members m where ${where} order by ${order} offset $2::bigint limit $3::bigint) m
           ), '[]') as members`;
}
