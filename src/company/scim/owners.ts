import type { Queryable } from '../../ground/database/database.ts';
import { comparePerson, releaseAddresses, releaseNumber } from '../directory/recycled.ts';
import { hasEmail, hasLeft, hasLogin, hasNumber, isDeprovisioned, survivorOf } from '../directory/who.ts';
import { ScimFailure, taken } from './failure.ts';
import { scimNames, type UserFields } from './user-fields.ts';

export interface Owner {
  field: 'userName' | 'email' | 'employeeNumber';
  id: number;
  /** A user that SCIM has created or adopted. */
  managed: boolean;
  /** A user that SCIM has deleted: their identifiers are free (RFC 7644, 3.6). */
  deleted: boolean;
  hasLeft: boolean;
  employeeNumber: string | null;
  externalId: string | null;
}

/**
 * The members who have this login, email address or employee number now. The email address of a member without a login counts
 * as their login. Former addresses do not count: they are free.
 */
export function readOwners(
  tx: Queryable,
  workspaceId: number,
  { userName, email, employeeNumber }: UserFields,
): Promise<Owner[]> {
  return tx.query<Owner>(ownersSql, [workspaceId, userName, email, employeeNumber]);
}

const ownersSql = `
  select found.field, p.id,
         p.user_name is not null and not (${isDeprovisioned('p')}) as managed,
         ${isDeprovisioned('p')} as deleted,
         ${hasLeft('p')} or ${isDeprovisioned('p')} as "hasLeft",
         p.employee_number as "employeeNumber",
         p.external_id as "externalId"
    from (select 1 as nth, 'userName' as field, ${survivorOf('m')} as id
            from members m
           where m.workspace_id = $1 and ${hasLogin('m', '$2::text')}
           union all
          select 1, 'userName', ${survivorOf('m')}
            from members m
           where m.workspace_id = $1 and m.user_name is null and ${hasEmail('m', '$2::text')}
           union all
          select 2, 'email', ${survivorOf('m')}
            from members m
           where m.workspace_id = $1 and ${hasEmail('m', '$3::text')}
           union all
          select 3, 'employeeNumber', ${survivorOf('m')}
            from members m
           where m.workspace_id = $1 and ${hasNumber('m', '$4::text')}) found
    join members p on p.workspace_id = $1 and p.id = found.id
   order by found.nth`;

/**
 * The owners who are the person to be created. A leaver whose address comes with another employee number or external id is
 * another person, and gives it up. Any other owner makes this fail.
 */
export async function sameOwners(
  tx: Queryable,
  workspaceId: number,
  fields: UserFields,
  owners: readonly Owner[],
): Promise<Owner[]> {
  const same: Owner[] = [];
  for (const owner of owners) {
    const comparison = comparePerson(owner, fields);
    if (owner.managed) throw taken(scimNames[owner.field], comparison === 'same' ? '' : leaverHint(owner));
    if (comparison === 'same') same.push(owner);
    else if (comparison === 'recycled') await releaseFrom(tx, workspaceId, owner, fields);
    else throw contradiction(workspaceId, owner, fields);
  }
  return same;
}

/** Takes an identifier away from a member who no longer needs it. */
export async function releaseFrom(
  tx: Queryable,
  workspaceId: number,
  { id, field }: Owner,
  fields: UserFields,
): Promise<void> {
  const value = fields[field] as string;
  if (field === 'employeeNumber') await releaseNumber(tx, workspaceId, id, value);
  else await releaseAddresses(tx, workspaceId, [id], [value]);
}

function leaverHint({ id, hasLeft }: Owner): string {
  return hasLeft ? `: user ${id}, who has left. To give it to another person, delete that user first` : '';
}

function contradiction(workspaceId: number, { id, field, ...known }: Owner, said: UserFields): ScimFailure {
  const [name, has, comes] =
    known.employeeNumber && said.employeeNumber
      ? ['employeeNumber', known.employeeNumber, said.employeeNumber]
      : ['externalId', known.externalId, said.externalId];
  return new ScimFailure(
    'conflict',
    'uniqueness',
    `User ${id} has this ${scimNames[field]} with the ${name} "${has}", and here it comes with "${comes}". If it is one person, ` +
      `correct the ${name}. If the address went from one person to another, run ` +
      `"giftwire member split id:${id} --move email --workspace ${workspaceId}" and send this again.`,
  );
}
