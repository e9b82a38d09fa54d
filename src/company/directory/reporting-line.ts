import { type Queryable, queryOne } from '../../ground/database/database.ts';

/**
 * True for a member below a manager: their direct reports, the reports of these, and so on. A record that was merged into one of them is
 * below the manager too: gifts and activities keep its id, and it has no manager of its own. True for all people if `manager` is null,
 * so that a list has one statement for managers and for all other users. All three are SQL expressions; the first two must not depend on the
 * row, because PostgreSQL then reads the reporting line once for a statement. People in a loop of managers count as people without a
 * manager: no person who is above the manager is below them.
 */
export function isReportOf(workspaceId: string, manager: string, member: string): string {
  const isAbove = (id: string) => `${id} in (${lineAbove(workspaceId, manager)})`;
  return `(${manager}::bigint is null or ${member} in (
    with recursive line (id) as (
      select direct.id
        from members direct
       where direct.workspace_id = ${workspaceId} and direct.manager_id = ${manager}::bigint and not ${isAbove('direct.id')}
      union
      select below.id
        from line
        join members below on below.workspace_id = ${workspaceId} and below.manager_id = line.id
       where not ${isAbove('below.id')})
    select id from line
    union all
    select merged.id
      from line
      join members merged on merged.workspace_id = ${workspaceId} and merged.merged_into = line.id))`;
}

/**
 * The ids of a member, of their manager, of the manager of that one, and so on, as a subquery. Both are SQL expressions. People who manage
 * each other in a circle end it.
 */
export function lineAbove(workspaceId: string, member: string): string {
  return `
    with recursive above (id) as (
      select ${member}::bigint
      union
      select one.manager_id
        from above
        join members one on one.workspace_id = ${workspaceId} and one.id = above.id
       where one.manager_id is not null)
    select id from above`;
}

/** Whether a member is below a manager. True for all people if the manager is null. */
export async function isBelow(
  on: Queryable,
  workspaceId: number,
  manager: number | null,
  member: number,
): Promise<boolean> {
  if (manager === null) return true;
  const { found } = await queryOne<{ found: boolean }>(on, `select ${isReportOf('$1', '$2', '$3::bigint')} as found`, [
    workspaceId,
    manager,
    member,
  ]);
  return found;
}

/** The ids of all people below a manager, and of the records merged into them; null if there are more than `most`. */
export async function readReports(
  on: Queryable,
  workspaceId: number,
  manager: number,
  most: number,
): Promise<number[] | null> {
  const rows = await on.query<{ id: number }>(
    `select m.id from members m where m.workspace_id = $1 and ${isReportOf('$1', '$2', 'm.id')} limit $3`,
    [workspaceId, manager, most + 1],
  );
  return rows.length > most ? null : rows.map(({ id }) => id);
}
