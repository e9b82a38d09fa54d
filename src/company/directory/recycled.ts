import type { Queryable } from '../../ground/database/database.ts';
import { noteChanged } from './events.ts';
import { addressKey, hasEmail, hasLogin, hasNumber, survivorOf } from './who.ts';
import { type ChangedRow, changingMembers } from './write.ts';

/** What tells apart two people who had the same address, one after the other. */
interface Marks {
  employeeNumber?: string | null | undefined;
  externalId?: string | null | undefined;
}

/** The member that an address identifies. */
export interface KnownPerson extends Marks {
  hasLeft: boolean;
}

/**
 * Whether the data that another system sends with an address is about the member who has the address.
 *
 * - `same`: nothing contradicts it.
 * - `recycled`: it is about another person, and the member has left. The address goes to the new person (`releaseAddresses`,
 *   then a new member), and the history stays with the leaver.
 * - `contradicting`: it is about another person, and the member is still here. A human has to decide.
 *
 * If both employee numbers are known, they decide. Otherwise two different external ids are two people. A new hire must never
 * be taken for the person who had their address before: they would read that person's private texts.
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
 * Takes addresses (email addresses and logins) away from members, so that another person can have them. They do not become
 * former addresses: they no longer identify these members. The caller holds the workspace's lock.
 */
export async function releaseAddresses(
  tx: Queryable,
  workspaceId: number,
  memberIds: readonly number[],
  addresses: readonly string[],
): Promise<void> {
  noteChanged(tx, workspaceId, await tx.query<ChangedRow>(releaseAddressesSql, [workspaceId, memberIds, addresses]));
  await tx.query(
    `delete from former_addresses
      where workspace_id = $1
        and member_id = any($2::bigint[])
        and email_key in (select ${addressKey('address')} from unnest($3::text[]) as address)`,
    [workspaceId, memberIds, addresses],
  );
}

/** The same for an employee number. */
export async function releaseNumber(
  tx: Queryable,
  workspaceId: number,
  memberId: number,
  number: string,
): Promise<void> {
  noteChanged(tx, workspaceId, await tx.query<ChangedRow>(releaseNumberSql, [workspaceId, memberId, number]));
}

/** The identifiers that a member is about to have. */
interface Taken {
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
  userName?: string | null | undefined;
}

/** Takes identifiers away from the records that were merged into a member, so that the member can have them again. */
export async function releaseFromMerged(
  tx: Queryable,
  workspaceId: number,
  memberId: number,
  taken: Taken,
): Promise<void> {
  const { email, employeeNumber, userName } = taken;
  await tx.query(releaseFromMergedSql, [workspaceId, memberId, email, employeeNumber, userName]);
}

// The address may be that of a record merged into the member. PostgreSQL lower-cases it, as in every look-up.
const releaseAddressesSql = changingMembers(`
  update members m
     set email      = case when m.email_key = any(released.keys) then null else m.email end,
         user_name  = case when ${addressKey('m.user_name')} = any(released.keys) then null else m.user_name end,
         changed_at = now()
    from (select array_agg(${addressKey('address')}) as keys from unnest($3::text[]) as address) released
   cross join members before
   where before.workspace_id = $1
     and m.workspace_id = before.workspace_id
     and m.id = before.id
     and before.id in (select id from members where workspace_id = $1 and id = any($2::bigint[])
                   union all
                  select id from members where workspace_id = $1 and merged_into = any($2::bigint[]))
     and (before.email_key = any(released.keys) or ${addressKey('before.user_name')} = any(released.keys))`);

const releaseNumberSql = changingMembers(`
  update members m
     set employee_number = null, changed_at = now()
    from members before
   where before.workspace_id = $1
     and ${hasNumber('before', '$3')}
     and ${survivorOf('before')} = $2
     and m.workspace_id = before.workspace_id
     and m.id = before.id`);

// Merged records are in no count and no search.
const releaseFromMergedSql = `
  update members m
     set email           = case when ${hasEmail('m', '$3::text')} then null else m.email end,
         employee_number = case when ${hasNumber('m', '$4::text')} then null else m.employee_number end,
         user_name       = case when ${hasLogin('m', '$5::text')} then null else m.user_name end
   where m.workspace_id = $1
     and m.merged_into = $2
     and (${hasEmail('m', '$3::text')} or ${hasNumber('m', '$4::text')} or ${hasLogin('m', '$5::text')})`;
