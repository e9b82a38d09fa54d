import type { Actor } from '../../ground/contract/actor.ts';
import type { splitParts } from '../../ground/contract/member-change.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { addressKey } from '../../ground/values/email.ts';
import { type MemberFieldName, memberFieldNames } from '../../ground/values/member.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { auditMember } from './audit.ts';
import { selectFields } from './columns.ts';
import { customOf } from './custom-fields.ts';
import { moveEmails } from './emails.ts';
import { noteFieldChanged } from './events.ts';
import type { MemberFields } from './member-fields.ts';
import { deprovision } from './provisioning.ts';
import { releaseAddresses, releaseNumber } from './recycled.ts';
import { addMembers, updateMembers } from './save.ts';
import { settleTeams } from './teams.ts';
import { moveTokens } from './tokens.ts';
import { isHere, isPerson } from './who.ts';

export type SplitPart = (typeof splitParts)[number];

/** The fields of a record, and those by which other systems find the person. */
type RecordField = Exclude<MemberFieldName, 'managerReference'>;
const recordFields = memberFieldNames.filter((name): name is RecordField => name !== 'managerReference');
const identifiers: readonly string[] = ['email', 'userName', 'externalId', 'employeeNumber'];
const keptFields = recordFields.filter((name) => !identifiers.includes(name));

/** A member's record, as `member split` and `member merge` show it before they change anything. */
export interface MemberRecord extends Required<Pick<MemberFields, RecordField>> {
  id: number;
  firstName: string;
  lastName: string;
  active: boolean;
  recognitions: number;
  custom: CustomValues | null;
}

/** The fields that these parts move. An email address that is also the login moves as both. */
export function movedBySplit(record: MemberRecord, parts: readonly SplitPart[]): Partial<MemberFields> {
  const { email, userName, externalId, employeeNumber } = record;
  const isLogin = email !== null && userName !== null && addressKey(email) === addressKey(userName);
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
 * Splits one record into two people, for an address that went from one person to another unnoticed. The new record gets the
 * moved identifiers, today's fields and the teams, and is active. The old record keeps its id and the history, and has left.
 * `names` are those of the person in the old record, if they change. Returns the id of the new record.
 */
export async function splitMember(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  parts: readonly SplitPart[],
  names: Pick<MemberFields, 'firstName' | 'lastName'> = {},
): Promise<number> {
  await lockWorkspace(tx, workspaceId);
  const record = await readRecord(tx, workspaceId, id);
  const moved = movedBySplit(record, parts);
  if (Object.keys(moved).length === 0)
    throw new Failure(
      'invalid',
      `Member ${id} has none of these: ${parts.join(', ')}. A new record would have no address and no number.`,
    );
  const addresses = [moved.email, moved.userName].filter((address) => typeof address === 'string');
  await releaseAddresses(tx, workspaceId, [id], addresses);
  if (moved.employeeNumber) await releaseNumber(tx, workspaceId, id, moved.employeeNumber);
  if (moved.externalId !== undefined) await updateMembers(tx, workspaceId, [{ id, externalId: null }]);
  const known = Object.fromEntries(keptFields.map((name) => [name, record[name]]));
  const [added = 0] = await addMembers(tx, workspaceId, [
    { ...known, ...moved, ...(record.custom && { custom: record.custom }), active: true },
  ]);
  await tx.query(teamsSql, [workspaceId, id, added]);
  await settleTeams(tx, workspaceId, [id, added]);
  noteFieldChanged(tx, workspaceId, await tx.query<{ id: number }>(reportsSql, [workspaceId, id, added]));
  // Further addresses come from the identity provider, with the login.
  if (moved.email !== undefined || moved.userName !== undefined) await moveEmails(tx, workspaceId, id, added);
  await moveTokens(tx, workspaceId, id, added);
  await updateMembers(tx, workspaceId, [{ id, active: false, ...names }]);
  // The identity provider finds the person under the new record's id, and the old record is no longer a user.
  if (moved.userName !== undefined) await deprovision(tx, workspaceId, id);
  await auditMember(tx, actor, workspaceId, 'member.split', id, { added });
  return added;
}

const teamsSql = 'update team_members set member_id = $3 where workspace_id = $1 and member_id = $2';

// The people who report to them now report to the new record.
const reportsSql = `
  update members
     set manager_id = $3, changed_at = now()
   where workspace_id = $1
     and manager_id = $2
     and id <> $3
  returning id`;

export async function readRecord(tx: Queryable, workspaceId: number, id: number): Promise<MemberRecord> {
  const record = await queryOptional<MemberRecord>(
    tx,
    `select m.id, ${selectFields('m', recordFields)}, ${isHere('m')} as active, m.recognition_count as recognitions,
            ${customOf('m')} as custom
       from members m
      where m.workspace_id = $1
        and m.id = $2
        and ${isPerson('m')}`,
    [workspaceId, id],
  );
  if (!record) throw new Failure('setup', `Workspace ${workspaceId} has no member with the id ${id}.`);
  return record;
}
