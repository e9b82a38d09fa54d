import type { OrderRequest } from '@giftwire/sdk';
import type { Owner } from '../../../data/owner.ts';
import { type GiftRow, orderItemOf } from '../file/rows.ts';

/** What the gifts of one order have in common. */
export interface Terms {
  currency: string;
  language: string;
  /** Null: at once. */
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
  parts: Part[];
  /** The rows that stayed behind, as a file for people to put right; null where all went. */
  left: { rows: number; csv: string } | null;
}

export const mostInOrder = 1_000;

/** Gifts that can be in one order: up to a thousand with the same currency, language and time of delivery. */
export interface Piece {
  terms: Terms;
  rows: GiftRow[];
}

/** Splits gifts into what can be one order each. Pieces and their rows are in the sequence of the file. */
export function piecesOf(rows: readonly GiftRow[]): Piece[] {
  const pieces: Piece[] = [];
  const open = new Map<string, Piece>();
  for (const row of rows) {
    const terms = { currency: row.currency, language: row.language, deliverAt: row.deliverAt };
    const key = JSON.stringify(terms);
    let piece = open.get(key);
    if (!piece || piece.rows.length === mostInOrder) {
      piece = { terms, rows: [] };
      open.set(key, piece);
      pieces.push(piece);
    }
    piece.rows.push(row);
  }
  return pieces;
}

export function orderOf({ terms: { currency, language, deliverAt }, rows }: Piece, note = ''): OrderRequest {
  return {
    orderItems: rows.map(orderItemOf),
    currency,
    language,
    ...(deliverAt !== null && { deliverAt }),
    ...(note !== '' && { note }),
  };
}

/** Plans the orders of a job. The note says what all of them are for. */
export function planParts(id: string, rows: readonly GiftRow[], note = ''): Part[] {
  return piecesOf(rows).map((piece, nth) => ({
    key: `bulk-${id}-${nth + 1}`,
    order: orderOf(piece, note),
    requestId: null,
    refusal: null,
  }));
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
