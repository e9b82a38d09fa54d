/**
 * Which member an e-mail address leads to, as an SQL expression: the one who has it, else the one who signs in with it,
 * else the one who had it before. Null where it leads to nobody. A record that was merged leads to the one that remains.
 *
 * Every statement that looks people up by an address embeds this. Each step is a look-up in an index, and the next one
 * is only made where the one before found nothing. `column` says what is wanted of the member `m`; it must not be null
 * for a member that exists.
 */
export function memberByAddress(
  workspaceId: string,
  address: string,
  column: string = 'coalesce(m.merged_into, m.id)',
): string {
  return `coalesce(
    (select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and m.email_key = lower(${address})),
    (select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and m.user_name is not null and lower(m.user_name) = lower(${address})),
    (select ${column}
       from former_addresses f
       join members m on m.workspace_id = f.workspace_id and m.id = f.member_id
      where f.workspace_id = ${workspaceId} and f.email_key = lower(${address})))`;
}

/** Which member has an employee number, in the same form. */
export function memberByNumber(workspaceId: string, number: string): string {
  return `(select coalesce(m.merged_into, m.id)
       from members m
      where m.workspace_id = ${workspaceId} and m.employee_number = ${number})`;
}
