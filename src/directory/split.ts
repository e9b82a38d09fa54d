import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { lockWorkspaces } from '../workspaces/lock.ts';
import type { MemberFields } from './member-fields.ts';
import { releaseAddresses, releaseNumber } from './recycled.ts';
import { addMembers, updateMembers } from './save.ts';
import { settleTeams } from './teams.ts';

/** What leads to a member and can go to another record. A login goes with its external id. */
export const splitParts = ['email', 'login', 'employeeNumber'] as const;
export type SplitPart = (typeof splitParts)[number];

/** A member's record, as a split or a merge shows it before anything happens. */
export interface MemberRecord
  extends Required<Omit<MemberFields, 'leftOn' | 'active' | 'firstName' | 'lastName' | 'managerReference'>> {
  id: number;
  firstName: string;
  lastName: string;
  active: boolean;
  recognitions: number;
}

/** What of the parts the record has, by the name of the field. An address that is also the login goes as both. */
export function movedBySplit(record: MemberRecord, parts: readonly SplitPart[]): Partial<MemberFields> {
  const { email, userName, externalId, employeeNumber } = record;
  const isLogin = email !== null && email.toLowerCase() === userName?.toLowerCase();
  const movesEmail = parts.includes('email') || (isLogin && parts.includes('login'));
  const movesLogin = parts.includes('login') || (isLogin && parts.includes('email'));
  return {
    ...(movesEmail && email !== null && { email }),
    ...(movesLogin && userName !== null && { userName }),
    ...(movesLogin && externalId !== null && { externalId }),
    ...(parts.includes('employeeNumber') && employeeNumber !== null && { employeeNumber }),
  };
}

/**
 * Makes two people of one record, where an address went from one person to another unnoticed. The new record gets what leads
 * to the person and what is known about them today, teams included, and is here. The old one keeps its id and the history, and
 * has left.
 * Returns the id of the new record.
 */
export async function splitMember(
  tx: Queryable,
  workspaceId: number,
  id: number,
  parts: readonly SplitPart[],
): Promise<number> {
  await lockWorkspaces(tx, [workspaceId]);
  const record = await readRecord(tx, workspaceId, id);
  const moved = movedBySplit(record, parts);
  if (Object.keys(moved).length === 0)
    throw new Failure(
      'invalid',
      `Member ${id} has none of these: ${parts.join(', ')}. Nothing would lead to a new record.`,
    );
  const addresses = [moved.email, moved.userName].filter((address) => typeof address === 'string');
  await releaseAddresses(tx, workspaceId, [id], addresses);
  if (moved.employeeNumber) await releaseNumber(tx, workspaceId, id, moved.employeeNumber);
  await updateMembers(tx, workspaceId, [
    { id, active: false, ...(moved.externalId !== undefined && { externalId: null }) },
  ]);
  const { id: _id, recognitions: _count, email: _email, userName: _login, ...rest } = record;
  const { externalId: _external, employeeNumber: _number, ...known } = rest;
  const [added = 0] = await addMembers(tx, workspaceId, [{ ...known, ...moved, active: true }]);
  await tx.query(teamsSql, [workspaceId, id, added]);
  await settleTeams(tx, workspaceId, [id, added]);
  await tx.query(reportsSql, [workspaceId, id, added]);
  await tx.query(tokensSql, [workspaceId, id, added]);
  // The identity provider finds the person under the new record's id, and the old one is no user any more.
  if (moved.userName !== undefined) await tx.query(deprovisionSql, [workspaceId, id]);
  return added;
}

const teamsSql = 'update team_members set member_id = $3 where workspace_id = $1 and member_id = $2';

// People who report to them, and tokens that act as them, are those of the person who is here.
const reportsSql = `
  update members
     set manager_id = $3, changed_at = now()
   where workspace_id = $1
     and manager_id = $2
     and id <> $3`;

const tokensSql = 'update api_token_workspaces set member_id = $3 where workspace_id = $1 and member_id = $2';

const deprovisionSql = `
  update members
     set deprovisioned_at = now(), changed_at = now()
   where workspace_id = $1
     and id = $2`;

export async function readRecord(tx: Queryable, workspaceId: number, id: number): Promise<MemberRecord> {
  const [record] = await tx.query<MemberRecord>(
    `select m.id, m.email, m.employee_number as "employeeNumber", m.user_name as "userName",
            m.external_id as "externalId", m.first_name as "firstName", m.last_name as "lastName",
            m.display_name as "displayName", m.formatted_name as "formattedName", m.department,
            m.cost_centre as "costCentre", m.location, m.currency, m.picture_url as "pictureUrl",
            m.manager_id as "managerId", m.left_at is null as active, m.recognition_count as recognitions
       from members m
      where m.workspace_id = $1
        and m.id = $2
        and is_person(m)`,
    [workspaceId, id],
  );
  if (!record) throw new Failure('setup', `Workspace ${workspaceId} has no member with the id ${id}.`);
  return record;
}
