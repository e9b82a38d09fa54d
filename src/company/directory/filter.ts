import type { MemberQuery } from '../../ground/contract/member.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readId } from '../../ground/values/id.ts';
import { filterFields, memberFields, withPlainTexts } from '../../ground/values/member.ts';
import { memberByAddress, memberById, survivorOf } from './who.ts';

export type MemberConditions = Omit<MemberQuery, 'page' | 'size' | 'search'>;

/**
 * One condition on `members m` for each filter that is set. Pushes the filters' values to `values`, the statement's
 * parameters. Does not exclude leavers: the caller does.
 */
export async function filterConditions(
  database: Queryable,
  workspaceId: number,
  filters: MemberConditions,
  values: unknown[],
): Promise<string[]> {
  const plain = withPlainTexts(filters);
  const conditions = filterFields.flatMap((name) => {
    const value = plain[name];
    return value === undefined ? [] : `lower(m.${memberFields[name].column}) = lower($${values.push(value)})`;
  });
  if (filters.manager !== undefined) {
    const managers = await matchManagers(database, workspaceId, filters.manager);
    conditions.push(`m.manager_id = any($${values.push(managers)}::bigint[])`);
  }
  return conditions;
}

const idForm = /^id:/;

/**
 * The members whom a manager filter may mean. An employee number matches in any case, as in the other filters. `id:17` can only be
 * an id.
 */
async function matchManagers(database: Queryable, workspaceId: number, manager: string): Promise<number[]> {
  const id = readId(manager.replace(idForm, ''));
  const name = idForm.test(manager) && id !== null ? null : manager;
  const rows = await database.query<{ id: number | null }>(
    `select ${memberByAddress('$1', '$2')} as id
      union
     select ${survivorOf('m')} from members m where m.workspace_id = $1 and lower(m.employee_number) = lower($2)
      union
     select ${memberById('$1', '$3::bigint')}`,
    [workspaceId, name, id],
  );
  return rows.flatMap(({ id: found }) => found ?? []);
}
