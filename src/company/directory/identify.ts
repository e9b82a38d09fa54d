import type { Queryable } from '../../ground/database/database.ts';
import {
  addressKey,
  isSurvivor,
  memberByAddress,
  memberByEmail,
  memberByLogin,
  memberByNumber,
  survivorOf,
} from './who.ts';

export interface Identifiers {
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
}

/** The members that the two parts of an identity find; null if no person has it. */
export interface Identified {
  byEmail: number | null;
  byEmployeeNumber: number | null;
  /** The address is that of a merged record. It identifies the survivor, who cannot have it a second time. */
  isEmailOfMerged: boolean;
  /** No person has the address now, neither as email address nor as login. */
  isFormerEmail: boolean;
}

/** Looks people up by email address (see who.ts) and by employee number. */
export async function identify(
  tx: Queryable,
  workspaceId: number,
  identities: readonly Identifiers[],
): Promise<Identified[]> {
  return tx.query<Identified>(
    `select ${memberByAddress('$1::bigint', 'asked.email')} as "byEmail",
            ${memberByNumber('$1::bigint', 'asked.employee_number')} as "byEmployeeNumber",
            coalesce(${memberByEmail('$1::bigint', 'asked.email', `not (${isSurvivor('m')})`)}, false) as "isEmailOfMerged",
            coalesce(${memberByEmail('$1::bigint', 'asked.email')},
                     ${memberByLogin('$1::bigint', 'asked.email')}) is null as "isFormerEmail"
       from unnest($2::text[], $3::text[]) with ordinality as asked (email, employee_number, nth)
      order by nth`,
    [workspaceId, identities.map(({ email }) => email ?? null), identities.map((one) => one.employeeNumber ?? null)],
  );
}

/** Email addresses in the form in which the database compares them, and employee numbers. */
export interface Keys {
  emailKeys: string[];
  employeeNumbers: string[];
}

/**
 * All addresses and numbers that identify the same people as these do: those of merged records, logins and former addresses
 * included.
 */
export async function readAliases(tx: Queryable, workspaceId: number, keys: Keys): Promise<Keys> {
  const rows = await tx.query<{ emailKey: string | null; employeeNumber: string | null }>(
    `with people as (
       select ${memberByAddress('$1::bigint', 'asked.key')} as id from unnest($2::text[]) as asked (key)
        union
       select ${survivorOf('m')} from members m where m.workspace_id = $1 and m.employee_number = any($3::text[])
     ),
     records as (
       select m.id, m.email_key, m.user_name, m.employee_number
         from people
         join members m on m.workspace_id = $1 and m.id = people.id
        union all
       select m.id, m.email_key, m.user_name, m.employee_number
         from people
         join members m on m.workspace_id = $1 and m.merged_into = people.id
     )
     select email_key as "emailKey", employee_number as "employeeNumber" from records
      union all
     select ${addressKey('user_name')}, null from records
      union all
     select f.email_key, null
       from records
       join former_addresses f on f.workspace_id = $1 and f.member_id = records.id`,
    [workspaceId, keys.emailKeys, keys.employeeNumbers],
  );
  return {
    emailKeys: rows.flatMap(({ emailKey }) => emailKey ?? []),
    employeeNumbers: rows.flatMap(({ employeeNumber }) => employeeNumber ?? []),
  };
}
