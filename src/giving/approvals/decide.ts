import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { OrderApproval, OrderDecisions } from '../../ground/contract/approval.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { announceWaiting, runApprovalSteps } from './announce.ts';
import { type Deciders, readDeciders } from './deciders.ts';
import { maySee, noApproval } from './list.ts';
import { approveOrders, type DecisionSteps, declineOrders, type Through } from './outcomes.ts';
import { type ApprovalRow, allParties, approvalOf, askedAbout, readApprovalRows } from './read.ts';
import { wholeRequests } from './requests.ts';

/** Since when orders waited as the approver saw them, by requestId. A retry asks again. */
type Seen = ReadonlyMap<string, Date>;

/**
 * Decides orders that wait, all of them or none, each with the orders that are asked about with it. Of two approvers, the first decides, and the other gets a 409 that says who did. The
 * same decision again changes nothing. Only a person decides: `actor` is a user, who decides as the member that they act as now.
 */
export async function decideOrders(
  database: Database,
  steps: DecisionSteps,
  workspace: WorkspaceGrant,
  actor: Actor,
  { requestIds, decision, comment = null, level }: OrderDecisions,
  through: Through | null = null,
  seen: Seen = new Map(),
): Promise<OrderApproval[]> {
  const userId = userOf(actor);
  if (decision === 'DECLINED' && comment === null)
    throw invalid([{ path: 'comment', problem: 'is required to decline: it tells the sender why' }]);
  const asked = requestIds.map((id) => id.toLowerCase());
  if (new Set(asked).size < asked.length) throw invalid([{ path: 'requestIds', problem: 'must name each order once' }]);
  const { workspaceId, onlyReportsOf } = workspace;
  const { decided, finished } = await inWorkspace(database, workspaceId, async (tx, moment) => {
    await announceWaiting(tx, steps.decline, workspaceId, moment);
    const deciders = await readDeciders(tx, workspaceId);
    const memberId = deciders.byUser.get(userId);
    if (memberId === undefined) throw new Failure('forbidden', 'Your role does not decide orders, or you have left.');
    const self = { ...workspace, memberId };
    const whole = await wholeRequests(tx, workspaceId, asked);
    const rows = await readAsked(tx, self, whole, deciders);
    const open = rows.filter((row) => !isRepeated(row, { memberId, decision, comment, level }));
    for (const row of open) {
      checkMay(row, deciders, memberId, decision);
      checkSeen(row, level, seen);
    }
    const by = { workspaceId, moment, actor, memberId, userId, comment, through };
    const finished =
      decision === 'APPROVED'
        ? await approveOrders(tx, steps.accept, by, open)
        : await declineOrders(tx, steps.decline, by, open);
    await runApprovalSteps(tx, steps.decline, workspaceId, moment, open);
    const after = await readAsked(tx, self, whole, deciders);
    return { decided: after.map((row) => approvalOf(row, deciders, onlyReportsOf === null)), finished };
  });
  if (finished) tellSteps(steps.decline, finished);
  return decided;
}

/** A token decides nothing: it may be in the hands of the sender. */
export function userOf({ is, id }: Actor): number {
  if (is === 'USER' && id !== null) return id;
  throw new Failure('forbidden', 'Only a person who has signed in can do this. A token cannot.');
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
  made: { memberId: number; decision: string; comment: string | null; level: number | undefined },
): boolean {
  const last = decisions.at(-1);
  if (made.level !== undefined && made.level !== last?.level) return false;
  const isSame = last?.decision === made.decision && (last.comment ?? null) === made.comment;
  return isSame && (state === made.decision || state === 'WAITING') && last?.by?.id === made.memberId;
}

/** A decision is about what the approver saw. An approval for the first level must not count as one for the second. */
function checkSeen({ requestId, level, levels, since }: ApprovalRow, seenLevel = level, seen: Seen): void {
  if (seenLevel !== level)
    throw new Failure(
      'conflict',
      `Order ${requestId} waits at level ${level} of ${levels.length} now, not at level ${seenLevel}: read it again, then decide.`,
    );
  if (+(seen.get(requestId) ?? since) !== +since)
    throw new Failure('conflict', `Order ${requestId} was tried again since: read it again, then decide.`);
}

function checkMay(row: ApprovalRow, deciders: Deciders, self: number, decision: string): void {
  const { state, requestId, approvedBy } = row;
  if (state !== 'WAITING') throw alreadyDecided(row);
  if (row.together?.isOpen)
    throw new Failure(
      'conflict',
      `Order ${requestId} is one of ${row.together.expected} that are being sent together: approvers are asked when all are here, or a minute after the last one came.`,
    );
  if (allParties(row).includes(self))
    throw new Failure(
      'forbidden',
      `You sent or requested order ${requestId}, or receive a gift of it: another approver must decide it.`,
    );
  if (approvedBy.includes(self))
    throw new Failure(
      'forbidden',
      `You have approved order ${requestId} already: another person decides at this level.`,
    );
  const { asked } = askedAbout(row, deciders);
  if (asked.some(({ id }) => id === self)) {
    // Addresses and records change while an order waits.
    if (decision === 'APPROVED' && approvedBy.some((id) => allParties(row).includes(id)))
      throw new Failure(
        'conflict',
        `A person who approved order ${requestId} at an earlier level may not decide it any more: decline it, and let it be tried again.`,
      );
    return;
  }
  const names = asked.map(({ name }) => name).join(', ');
  throw new Failure(
    'forbidden',
    names
      ? `You are not asked about order ${requestId}: it waits for ${names}.`
      : `No person can decide order ${requestId}: every approver and every owner sent it, requested it or receives a gift of it. It is declined when its time has passed.`,
  );
}

function alreadyDecided({ requestId, decisions }: ApprovalRow): Failure {
  const last = decisions.at(-1);
  const at = last ? new Date(last.at).toISOString() : '';
  if (!last?.by) return new Failure('conflict', `The time to decide order ${requestId} ended at ${at}.`);
  return new Failure(
    'conflict',
    `${last.by.name} ${last.decision.toLowerCase()} order ${requestId} at ${at}: there is nothing left to decide.`,
  );
}
