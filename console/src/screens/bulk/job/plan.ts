import type { OrderRequest } from '@giftwire/sdk';
import type { Owner } from '../../../data/owner.ts';
import { type GiftRow, orderItemOf } from '../file/rows.ts';

/** An order of a job. Its key and its body never change, so that it can be sent any number of times and is ordered once. */
export interface Part {
  key: string;
  order: OrderRequest;
  /** Null until the service has accepted it. */
  requestId: string | null;
  /** Why the service has refused it; null while it has not. */
  refusal: string | null;
}

/** A file on its way to the service, as it is stored in the browser. Only its owner can resume it. */
export interface Job extends Owner {
  id: string;
  /** The name of the file. */
  name: string;
  startedAt: string;
  parts: Part[];
  /** The rows that stayed behind, as a file for people to correct; null if all were sent. */
  left: { rows: number; csv: string } | null;
}

export const mostInOrder = 1_000;

/** Splits gifts into what can be one order each: up to a thousand in a currency. Pieces and their rows are in the sequence of the file. */
export function piecesOf(rows: readonly GiftRow[]): GiftRow[][] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.flatMap((wanted) => {
    const some = rows.filter(({ currency }) => currency === wanted);
    return Array.from({ length: Math.ceil(some.length / mostInOrder) }, (_, nth) =>
      some.slice(nth * mostInOrder, (nth + 1) * mostInOrder),
    );
  });
}

/** The order of a piece. Gifts have their own language and time of delivery where they differ. */
export function orderOf(rows: readonly GiftRow[], note = ''): OrderRequest {
  const [{ currency, language, deliverAt }] = rows as [GiftRow];
  const isAlike = rows.every((row) => row.deliverAt === deliverAt);
  return {
    orderItems: rows.map((row) => ({
      ...orderItemOf(row),
      ...(row.language !== language && { language: row.language }),
      ...(!isAlike && row.deliverAt !== null && { deliverAt: row.deliverAt }),
    })),
    currency,
    language,
    ...(isAlike && deliverAt !== null && { deliverAt }),
    ...(note !== '' && { note }),
  };
}

/**
 * Plans the orders of a job. The note says what all of them are for. Several orders in one currency are a batch, so that approvers are asked about all of
 * them at once.
 */
export function planParts(id: string, rows: readonly GiftRow[], note = '', name = ''): Part[] {
  const orders = piecesOf(rows).map((piece) => orderOf(piece, note));
  const batchOf = ({ currency }: OrderRequest) => {
    const count = orders.filter((other) => other.currency === currency).length;
    const label = withoutControls(name);
    return count === 1 ? {} : { batch: { id: `${id}-${currency}`, orders: count, ...(label && { name: label }) } };
  };
  return orders.map((order, nth) => ({
    key: `bulk-${id}-${nth + 1}`,
    order: { ...order, ...batchOf(order) },
    requestId: null,
    refusal: null,
  }));
}

/** A name of a file as orders may have it. */
export function withoutControls(name: string): string {
  return name
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);
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
