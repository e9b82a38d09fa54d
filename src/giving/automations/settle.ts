import { survivorOf } from '../../company/directory/who.ts';
import type { OccurrenceReason } from '../../ground/contract/occurrence.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { addBatches, type NewBatch } from './claim.ts';
import type { OpenBatch } from './engine.ts';
import { tellOccurrences } from './events.ts';
import { failedOrders } from './failed-orders.ts';
import type { StoredOccurrence } from './store.ts';

/** What came of a batch. */
export type Outcome =
  | { is: 'SENT'; requestId: string | null; shoutoutNumber: number | null }
  | { is: 'REFUSED'; reason: OccurrenceReason; detail: string };

/** Notes in its rows what came of a batch, and forgets it. The caller holds the workspace's lock, here and below. */
export async function settleRows(
  tx: Queryable,
  workspaceId: number,
  batch: OpenBatch,
  outcome: Outcome,
  moment: string,
): Promise<void> {
  const sent = outcome.is === 'SENT' ? outcome : null;
  const refused = outcome.is === 'REFUSED' ? outcome : null;
  const rows = await tx.query<StoredOccurrence>(settleSql, [
    workspaceId,
    batch.id,
    sent !== null,
    sent?.requestId ?? null,
    sent?.shoutoutNumber ?? null,
    refused?.reason ?? null,
    refused?.detail ?? null,
    moment,
  ]);
  await removeBatch(tx, workspaceId, batch.id);
  await tellOccurrences(tx, workspaceId, moment, { id: batch.automationId, terms: batch.terms }, rows);
}

// A shoutout of a row that lacked money is its message without the gift. A gift that is sent by hand and lacks money again keeps the message that went out.
// The order may have failed already.
const settleSql = `
  update occurrences o
     set state           = case when $3 and o.reason = 'NO_MONEY' and $4::uuid is null then 'MESSAGE_ONLY'
                                when $3 and failed.reason is null then 'SENT'
                                when o.shoutout_number is not null then 'MESSAGE_ONLY'
                                else 'NOT_DONE' end,
         reason          = case when $3 and $4::uuid is not null then failed.reason else coalesce(o.reason, $6) end,
         detail          = case when $3 and $4::uuid is not null then failed.failure else coalesce(o.detail, $7) end,
         request_id      = coalesce($4, o.request_id),
         shoutout_number = coalesce($5, o.shoutout_number),
         batch           = null,
         at              = $8
    from (select) one
    left join (${failedOrders} and f.request_id = $4::uuid) failed on true
   where o.workspace_id = $1
     and o.batch = $2
     and o.state = 'SENDING'
  returning o.id, o.member_id as "memberId", o.for_day as "forDay", o.state, o.reason, o.days_late as "daysLate"`;

/** Divides an order that was refused: the one gift that is the cause must not keep the others back. */
export async function splitBatch(tx: Queryable, workspaceId: number, batch: OpenBatch, moment: string): Promise<void> {
  const order = batch.body as OrderRequest;
  const middle = Math.ceil(batch.rows.length / 2);
  const part = (from: number, to: number): NewBatch => ({
    ...batch,
    kind: 'ORDER',
    body: { ...order, orderItems: order.orderItems.slice(from, to) },
    occurrenceIds: batch.rows.slice(from, to).map(({ id }) => id),
  });
  await addBatches(tx, workspaceId, [part(0, middle), part(middle, batch.rows.length)], moment);
  await removeBatch(tx, workspaceId, batch.id);
}

/** Sends the message of a gift that the budget cannot pay. */
export async function turnIntoShoutout(
  tx: Queryable,
  workspaceId: number,
  batch: OpenBatch,
  detail: string,
  moment: string,
): Promise<void> {
  const { sender, orderItems } = batch.body as OrderRequest;
  const [item] = orderItems as [OrderRequest['orderItems'][number]];
  const [row] = batch.rows as [OpenBatch['rows'][number]];
  const { hiddenDays } = await queryOne<{ hiddenDays: string | null }>(
    tx,
    `update occurrences o
        set reason = 'NO_MONEY', detail = $3
       from members named
       join members m on m.workspace_id = named.workspace_id and m.id = ${survivorOf('named')}
      where o.workspace_id = $1
        and o.id = $2
        and named.workspace_id = o.workspace_id
        and named.id = o.member_id
     returning m.hidden_days as "hiddenDays"`,
    [workspaceId, row.id, detail],
  );
  const body: ShoutoutRequest = {
    recipient: item.recipient,
    message: item.message,
    isPrivate: hiddenDays === 'BOTH' || hiddenDays === batch.terms.trigger.is,
    ...(item.reasonId && { reasonId: item.reasonId }),
    ...(sender && { sender }),
  };
  const { automationId } = batch;
  await addBatches(
    tx,
    workspaceId,
    [{ automationId, kind: 'SHOUTOUT', body, budgetId: null, occurrenceIds: [row.id] }],
    moment,
  );
  await removeBatch(tx, workspaceId, batch.id);
}

async function removeBatch(tx: Queryable, workspaceId: number, id: string): Promise<void> {
  await tx.query('delete from automation_batches where workspace_id = $1 and id = $2', [workspaceId, id]);
}
