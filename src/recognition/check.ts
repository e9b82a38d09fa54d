import type { WorkspaceGrant } from '../access/grants.ts';
import type { ShoutoutRequest } from '../contract/shoutout.ts';
import type { Queryable } from '../database/database.ts';
import { type Failure, type Fault, invalid } from '../errors.ts';

export interface Checked {
  senderId: number;
  /** What is wrong with it in its workspace; null where it can be recorded. */
  fault: Failure | null;
}

interface Found {
  isKnown: boolean;
  hasLeft: boolean;
  senderId: number | null;
  senderHasLeft: boolean;
  hasReason: boolean;
}

/** Compares shoutouts with the people and the reasons of their workspace. */
export async function checkShoutouts(
  tx: Queryable,
  shoutouts: readonly { workspace: WorkspaceGrant; shoutout: ShoutoutRequest }[],
): Promise<Checked[]> {
  const workspaceId = shoutouts[0]?.workspace.workspaceId;
  if (workspaceId === undefined) return [];
  const found = await tx.query<Found>(findSql, [
    workspaceId,
    shoutouts.map(({ shoutout }) => shoutout.recipient.email ?? null),
    shoutouts.map(({ shoutout }) => shoutout.recipient.employeeNumber ?? null),
    shoutouts.map(({ shoutout }) => shoutout.sender?.email ?? null),
    shoutouts.map(({ shoutout }) => shoutout.sender?.employeeNumber ?? null),
    shoutouts.map(({ shoutout }) => shoutout.reasonId ?? null),
  ]);
  return shoutouts.map(({ workspace, shoutout }, nth) => {
    const one = found[nth] as Found;
    const faults = faultsOf(one, workspace, shoutout);
    return { senderId: one.senderId ?? workspace.memberId, fault: faults.length > 0 ? invalid(faults) : null };
  });
}

function faultsOf(found: Found, workspace: WorkspaceGrant, { recipient, sender }: ShoutoutRequest): Fault[] {
  const faults: Fault[] = [];
  if (found.hasLeft && !workspace.acceptsLeavers)
    faults.push({ path: 'recipient', problem: 'has left the workspace and takes no shoutouts' });
  if (!found.isKnown && !recipient.email && workspace.refusesUnknownEmployeeNumbers)
    faults.push({ path: 'recipient.employeeNumber', problem: 'is not known in this workspace' });
  if (sender && found.senderId === null) faults.push({ path: 'sender', problem: 'is not known in this workspace' });
  else if (sender && found.senderHasLeft) faults.push({ path: 'sender', problem: 'has left the workspace' });
  if (!found.hasReason) faults.push({ path: 'reasonId', problem: "is none of the workspace's reasons" });
  return faults;
}

const member = (alias: string, email: string, number: string) => `
    left join members ${alias}_by_email
           on ${alias}_by_email.workspace_id = $1 and ${alias}_by_email.email_key = lower(${email})
    left join members ${alias}_by_number
           on ${alias}_by_number.workspace_id = $1 and ${alias}_by_number.employee_number = ${number}
          and ${email} is null`;

const findSql = `
  select coalesce(r_by_email.id, r_by_number.id) is not null           as "isKnown",
         coalesce(r_by_email.left_at, r_by_number.left_at) is not null as "hasLeft",
         coalesce(s_by_email.merged_into, s_by_email.id, s_by_number.merged_into, s_by_number.id) as "senderId",
         coalesce(s_by_email.left_at, s_by_number.left_at) is not null as "senderHasLeft",
         asked.reason_id is null
           or exists (select from reasons
                       where workspace_id = $1 and id = asked.reason_id and retired_at is null) as "hasReason"
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) with ordinality
           as asked (email, employee_number, sender_email, sender_number, reason_id, nth)
    ${member('r', 'asked.email', 'asked.employee_number')}
    ${member('s', 'asked.sender_email', 'asked.sender_number')}
   order by asked.nth`;
