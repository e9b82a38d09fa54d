import type { OrderRequest } from '@giftwire/sdk';
import type { Owner } from '../../../data/owner.ts';
import { type GiftRow, orderItemOf } from '../file/rows.ts';

/** What the orders of a file have in common. */
export interface Terms {
  currency: string;
  language: string | null;
  deliverAt: string | null;
}

/** An order of a job. Its key and its body never change, so that it can be sent any number of times and is ordered once. */
export interface Part {
  key: string;
  order: OrderRequest;
  /** Null until the service has accepted it. */
  requestId: string | null;
  /** Why the service has refused it; null while it has not. */
  refusal: string | null;
}

/** A file on its way to the service, as it is stored in the browser. Only its owner goes on with it. */
export interface Job extends Owner {
  id: string;
  /** The name of the file. */
  name: string;
  startedAt: string;
  currency: string;
  parts: Part[];
  /** The rows that stayed behind, as a file for people to put right; null where all went. */
  left: { rows: number; csv: string } | null;
}

export const mostInOrder = 1_000;

/** Splits gifts into orders, in the sequence of the file. */
export function planParts(id: string, rows: readonly GiftRow[], { currency, language, deliverAt }: Terms): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < rows.length; from += mostInOrder)
    parts.push({
      key: `bulk-${id}-${parts.length + 1}`,
      order: {
        orderItems: rows.slice(from, from + mostInOrder).map(orderItemOf),
        currency,
        ...(language !== null && { language }),
        ...(deliverAt !== null && { deliverAt }),
      },
      requestId: null,
      refusal: null,
    });
  return parts;
}

export function giftsOf({ order }: Part): number {
  return order.orderItems.length;
}

/** The job with its refused parts as if they had not been sent. Their keys are free, and stay the same. */
export function withoutRefusals(job: Job): Job {
  return { ...job, parts: job.parts.map((part) => ({ ...part, refusal: null })) };
}

/** Whether every part has its answer. */
export function isDone({ parts }: Job): boolean {
  return parts.every(({ requestId, refusal }) => requestId !== null || refusal !== null);
}
