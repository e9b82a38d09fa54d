import { maxGifts, type OrderRequest } from '../../ground/contract/order.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { giftCount } from './order-body.ts';
import { type StatusRow, statusColumns } from './status.ts';

/** The request that was accepted with a key. Its gifts are left out if it has another number of them than the one that repeats the key. */
export interface Original extends StatusRow {
  body: Partial<OrderRequest>;
}

/** What requests ask for that repeat a key. */
interface Asked {
  workspaceId: number;
  idempotencyKey: string;
  gifts: number;
}

/**
 * Finds the requests that were accepted with the same idempotency keys. This happens apart from acceptance, a few at a time, and never
 * more gifts are read than were sent: small requests that repeat the key of a large order delay no others.
 */
export class Originals {
  readonly #batcher: Batcher<Asked, Original | null>;
  /** What is asked for and not being read yet. Those who ask for the same share it. */
  readonly #waiting = new Map<string, Promise<Original | null>>();

  constructor(database: Queryable) {
    this.#batcher = new Batcher({
      run: (asked) => {
        for (const one of asked) this.#waiting.delete(keyOf(one));
        return readOriginals(database, asked);
      },
      maxItems: 20,
      concurrency: 2,
      maxWaiting: 5_000,
      weigh: ({ gifts }) => gifts,
      maxWeight: maxGifts,
      maxWaitMs: 1_500,
    });
  }

  /** Null if the key is free. */
  find(workspaceId: number, idempotencyKey: string, { orderItems }: OrderRequest): Promise<Original | null> {
    const asked = { workspaceId, idempotencyKey, gifts: orderItems.length };
    const key = keyOf(asked);
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const found = this.#batcher.add(asked).finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, found);
    return found;
  }
}

const originalsSql = `
  select r.workspace_id        as "workspaceId",
         r.idempotency_key     as "idempotencyKey",
         asked.gifts,
         case when ${giftCount('r.body')} = asked.gifts then r.body else r.body - 'orderItems' end as body,
         ${statusColumns}
    from unnest($1::bigint[], $2::text[], $3::int[]) as asked (workspace_id, idempotency_key, gifts)
    join order_requests r using (workspace_id, idempotency_key)
    left join orders o using (workspace_id, request_id)
   where r.idempotency_key is not null`;

async function readOriginals(database: Queryable, asked: readonly Asked[]): Promise<(Original | null)[]> {
  const rows = await database.query<Asked & Original>(originalsSql, [
    asked.map(({ workspaceId }) => workspaceId),
    asked.map(({ idempotencyKey }) => idempotencyKey),
    asked.map(({ gifts }) => gifts),
  ]);
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return asked.map((one) => found.get(keyOf(one)) ?? null);
}

function keyOf({ workspaceId, idempotencyKey, gifts }: Asked): string {
  return `${workspaceId}:${gifts}:${idempotencyKey}`;
}
