import { dayIn, zoneOf } from '../workspaces/days.ts';

/**
 * Who a member is, as SQL fragments that other statements embed. `alias` is a table alias of `members`.
 */

/**
 * The form in which email addresses, logins and texts that name a manager are compared. Two of them are the same if PostgreSQL
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

/** The ids of all records of a person, as a statement: of the one that counts, and of those that were merged into it. */
export function recordsOf(workspaceId: string, id: string): string {
  const survivor = `(select ${survivorOf('asked')} from members asked where asked.workspace_id = ${workspaceId} and asked.id = ${id})`;
  return `select m.id from members m
           where m.workspace_id = ${workspaceId} and (m.id = ${survivor} or m.merged_into = ${survivor})`;
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

/** The day on which a person of the workspace $1 left, in its time zone; null for a person who is here. `left_on` has it where it was named. */
export function leftOn(alias: string, zone = zoneOf('$1::bigint')): string {
  return `case when ${hasLeft(alias)} then coalesce(${alias}.left_on, ${dayIn(`${alias}.left_at`, zone)}) end`;
}

/** True for a person whom SCIM has deleted. They stay in the history, and their identifiers are free (RFC 7644, 3.6). */
export function isDeprovisioned(alias: string): string {
  return `${alias}.deprovisioned_at is not null`;
}

/** True for a SCIM user. Integrations, merged records and deprovisioned people are no SCIM resources. */
export function isUser(alias: string): string {
  return `${isPerson(alias)} and not (${isDeprovisioned(alias)})`;
}

/** True for the member who has this email address now. */
export function hasEmail(alias: string, address: string): string {
  return `${alias}.email_key = ${addressKey(address)}`;
}

/** True for the member who signs in with this name. It names the column twice because the index holds logins alone. */
export function hasLogin(alias: string, login: string): string {
  return `(${alias}.user_name is not null and ${addressKey(`${alias}.user_name`)} = ${addressKey(login)})`;
}

/** True for the row of former_addresses that has this address. */
export function hasFormerAddress(alias: string, address: string): string {
  return `${alias}.email_key = ${addressKey(address)}`;
}

/** True for the member who has this employee number. Unlike addresses, numbers that differ in case are different. */
export function hasNumber(alias: string, number: string): string {
  return `${alias}.employee_number = ${number}`;
}

/**
 * Which member an email address identifies: the one who has it, else the one who signs in with it, else the one who had it
 * before. Null if it finds no person.
 *
 * Each step is a look-up in an index, made only if the step before found nothing. `column` is what the expression returns
 * of the member `m`; it must not be null for a member that exists.
 */
export function memberByAddress(workspaceId: string, address: string, column: string = survivorOf('m')): string {
  return `coalesce(
    ${holderOf(workspaceId, address, column)},
    (select ${column}
       from former_addresses f
       join members m on m.workspace_id = ${workspaceId} and m.id = f.member_id
      where f.workspace_id = ${workspaceId} and ${hasFormerAddress('f', address)}))`;
}

/** Which member has an email address now, or signs in with it. An earlier holder may be another person. */
export function holderOf(workspaceId: string, address: string, column: string = survivorOf('m')): string {
  return `coalesce(${memberByEmail(workspaceId, address, column)}, ${memberByLogin(workspaceId, address, column)})`;
}

/** Which member has an email address now. */
export function memberByEmail(workspaceId: string, address: string, column: string = survivorOf('m')): string {
  return `(select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and ${hasEmail('m', address)})`;
}

/** Which member signs in with this name. */
export function memberByLogin(workspaceId: string, login: string, column: string = survivorOf('m')): string {
  return `(select ${column}
       from members m
      where m.workspace_id = ${workspaceId} and ${hasLogin('m', login)})`;
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
      where m.workspace_id = ${workspaceId} and ${hasNumber('m', number)})`;
}

/**
 * True if the person that a line of an order names has left. If there is an email address, the number is ignored. Numbers are
 * looked up in an index that holds leavers alone.
 */
export function namedHasLeft(workspaceId: string, email: string, number: string): string {
  return `case when ${email} is not null
                then ${memberByAddress(workspaceId, email, hasLeft('m'))}
                else exists (select from members m
                              where m.workspace_id = ${workspaceId} and ${hasNumber('m', number)}
                                and ${hasLeft('m')}) end`;
}
