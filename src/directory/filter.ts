import type { MemberQuery } from '../contract/member.ts';
import type { Queryable } from '../database/database.ts';
import { memberByAddress } from './who.ts';

export type MemberFilters = Omit<MemberQuery, 'page' | 'size' | 'search'>;

const columns = {
  costCentre: 'cost_centre',
  currency: 'currency',
  department: 'department',
  employeeNumber: 'employee_number',
  location: 'location',
} as const;

/**
 * One condition on `members m` for each filter that is there, so that a statement has as many texts as there are
 * combinations. Values are added to those of the statement. Leavers are for the caller to leave out.
 */
export async function filterConditions(
  database: Queryable,
  workspaceId: number,
  filters: MemberFilters,
  values: unknown[],
): Promise<string[]> {
  const conditions = Object.entries(columns).flatMap(([name, column]) => {
    const value = filters[name as keyof typeof columns];
    return value === undefined ? [] : `lower(m.${column}) = lower($${values.push(value)})`;
  });
  if (filters.manager !== undefined) {
    const managers = await findManagers(database, workspaceId, filters.manager);
    conditions.push(`m.manager_id = any($${values.push(managers)}::bigint[])`);
  }
  return conditions;
}

async function findManagers(database: Queryable, workspaceId: number, manager: string): Promise<number[]> {
  const id = /^[1-9]\d{0,14}$/.test(manager) ? manager : null;
  const rows = await database.query<{ id: number | null }>(
    `select ${memberByAddress('$1', '$2')} as id
      union
     select coalesce(merged_into, id) from members where workspace_id = $1 and lower(employee_number) = lower($2)
      union
     select coalesce(merged_into, id) from members where workspace_id = $1 and id = $3::bigint`,
    [workspaceId, manager, id],
  );
  return rows.flatMap(({ id: found }) => found ?? []);
}
