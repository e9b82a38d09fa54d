/** True for a person `alias` of `members` of the workspace $1 whose erasure was asked for. */
export function isToBeErased(alias: string): string {
  return `${alias}.id in (select e.member_id from erasures e where e.workspace_id = $1)`;
}
