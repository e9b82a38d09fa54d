import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { readId } from '../../ground/values/id.ts';
import { noWorkspace } from '../workspaces/workspaces.ts';
import { shownFirstName, shownLastName } from './names.ts';
import { isReportOf } from './reporting-line.ts';
import { hasNumber, memberByAddress, memberById, memberByNumber } from './who.ts';
import { addingMembers } from './write.ts';

/**
 * Finds a member by email address, login, employee number or id; `id:17` can only be an id. Merged records resolve to the
 * surviving record. A text that identifies several people is rejected.
 */
export async function findMember(tx: Queryable, workspaceId: number, who: string): Promise<number> {
  const isId = who.startsWith('id:');
  const id = readId(isId ? who.slice('id:'.length) : who);
  const found = await tx.query<{ id: number }>(
    `select distinct found.id
       from (select ${memberById('$1', '$3::bigint')}
              union all
             select ${memberByAddress('$1', '$2')}
              union all
             select ${memberByNumber('$1', '$2')}) as found (id)
      where found.id is not null`,
    [workspaceId, isId && id !== null ? null : who, id],
  );
  const [member, other] = found;
  if (!member) throw new Failure('setup', `Workspace ${workspaceId} has no member "${who}".`);
  if (other)
    throw new Failure(
      'setup',
      `"${who}" is one member's id and another's number: write id:${who}, or their email address.`,
    );
  return member.id;
}

/** Adds the member that an API token acts as when it acts for no person. */
export async function addIntegration(tx: Queryable, workspaceId: number, name: string): Promise<number> {
  const member = await queryOptional<{ id: number }>(tx, integrationSql, [workspaceId, name]);
  if (!member) throw noWorkspace(workspaceId);
  return member.id;
}

const integrationSql = addingMembers(`
  insert into members as m (workspace_id, team_id, first_name, is_integration)
  select id, default_team_id, $2, true from workspaces where id = $1`);

/** Which of these employee numbers no person has; for a manager, none of their reports. */
export async function unknownEmployeeNumbers(
  database: Queryable,
  workspaceId: number,
  numbers: readonly string[],
  onlyReportsOf: number | null = null,
): Promise<Set<string>> {
  const rows = await database.query<{ number: string }>(
    `select number
       from unnest($2::text[]) as number
      where not exists (select from members m
                         where m.workspace_id = $1 and ${hasNumber('m', 'number')} and ${isReportOf('$1', '$3', 'm.id')})`,
    [workspaceId, numbers, onlyReportsOf],
  );
  return new Set(rows.map((row) => row.number));
}

/** Whom a record is about, for people who read it: by the names that people see. */
export interface NamedMember {
  id: number;
  firstName: string;
  lastName: string;
  email: string | null;
  employeeNumber: string | null;
}

/** The names and addresses of these members; for a manager, of their reports among them. */
export function readNames(
  on: Queryable,
  workspaceId: number,
  ids: readonly number[],
  onlyReportsOf: number | null = null,
): Promise<NamedMember[]> {
  return on.query<NamedMember>(
    `select m.id, ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName", m.email, m.employee_number as "employeeNumber"
       from members m
      where m.workspace_id = $1
        and m.id = any($2::bigint[])
        and ${isReportOf('$1', '$3', 'm.id')}`,
    [workspaceId, ids, onlyReportsOf],
  );
}
