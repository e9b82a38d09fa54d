import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { noWorkspace } from '../workspaces/workspaces.ts';
import { memberByAddress, memberByNumber } from './who.ts';

/**
 * A member by e-mail address or login, employee number or id; `id:17` is an id for certain. A merged record leads to the
 * one that remains. A text that leads to several people is refused.
 */
export async function findMember(tx: Queryable, workspaceId: number, who: string): Promise<number> {
  const [, certainly] = /^id:([1-9]\d{0,14})$/.exec(who) ?? [];
  const id = certainly ?? (/^[1-9]\d{0,14}$/.test(who) ? who : null);
  const found = await tx.query<{ id: number }>(
    `select distinct found.id
       from (select coalesce(merged_into, id)
               from members
              where workspace_id = $1 and id = $3::bigint and not is_integration
              union all
             select ${memberByAddress('$1', '$2')}
              union all
             select ${memberByNumber('$1', '$2')}) as found (id)
      where found.id is not null`,
    [workspaceId, certainly === undefined ? who : null, id],
  );
  const [member, other] = found;
  if (!member) throw new Failure('setup', `Workspace ${workspaceId} has no member "${who}".`);
  if (other)
    throw new Failure(
      'setup',
      `"${who}" is one member's id and another's number: write id:${who}, or their e-mail address.`,
    );
  return member.id;
}

/** The member behind an API token that acts as nobody in particular. */
export async function addIntegration(tx: Queryable, workspaceId: number, name: string): Promise<number> {
  const [member] = await tx.query<{ id: number }>(
    `insert into members (workspace_id, team_id, first_name, is_integration)
     select id, default_team_id, $2, true from workspaces where id = $1
     returning id`,
    [workspaceId, name],
  );
  if (!member) throw noWorkspace(workspaceId);
  return member.id;
}

/** Which of these employee numbers nobody has. */
export async function unknownEmployeeNumbers(
  database: Queryable,
  workspaceId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ number: string }>(
    `select number
       from unnest($2::text[]) as number
      where not exists (select from members where workspace_id = $1 and employee_number = number)`,
    [workspaceId, numbers],
  );
  return new Set(rows.map((row) => row.number));
}
