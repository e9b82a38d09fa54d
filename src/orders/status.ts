import type { OrderRequestStatus } from '../contract/order.ts';

export interface StatusRow {
  requestId: string;
  customerRequestId: string | null;
  orderId: number | null;
  /** Whether the request has a row in `orders`. That row has an id if the order succeeded, and null if it failed. */
  finished: boolean;
}

export type Outcome = 'pending' | 'completed' | 'failed';

export function outcomeOf({ finished, orderId }: Pick<StatusRow, 'finished' | 'orderId'>): Outcome {
  if (!finished) return 'pending';
  return orderId === null ? 'failed' : 'completed';
}

const words = {
  pending: { requestStatus: 'ACCEPTED', orderStep: 'PENDING' },
  completed: { requestStatus: 'COMPLETED', orderStep: 'COMPLETED' },
  failed: { requestStatus: 'FAILED', orderStep: 'FAILED' },
} as const;

export function statusRecord(row: StatusRow): OrderRequestStatus {
  const { requestId, orderId, customerRequestId } = row;
  return { requestId, ...words[outcomeOf(row)], orderId, customerRequestId };
}
