/**
 * True for a member below a manager: their direct reports, the reports of these, and so on. True for everybody if `manager` is null,
 * so that a list has one statement for managers and for everybody else. All three are SQL expressions; the first two must not depend on the
 * row, because PostgreSQL then reads the reporting line once for a statement. People who manage each other in a circle end it.
 */
export function isReportOf(workspaceId: string, manager: string, member: string): string {
  return `(${manager}::bigint is null or ${member} in (
    with recursive line (id) as (
      select direct.id from members direct where direct.workspace_id = ${workspaceId} and direct.manager_id = ${manager}::bigint
      union
      select below.id from line join members below on below.workspace_id = ${workspaceId} and below.manager_id = line.id)
    select id from line))`;
}
