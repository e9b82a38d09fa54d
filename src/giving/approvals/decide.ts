import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { addressKey, recordsOf } from '../../company/directory/who.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { OrderApproval, OrderDecisions } from '../../ground/contract/approval.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import type { FulfilStep } from '../orders/order-steps.ts';
import { announceWaiting } from './announce.ts';
import { type Deciders, deciderOf, readDeciders } from './deciders.ts';
import { maySee, noApproval } from './list.ts';
import { approveOrders, declineOrders } from './outcomes.ts';
import { type ApprovalRow, approvalOf, askedAbout, readApprovalRows } from './read.ts';

/**
 * Decides orders that wait, all of them or none. Of two approvers, the first decides, and the other gets a 409 that says who did. The
 * same decision again changes nothing. `steps` are those of orders that fail.
 */
export async function decideOrders(
  database: Database,
  steps: readonly FulfilStep[],
  workspace: WorkspaceGrant,
  actor: Actor,
  { requestIds, decision, comment = null }: OrderDecisions,
): Promise<OrderApproval[]> {
  if (decision === 'DECLINED' && comment === null)
    throw invalid([{ path: 'comment', problem: 'is required to decline: it tells the sender why' }]);
  const { workspaceId, memberId } = workspace;
  const asked = requestIds.map((id) => id.toLowerCase());
  const { decided, finished } = await inWorkspace(database, workspaceId, async (tx, moment) => {
    await announceWaiting(tx, workspaceId, moment);
    const deciders = await readDeciders(tx, workspaceId);
    const rows = await readAsked(tx, workspace, asked, deciders);
    const open = rows.filter((row) => !isRepeated(row, deciders, { memberId, decision, comment }));
    for (const row of open) checkMay(row, deciders, memberId);
    await refuseRecipients(tx, workspaceId, memberId, open);
    const by = { workspaceId, moment, actor, memberId: deciderOf(deciders, memberId), comment };
    const finished =
      decision === 'APPROVED' ? await approveOrders(tx, by, open) : await declineOrders(tx, steps, by, open);
    const after = await readAsked(tx, workspace, asked, deciders);
    return { decided: after.map((row) => approvalOf(row, deciders)), finished };
  });
  if (finished) tellSteps(steps, finished);
  return decided;
}

/** In the order of the ids. */
async function readAsked(
  tx: Queryable,
  workspace: WorkspaceGrant,
  requestIds: readonly string[],
  deciders: Deciders,
): Promise<ApprovalRow[]> {
  const rows = new Map(
    (await readApprovalRows(tx, workspace.workspaceId, requestIds)).map((row) => [row.requestId, row] as const),
  );
  return requestIds.map((requestId) => {
    const row = rows.get(requestId);
    if (!row || !maySee(workspace, row, deciders)) throw noApproval(requestId);
    return row;
  });
}

/** Whether the same person has decided the same already, at the level that was open then. */
function isRepeated(
  { decisions, state }: ApprovalRow,
  deciders: Deciders,
  made: { memberId: number; decision: string; comment: string | null },
): boolean {
  const last = decisions.at(-1);
  const isSame = last?.decision === made.decision && (last.comment ?? null) === made.comment;
  return (
    isSame && (state === made.decision || state === 'WAITING') && last?.by?.id === deciderOf(deciders, made.memberId)
  );
}

function checkMay(row: ApprovalRow, deciders: Deciders, memberId: number): void {
  const { state, requestId, parties, decisions } = row;
  if (state !== 'WAITING') throw alreadyDecided(row);
  const self = deciderOf(deciders, memberId);
  if (parties.some((id) => deciderOf(deciders, id) === self)) throw isParty(requestId);
  if (decisions.some(({ by }) => by?.id === self))
    throw new Failure(
      'forbidden',
      `You have approved order ${requestId} already: another person decides at this level.`,
    );
  const { asked } = askedAbout(row, deciders);
  if (asked.some(({ id }) => id === self)) return;
  const names = asked.map(({ name }) => name).join(', ');
  throw new Failure(
    'forbidden',
    names
      ? `You are not asked about order ${requestId}: it waits for ${names}.`
      : `No person can decide order ${requestId}: every approver and owner is a party. It is declined when its time is over.`,
  );
}

function alreadyDecided({ requestId, decisions }: ApprovalRow): Failure {
  const last = decisions.at(-1);
  const at = last ? new Date(last.at).toISOString() : '';
  if (!last?.by) return new Failure('conflict', `The time to decide order ${requestId} was over at ${at}.`);
  return new Failure(
    'conflict',
    `${last.by.name} ${last.decision.toLowerCase()} order ${requestId} at ${at}: there is nothing left to decide.`,
  );
}

function isParty(requestId: string): Failure {
  return new Failure(
    'forbidden',
    `You sent or requested order ${requestId}, or receive a gift of it: another approver must decide it.`,
  );
}

/** The recipients as they are now: a person may have got an address, or been added, since the order came. */
async function refuseRecipients(
  tx: Queryable,
  workspaceId: number,
  memberId: number,
  rows: readonly ApprovalRow[],
): Promise<void> {
  const requestIds = rows.map(({ requestId }) => requestId);
  const [found] = await tx.query<{ requestId: string }>(receivesSql, [workspaceId, requestIds, memberId]);
  if (found) throw isParty(found.requestId);
}

// It looks for the addresses of one person in the orders, because looking each recipient up takes a second for 100,000 gifts.
const receivesSql = `
  with own as (${recordsOf('$1', '$3')}),
  addresses as (
    select m.email_key as address from members m join own using (id) where m.workspace_id = $1 and m.email_key is not null
    union all
    select ${addressKey('m.user_name')} from members m join own using (id) where m.workspace_id = $1 and m.user_name is not null
    union all
    select f.email_key from former_addresses f join own on own.id = f.member_id where f.workspace_id = $1
  ),
  numbers as (
    select m.employee_number as number from members m join own using (id) where m.workspace_id = $1 and m.employee_number is not null
  )
  select r.request_id as "requestId"
    from order_requests r
   cross join jsonb_array_elements(r.body -> 'orderItems') as item
   where r.workspace_id = $1
     and r.request_id = any($2::uuid[])
     and case when item #>> '{recipient,email}' is not null
              then ${addressKey(`item #>> '{recipient,email}'`)} in (select address from addresses)
              else item #>> '{recipient,employeeNumber}' in (select number from numbers) end
   limit 1`;
