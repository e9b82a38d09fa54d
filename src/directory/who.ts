/**
 * Who a member is, as SQL fragments that other statements embed. `alias` is a table alias of `members`.
 */

/**
 * The form in which e-mail addresses, logins and texts that name a manager are compared. Two of them are the same if PostgreSQL
 * lower-cases them to the same text. The column `email_key` and the indexes hold exactly this expression. values/email.ts has the
 * same rule for JavaScript.
 */
export function addressKey(address: string): string {
  return `lower(${address})`;
}

/** The id of the record that counts: merged records resolve to the surviving record. */
export function survivorOf(alias: string): string {
  return `coalesce(${alias}.merged_into, ${alias}.id)`;
}

/** True for a record that was not merged into another. */
export function isSurvivor(alias: string): string {
  return `${alias}.merged_into is null`;
}

/** True for a surviving record of a person, whether they are here or have left; false for an integration. */
export function isPerson(alias: string): string {
  return `(not ${alias}.is_integration and ${isSurvivor(alias)})`;
}

/** True for a person who has not left. */
export function isHere(alias: string): string {
  return `${alias}.left_at is null`;
}

/** True for a person who has left. A merged record leaves and returns together with its survivor. */
export function hasLeft(alias: string): string {
  return `${alias}.left_at is not null`;
}

/**
 * Which member an e-mail address leads to: the one who has it, else the one who signs in with it, else the one who had it
 * before. Null if it leads to nobody.
 *
 * Each step is a look-up in an index, made only if the step before found nothing. `column` is what the expression returns
 * of the member `m`; it must not be null for a member that exists.
 */
export function memberByAddress(workspaceId: string, address: string, column: string = survivorOf('m')): string {
  return `coalesce(
    ${memberByEmail(workspaceId, address, column)},
    ${memberByLogin(workspaceId, address, column)},
    (select ${column}
       from former_addresses f
       join members m on m.workspace_id = f.workspace_id and m.id = f.member_id
      where f.workspace_id = ${workspaceId} and f.email_key = ${addressKey(address)}))`;
}

/** Which member has an e-mail address now. */
function memberByEmail(workspaceId: string, address: string, column: string): string {
  return `(select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and m.email_key = ${addressKey(address)})`;
}

/** Which member signs in with this name. */
export function memberByLogin(workspaceId: string, login: string, column: string = survivorOf('m')): string {
  return `(select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and m.user_name is not null and ${addressKey('m.user_name')} = ${addressKey(login)})`;
}

/** Which member has an id. An integration has no person behind it: null. */
export function memberById(workspaceId: string, id: string): string {
  return `(select ${survivorOf('m')}
       from members m
      where m.workspace_id = ${workspaceId} and m.id = ${id} and not m.is_integration)`;
}

/** Which member has an employee number. */
export function memberByNumber(workspaceId: string, number: string, column: string = survivorOf('m')): string {
  return `(select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and m.employee_number = ${number})`;
}
