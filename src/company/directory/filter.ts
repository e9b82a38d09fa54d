import type { MemberQuery } from '../../ground/contract/member.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { invalid } from '../../ground/errors.ts';
import { readCustomText, readCustomValue } from '../../ground/values/custom-value.ts';
import { isObject } from '../../ground/values/differences.ts';
import { readId } from '../../ground/values/id.ts';
import { filterFields, memberFields, withPlainTexts } from '../../ground/values/member.ts';
import { listCustomFields, readCustomChange } from './custom-fields.ts';
import { memberByAddress, memberById, survivorOf } from './who.ts';

export type MemberConditions = Omit<MemberQuery, 'page' | 'size' | 'search'>;

/**
 * One condition on `members m` for each filter that is set. Pushes the filters' values to `values`, the statement's
 * parameters. Does not exclude leavers: the caller does. `endsEarly`: the statement ends when a page is full, and does not count all matches.
 */
export async function filterConditions(
  database: Queryable,
  workspaceId: number,
  filters: MemberConditions,
  values: unknown[],
  endsEarly = false,
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
  if (filters.custom !== undefined) {
    const wanted = await readCustomFilter(database, workspaceId, filters.custom);
    const ids = await findByCustom(database, workspaceId, wanted);
    const bound = (value: unknown) => `$${values.push(value)}`;
    if (ids !== null) conditions.push(`m.id = any(${bound(ids)}::bigint[])`);
    else if (!endsEarly) conditions.push(hasCustom(bound(inWorkspace(workspaceId, wanted))));
    // The planner assumes that half of all people match a case, so it reads in the sequence of the list until a page is full.
    else conditions.push(`case when ${hasCustom(bound(inWorkspace(workspaceId, wanted)))} then true end`);
  }
  return conditions;
}

/** Of 200,000 people, finding 10,000 by the index takes about as long as reading in the sequence of a list until a page is full. */
const mostFound = 10_000;

/**
 * The members who have these values; null if they are many. The planner cannot estimate how many there are: on its own it reads all people for a
 * rare value in a report, which took 1.6 s for 200,000 people and takes 20 ms in this way, and all matches for a frequent value in a list.
 */
async function findByCustom(database: Queryable, workspaceId: number, wanted: object): Promise<number[] | null> {
  const rows = await database.query<{ id: number }>(findSql, [
    workspaceId,
    inWorkspace(workspaceId, wanted),
    mostFound + 1,
  ]);
  return rows.length > mostFound ? null : rows.map(({ id }) => id);
}

/** True for a member `m` who has these values: the expression of the index members_custom. */
function hasCustom(wanted: string): string {
  return `('{"' || m.workspace_id::text || '":' || lower(m.custom::text) || '}')::jsonb @> lower(${wanted})::jsonb`;
}

const inWorkspace = (workspaceId: number, wanted: object) => JSON.stringify({ [workspaceId]: wanted });

const findSql = `
  select m.id
    from members m
   where m.workspace_id = $1
     and ${hasCustom('$2')}
   limit $3`;

/** The values that a filter asks for, as they are stored. */
async function readCustomFilter(database: Queryable, workspaceId: number, text: string): Promise<object> {
  const asked = parsed(text);
  if (!isObject(asked) || Object.keys(asked).length === 0)
    throw invalid([{ path: 'custom', problem: 'must be a JSON object of keys and values: {"shirtSize":"M"}' }]);
  const fields = await listCustomFields(database, workspaceId);
  const { change, faults } = readCustomChange(fields, asked, (field, value) => {
    const read = typeof value === 'string' ? readCustomText(field, value) : readCustomValue(field, value);
    return 'value' in read && read.value === null ? { problem: 'must have a value' } : read;
  });
  if (faults.length > 0) throw invalid(faults);
  return change;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
