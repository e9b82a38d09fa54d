import type { Queryable } from '../database/database.ts';

/** What tells two people apart who have the same address one after the other. */
interface Marks {
  employeeNumber?: string | null | undefined;
  externalId?: string | null | undefined;
}

/** Somebody whom an address leads to. */
export interface KnownPerson extends Marks {
  hasLeft: boolean;
}

/**
 * Whether what another system says under an address is about the person who has it.
 *
 * - `same`: nothing contradicts it.
 * - `recycled`: it is about somebody else, and the one who has the address has left. The address goes to the new person
 *   (`releaseAddresses`, then a new member), and the history stays with the leaver.
 * - `contradicting`: it is about somebody else, and the one who has the address is still here. A person has to decide.
 *
 * Employee numbers decide where both are known. Else two different external ids are two people. A new hire must never become
 * the one who had their address before, whose private texts they would then read.
 */
export function comparePerson(known: KnownPerson, said: Marks): 'same' | 'recycled' | 'contradicting' {
  if (!isAnother(known, said)) return 'same';
  return known.hasLeft ? 'recycled' : 'contradicting';
}

function isAnother(known: Marks, said: Marks): boolean {
  if (known.employeeNumber && said.employeeNumber) return known.employeeNumber !== said.employeeNumber;
  return Boolean(known.externalId && said.externalId && known.externalId !== said.externalId);
}

/**
 * Takes addresses (e-mail addresses and logins) away from members, so that somebody else can have them. They do not become
 * former addresses: nothing leads from them to these members any more. The caller holds the workspace's lock.
 */
export async function releaseAddresses(
  tx: Queryable,
  workspaceId: number,
  memberIds: readonly number[],
  addresses: readonly string[],
): Promise<void> {
  await tx.query(releaseSql, [workspaceId, memberIds, addresses]);
  await tx.query(
    `delete from former_addresses
      where workspace_id = $1
        and member_id = any($2::bigint[])
        and email_key in (select lower(address) from unnest($3::text[]) as address)`,
    [workspaceId, memberIds, addresses],
  );
}

/** The same for employee numbers. */
export async function releaseNumber(
  tx: Queryable,
  workspaceId: number,
  memberId: number,
  number: string,
): Promise<void> {
  await tx.query(
    `update members
        set employee_number = null, changed_at = now()
      where workspace_id = $1 and employee_number = $3 and coalesce(merged_into, id) = $2`,
    [workspaceId, memberId, number],
  );
}

// An address may stand on a record that was merged into the member. Lower case is PostgreSQL's, as in every look-up.
const releaseSql = `
  update members m
     set email      = case when m.email_key = any(released.keys) then null else m.email end,
         user_name  = case when lower(m.user_name) = any(released.keys) then null else m.user_name end,
         changed_at = now()
    from (select array_agg(lower(address)) as keys from unnest($3::text[]) as address) released
   where m.workspace_id = $1
     and m.id in (select id from members where workspace_id = $1 and id = any($2::bigint[])
                   union all
                  select id from members where workspace_id = $1 and merged_into = any($2::bigint[]))
     and (m.email_key = any(released.keys) or lower(m.user_name) = any(released.keys))`;
