import type { Queryable } from '../database/database.ts';

export interface Identity {
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
}

/** Whom an identity leads to, by each of its two halves; null where nobody has it. */
export interface Identified {
  byEmail: number | null;
  byEmployeeNumber: number | null;
}

/** Looks people up by e-mail and by employee number. A record that was merged leads to the one that remains. */
export async function identify(
  tx: Queryable,
  workspaceId: number,
  identities: readonly Identity[],
): Promise<Identified[]> {
  return tx.query<Identified>(
    `select coalesce(by_email.merged_into, by_email.id)   as "byEmail",
            coalesce(by_number.merged_into, by_number.id) as "byEmployeeNumber"
       from unnest($2::text[], $3::text[]) with ordinality as asked (email, employee_number, nth)
       left join lateral (select id, merged_into
                            from members
                           where workspace_id = $1 and email_key = lower(asked.email)
                           limit 1) by_email on true
       left join lateral (select id, merged_into
                            from members
                           where workspace_id = $1 and employee_number = asked.employee_number
                           limit 1) by_number on true
      order by nth`,
    [workspaceId, identities.map(({ email }) => email ?? null), identities.map((one) => one.employeeNumber ?? null)],
  );
}

/** An address as the database compares it, and an employee number. */
export interface Keys {
  emailKeys: string[];
  employeeNumbers: string[];
}

/** Every address and number that leads to the people to whom these lead, merged records included. */
export async function readAliases(tx: Queryable, workspaceId: number, keys: Keys): Promise<Keys> {
  const rows = await tx.query<{ emailKey: string | null; employeeNumber: string | null }>(
    `with people as (
       select coalesce(merged_into, id) as id from members where workspace_id = $1 and email_key = any($2::text[])
        union
       select coalesce(merged_into, id) from members where workspace_id = $1 and employee_number = any($3::text[])
     )
     select email_key as "emailKey", employee_number as "employeeNumber"
       from people
       join members m on m.workspace_id = $1 and m.id = people.id
      union all
     select email_key, employee_number
       from people
       join members m on m.workspace_id = $1 and m.merged_into = people.id`,
    [workspaceId, keys.emailKeys, keys.employeeNumbers],
  );
  return {
    emailKeys: rows.flatMap(({ emailKey }) => emailKey ?? []),
    employeeNumbers: rows.flatMap(({ employeeNumber }) => employeeNumber ?? []),
  };
}
