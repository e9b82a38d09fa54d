import type { AutomationTerms } from '../../ground/contract/automation.ts';
import { type Queryable, queryCount } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AcceptedOrder, FinishedOrders } from '../orders/order-steps.ts';
import { batchOfKey } from './askers.ts';
import { tellOccurrences } from './events.ts';
import type { StoredOccurrence } from './store.ts';

/** The orders of workspace $1 that have failed, as SQL, and why their occurrences have no gift: they were declined, or could not be fulfilled. */
export const failedOrders = `
  select f.request_id, f.failure,
         case when d.request_id is null then 'REJECTED' else 'DECLINED' end as reason
    from orders f
    left join order_approvals d
           on d.workspace_id = f.workspace_id and d.request_id = f.request_id and d.state in ('DECLINED', 'EXPIRED')
   where f.workspace_id = $1
     and f.failure is not null`;

/** Notes that gifts of automations were not issued after all: their orders were declined, or failed. The caller holds the workspace's lock, here and below. */
export async function noteFailedOrders(
  tx: Queryable,
  { workspaceId, moment, failed }: Pick<FinishedOrders, 'workspaceId' | 'moment' | 'failed'>,
): Promise<void> {
  if (failed.length === 0) return;
  const rows = await tx.query<StoredOccurrence & { automationId: number; terms: AutomationTerms }>(failedSql, [
    workspaceId,
    failed.map(({ requestId }) => requestId),
    moment,
  ]);
  for (const some of Map.groupBy(rows, ({ automationId }) => automationId).values()) {
    const [{ automationId, terms }] = some as [(typeof some)[number]];
    await tellOccurrences(tx, workspaceId, moment, { id: automationId, terms }, some);
  }
}

const failedSql = `
  update occurrences o
     set state  = case when o.shoutout_number is null then 'NOT_DONE' else 'MESSAGE_ONLY' end,
         reason = failed.reason,
         detail = failed.failure,
         at     = $3
    from automations a, (${failedOrders} and f.request_id = any($2::uuid[])) failed
   where o.workspace_id = $1
     and o.request_id = failed.request_id
     and o.state = 'SENT'
     and a.workspace_id = $1
     and a.id = o.automation_id
  returning o.id, o.member_id as "memberId", o.for_day as "forDay", o.state, o.reason, o.days_late as "daysLate",
            a.id as "automationId", a.terms`;

/** Lets an order of an automation that failed be tried again, unless one of its gifts was sent with another order since. */
export async function reopenOccurrences(
  tx: Queryable,
  { workspaceId, requestId, idempotencyKey, order }: AcceptedOrder,
): Promise<void> {
  if (batchOfKey(idempotencyKey) === null) return;
  const same = await queryCount(tx, sameSql, [workspaceId, requestId]);
  if (same < order.orderItems.length)
    throw new Failure(
      'conflict',
      'A gift of this order was sent with another order since: send the others from the list of what the automation did.',
    );
  await tx.query(
    `update occurrences set state = 'SENT', reason = null, detail = null where workspace_id = $1 and request_id = $2`,
    [workspaceId, requestId],
  );
}

const sameSql = `
  select count(*) as count
    from occurrences
   where workspace_id = $1
     and request_id = $2
     and state in ('SENT', 'NOT_DONE', 'MESSAGE_ONLY')`;
