import type { OrderRequestStatus } from '../../ground/contract/order.ts';

export interface StatusRow {
  requestId: string;
  customerRequestId: string | null;
  orderId: number | null;
  /** Whether the request has a row in `orders`. That row has an id if the order succeeded, and null if it failed. */
  finished: boolean;
}

/** Selects a StatusRow from a request `r` and its row in `orders`, `o`, which is null while the request is pending. */
export const statusColumns = `
         r.request_id             as "requestId",
         r.customer_request_id    as "customerRequestId",
         o.id                     as "orderId",
         o.request_id is not null as finished`;

/** What lists and single orders show beside the status. */
export const orderColumns = `
         ${statusColumns},
         r.workspace_id as "workspaceId",
         r.sender_name  as "senderName",
         r.currency,
         r.accepted_at  as "acceptedAt",
         o.finished_at  as "finishedAt",
         o.failure`;

type Outcome = 'pending' | 'completed' | 'failed';

export function outcomeOf({ finished, orderId }: Pick<StatusRow, 'finished' | 'orderId'>): Outcome {
  if (!finished) return 'pending';
  return orderId === null ? 'failed' : 'completed';
}

const words = {
  pending: { requestStatus: 'ACCEPTED', orderStep: 'PENDING' },
  completed: { requestStatus: 'COMPLETED', orderStep: 'COMPLETED' },
  failed: { requestStatus: 'FAILED', orderStep: 'FAILED' },
} as const;

/** The requestStatus of a request, from the same rows: what `outcomeOf` says, in SQL. */
export const requestStatus = `
         case when o.request_id is null then '${words.pending.requestStatus}'
              when o.id is null         then '${words.failed.requestStatus}'
              else '${words.completed.requestStatus}' end`;

export function statusRecord(row: StatusRow): OrderRequestStatus {
  const { requestId, orderId, customerRequestId } = row;
  const { requestStatus, orderStep } = words[outcomeOf(row)];
  return { requestId, requestStatus, orderStep, orderId, customerRequestId };
}
