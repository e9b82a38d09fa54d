import { appendEvents } from '../../company/events/log.ts';
import { atTheCommandLine, audit, theService } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { runSteps } from '../../ground/database/run-steps.ts';
import { unavailable } from '../../ground/errors.ts';
import { failOrder } from '../orders/fulfil.ts';
import { checkReleased, releaseOrders } from '../orders/held.ts';
import type { AcceptStep, FailedOrder, FinishedOrders, FulfilStep } from '../orders/order-steps.ts';
import { type ApprovalStep, waitingEvent } from './announce.ts';
import type { ApprovalRow } from './read.ts';

/** The steps of acceptance, which let approved orders through, and those of orders that fail because they were declined. */
export interface DecisionSteps {
  accept: readonly AcceptStep[];
  decline: readonly ApprovalStep[];
}

/** Who decides, when, and what they say. The transaction holds the workspace's lock. */
export interface Decider {
  workspaceId: number;
  moment: string;
  actor: Actor;
  /** Null: no decision came in time. */
  memberId: number | null;
  userId: number | null;
  comment: string | null;
  through?: Through | null;
}

/**
 * How a decision was made, where the approver had not signed in: by the link in the email to them, or by an operator who records it for them at the
 * command line.
 */
export type Through = 'EMAIL' | 'CLI';

/** Approves orders at their level: the next level is asked, or they are fulfilled. Fails if a limit that was set meanwhile rejects one. */
export async function approveOrders(
  tx: Queryable,
  steps: readonly AcceptStep[],
  by: Decider,
  rows: readonly ApprovalRow[],
): Promise<null> {
  if (rows.length === 0) return null;
  const { workspaceId, moment } = by;
  const isLast = ({ level, levels }: ApprovalRow) => level >= levels.length;
  const done = rows.filter(isLast);
  const released = done.map(({ requestId }) => requestId);
  await write(tx, by, rows, 'APPROVED', done);
  await checkReleased(tx, steps, workspaceId, released);
  await releaseOrders(tx, workspaceId, released);
  const next = rows.filter((row) => !isLast(row));
  const events = [...(await waitingAgain(tx, by, next)), ...done.map((row) => approvedEvent(row, by))];
  await appendEvents(tx, workspaceId, moment, events);
  await note(tx, by, rows, 'order.approved');
  return null;
}

/** Declines orders: they fail, and the steps of failed orders return the money. */
export async function declineOrders(
  tx: Queryable,
  steps: readonly FulfilStep[],
  by: Decider,
  rows: readonly ApprovalRow[],
): Promise<FinishedOrders | null> {
  if (rows.length === 0) return null;
  const { workspaceId, moment, memberId } = by;
  const decision = memberId === null ? 'EXPIRED' : 'DECLINED';
  await write(tx, by, rows, decision, rows);
  const failed: FailedOrder[] = [];
  for (const { requestId } of rows) {
    const one = await failOrder(tx, workspaceId, moment, requestId, reasonOf(by));
    if (one) failed.push(one);
  }
  await appendEvents(
    tx,
    workspaceId,
    moment,
    rows.map((row) => declinedEvent(row, by)),
  );
  await note(tx, by, rows, memberId === null ? 'order.expired' : 'order.declined');
  const finished: FinishedOrders = { workspaceId, moment, completed: [], failed, waitedSeconds: [] };
  await runSteps(steps, tx, finished);
  return finished;
}

/**
 * Writes the decision of each order's level, and the state of those that are `done`. The lock lets one decision in at a time; if an order
 * is not as it was read all the same, nothing is decided.
 */
async function write(
  tx: Queryable,
  { workspaceId, moment, memberId, userId, comment }: Decider,
  rows: readonly ApprovalRow[],
  decision: 'APPROVED' | 'DECLINED' | 'EXPIRED',
  done: readonly ApprovalRow[],
): Promise<void> {
  const written = await tx.query(decideSql, [
    workspaceId,
    rows.map(({ requestId }) => requestId),
    rows.map(({ level }) => level),
    done.map(({ requestId }) => requestId),
    decision,
    memberId,
    comment,
    moment,
    userId,
  ]);
  if (written.length !== rows.length) throw unavailable();
}

const decideSql = `
  with decided as (
    update order_approvals a
       set state  = case when a.request_id = any($4::uuid[]) then $5 else a.state end,
           level  = case when a.request_id = any($4::uuid[]) then a.level else a.level + 1 end,
           due_at = case when a.request_id = any($4::uuid[]) then a.due_at
                         else $8::timestamptz + make_interval(days => a.days) end
      from unnest($2::uuid[], $3::int[]) as asked (request_id, level)
     where a.workspace_id = $1
       and a.request_id = asked.request_id
       and a.level = asked.level
       and a.state = 'WAITING'
    returning a.workspace_id, a.request_id, asked.level
  )
  insert into order_decisions (workspace_id, request_id, level, decision, decided_by, decided_user, comment, decided_at)
  select workspace_id, request_id, level, $5, $6, $9, $7, $8::timestamptz from decided
  returning request_id`;

/** Says that the next level is asked. */
async function waitingAgain(tx: Queryable, by: Decider, rows: readonly ApprovalRow[]): Promise<NewEvent[]> {
  if (rows.length === 0) return [];
  const found = await tx.query<{ requestId: string; level: number; dueAt: Date }>(
    `select request_id as "requestId", level, due_at as "dueAt"
       from order_approvals
      where workspace_id = $1
        and request_id = any($2::uuid[])`,
    [by.workspaceId, rows.map(({ requestId }) => requestId)],
  );
  const now = new Map(found.map((one) => [one.requestId, one]));
  return rows.flatMap(({ requestId, customerRequestId, traceparent, rule }) => {
    const one = now.get(requestId);
    return one ? [waitingEvent({ ...one, customerRequestId, traceparent, ruleId: rule.id })] : [];
  });
}

function approvedEvent({ requestId, customerRequestId, traceparent }: ApprovalRow, { memberId }: Decider): NewEvent {
  return { type: 'order.approved', data: { requestId, customerRequestId, decidedBy: memberId as number }, traceparent };
}

function declinedEvent({ requestId, customerRequestId, traceparent }: ApprovalRow, { memberId }: Decider): NewEvent {
  return { type: 'order.declined', data: { requestId, customerRequestId, decidedBy: memberId }, traceparent };
}

/** The order fails with this text, which its sender reads. */
function reasonOf({ memberId, actor, comment }: Decider): string {
  if (memberId === null) return 'No approver decided in time.';
  return `${actor.name ?? 'An approver'} declined the order: ${comment}`;
}

async function note(
  tx: Queryable,
  { workspaceId, actor, memberId, comment, through }: Decider,
  rows: readonly ApprovalRow[],
  action: 'order.approved' | 'order.declined' | 'order.expired',
): Promise<void> {
  const entries = rows.map(({ requestId, rule, level, levels }) => ({
    workspaceId,
    actor: memberId === null ? theService : through === 'CLI' ? atTheCommandLine : actor,
    action,
    subject: { id: requestId, name: null },
    detail: {
      rule: rule.name,
      ruleId: rule.id,
      level,
      levels: levels.length,
      ...(comment !== null && { comment }),
      ...(through === 'EMAIL' && { way: through }),
      ...(through === 'CLI' && { approver: actor.name }),
    },
  }));
  await audit(tx, ...entries);
}
