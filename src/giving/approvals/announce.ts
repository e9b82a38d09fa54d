import { appendEvents } from '../../company/events/log.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import type { FulfilStep } from '../orders/order-steps.ts';
import { closeRequests, isAsked } from './requests.ts';

/** Orders that wait now, wait for the next level, or were decided. The transaction holds the workspace's lock. */
export interface ChangedApprovals {
  workspaceId: number;
  moment: string;
  requestIds: readonly string[];
}

/** A step of orders that fail because they were declined, and of orders whose approval changes. */
export interface ApprovalStep extends FulfilStep {
  onChange?(tx: Queryable, changed: ChangedApprovals): Promise<void>;
}

/** Appends the events of orders that wait and have none yet, in every workspace. */
export async function announceAllWaiting(database: Database, steps: readonly ApprovalStep[]): Promise<number> {
  let announced = 0;
  const found = await database.query<{ workspaceId: number }>(
    'select distinct workspace_id as "workspaceId" from order_approvals where not is_announced',
  );
  await inEachWorkspace(found, async ({ workspaceId }) => {
    announced += await inWorkspace(database, workspaceId, async (tx, moment) => {
      await closeRequests(tx, workspaceId, moment);
      return announceWaiting(tx, steps, workspaceId, moment);
    });
  });
  return announced;
}

/**
 * The same in one workspace, whose lock the caller holds. A decision calls it first, so that events come in their sequence. It closes no request: acceptance
 * of an order locks budgets first, then its request, and a decision locks budgets too.
 */
export async function announceWaiting(
  tx: Queryable,
  steps: readonly ApprovalStep[],
  workspaceId: number,
  moment: string,
): Promise<number> {
  const rows = await tx.query<WaitingRow>(announceSql, [workspaceId]);
  await appendEvents(tx, workspaceId, moment, rows.map(waitingEvent));
  await runApprovalSteps(tx, steps, workspaceId, moment, rows);
  return rows.length;
}

export async function runApprovalSteps(
  tx: Queryable,
  steps: readonly ApprovalStep[],
  workspaceId: number,
  moment: string,
  rows: readonly { requestId: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const requestIds = rows.map(({ requestId }) => requestId);
  for (const step of steps) await step.onChange?.(tx, { workspaceId, moment, requestIds });
}

export interface WaitingRow {
  requestId: string;
  customerRequestId: string | null;
  traceparent: string | null;
  ruleId: number;
  level: number;
  dueAt: Date;
}

export function waitingEvent({ traceparent, dueAt, ...data }: WaitingRow): NewEvent {
  const { requestId, customerRequestId, ruleId, level } = data;
  const decideBy = dueAt.toISOString();
  return { type: 'order.waiting', data: { requestId, customerRequestId, ruleId, level, decideBy }, traceparent };
}

const announceSql = `
  with announced as (
    update order_approvals a
       set is_announced = true
     where workspace_id = $1
       and not is_announced
       and ${isAsked('a')}
    returning workspace_id, request_id, rule_id, level, due_at
  )
  select a.request_id as "requestId", r.customer_request_id as "customerRequestId", r.traceparent, a.rule_id as "ruleId", a.level,
         a.due_at as "dueAt"
    from announced a
    join order_requests r on r.workspace_id = $1 and r.request_id = a.request_id
   order by a.request_id`;
