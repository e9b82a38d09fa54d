import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { shownName } from '../directory/names.ts';
import { addressKey, hasEmail } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { asMember } from './actor.ts';
import { type Employee, findEmployees } from './memberships.ts';
import {
  bytesOf,
  insertSession,
  linkMinutes,
  type Opening,
  type Proof,
  type SignedIn,
  type SignInOptions,
} from './session-rows.ts';
import { makeSecret } from './token-secret.ts';

/** What was noted with a link that was emailed: its address, and who had it in the directories of workspaces. Null if it was not emailed. */
export interface ProvenLink {
  emailKey: string | null;
  memberIds: readonly number[] | null;
}

/** Creates the secret of a link for employees who are not users. It works once, within a quarter of an hour, and replaces earlier ones. */
export async function makeEmployeeLink(
  tx: Queryable,
  { environment }: Pick<SignInOptions, 'environment'>,
  email: string,
  employees: readonly Employee[],
): Promise<string> {
  const secret = makeSecret(environment, 'link');
  await tx.query(`delete from employee_links l where ${hasEmail('l', '$1')}`, [email]);
  await tx.query(
    `insert into employee_links (hash, email_key, member_ids, expires_at)
     values ($1, ${addressKey('$2')}, $3, now() + $4::int * interval '1 minute')`,
    [bytesOf(secret), email, employees.map(({ memberId }) => memberId), linkMinutes],
  );
  return secret;
}

/** Signs in whom a link is for, and ends the link. Null if it was used, has expired or never was one, or if none of them is let in now. */
export async function useEmployeeLink(
  tx: Queryable,
  options: SignInOptions,
  link: string,
  browser: string | null,
): Promise<SignedIn | null> {
  const used = await queryOptional<ProvenLink & { isOpen: boolean }>(
    tx,
    `delete from employee_links
      where hash = $1
     returning email_key as "emailKey", member_ids::float8[] as "memberIds", expires_at > now() as "isOpen"`,
    [bytesOf(link)],
  );
  const proof = used?.isOpen ? await proofOfLink(tx, used) : null;
  return proof && openEmployeeSession(tx, options, { way: 'LINK', browser, proof });
}

/**
 * What a link proves now: the members who had its address when it was emailed, and still have it. An address that has gone to another person meanwhile
 * opens nothing.
 */
export async function proofOfLink(on: Queryable, { emailKey, memberIds }: ProvenLink): Promise<Proof | null> {
  if (emailKey === null) return null;
  const employees = await findEmployees(on, emailKey);
  return {
    email: emailKey,
    subject: null,
    employees: employees.filter(({ memberId }) => memberIds?.includes(memberId)),
  };
}

/** Opens a session for employees who are not users. Null if none of them is let in. */
export async function openEmployeeSession(
  tx: Queryable,
  options: SignInOptions,
  opening: Opening & { proof: Proof },
): Promise<SignedIn | null> {
  return opening.proof.employees.length === 0 ? null : insertSession(tx, options, null, opening);
}

/** Notes that the members of a session have signed out. */
export async function auditSignedOut(tx: Queryable, sessionId: number): Promise<void> {
  const members = await tx.query<{ workspaceId: number; id: number; name: string }>(
    `select s.workspace_id as "workspaceId", m.id, ${shownName('m')} as name
       from session_members s
       join members m on m.workspace_id = s.workspace_id and m.id = s.member_id
      where s.session_id = $1
      order by 1`,
    [sessionId],
  );
  await audit(
    tx,
    ...members.map(({ workspaceId, ...subject }) => ({
      workspaceId,
      actor: asMember(subject),
      action: 'member.signed_out' as const,
      subject,
    })),
  );
}
