import type { OrderRecord, OrderRequestStatus } from '../../ground/contract/order.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { longToken, shortToken } from '../gifts/tokens.ts';
import { outcomeOf, type StatusRow, statusColumns, statusRecord } from './status.ts';

interface Asked {
  workspaceId: number;
  requestId: string;
}

interface AskedPage extends Asked, Page {}

/** Reads orders. Reads that wait at the same time share one statement; nothing is cached. */
export class OrderReads {
  readonly #statuses: Batcher<Asked, OrderRequestStatus | null>;
  readonly #records: Batcher<AskedPage, OrderRecord | null>;

  constructor(database: Queryable, keys: GiftTokenKeys) {
    const bounds = { concurrency: 4, maxWaiting: 10_000 };
    this.#statuses = new Batcher({ run: (asked) => readStatuses(database, asked), maxItems: 500, ...bounds });
    this.#records = new Batcher({
      run: (asked) => readRecords(database, keys, asked),
      maxItems: 100,
      weigh: (asked) => asked.size,
      maxWeight: 2_000,
      ...bounds,
    });
  }

  status(workspaceId: number, requestId: string): Promise<OrderRequestStatus | null> {
    return this.#statuses.add({ workspaceId, requestId });
  }

  find(workspaceId: number, requestId: string, page: Page): Promise<OrderRecord | null> {
    return this.#records.add({ workspaceId, requestId, ...page });
  }
}

const statusesSql = `
  select asked.ordinality         as nth,
         ${statusColumns}
    from unnest($1::bigint[], $2::uuid[]) with ordinality as asked (workspace_id, request_id, ordinality)
    join order_requests r using (workspace_id, request_id)
    left join orders o    using (workspace_id, request_id)`;

async function readStatuses(database: Queryable, asked: Asked[]): Promise<(OrderRequestStatus | null)[]> {
  const rows = await database.query<StatusRow & { nth: number }>(statusesSql, [
    asked.map(({ workspaceId }) => workspaceId),
    asked.map(({ requestId }) => requestId),
  ]);
  const records = new Array<OrderRequestStatus | null>(asked.length).fill(null);
  for (const row of rows) records[row.nth - 1] = statusRecord(row);
  return records;
}

interface RecordRow extends StatusRow {
  nth: number;
  giftCount: number | null;
  currency: string;
  senderName: string;
  certificateId: number | null;
  memberId: number;
  amount: number;
  message: string;
  position: number;
  keyVersion: number;
  edition: number;
  tokenVersion: number;
}

const recordsSql = `
  select asked.ordinality         as nth,
         ${statusColumns},
         r.currency,
         r.sender_name            as "senderName",
         o.gift_count             as "giftCount",
         c.id                     as "certificateId",
         c.member_id              as "memberId",
         c.amount,
         c.message,
         c.position,
         c.key_version            as "keyVersion",
         c.edition,
         c.token_version          as "tokenVersion"
    from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[])
         with ordinality as asked (workspace_id, request_id, first, size, ordinality)
    join order_requests r using (workspace_id, request_id)
    left join orders o    using (workspace_id, request_id)
    left join lateral (
           select *
             from certificates
            where workspace_id = asked.workspace_id
              and request_id = asked.request_id
              and position between asked.first and asked.first + asked.size - 1
         ) c on o.id is not null
   order by nth, c.position`;

async function readRecords(
  database: Queryable,
  keys: GiftTokenKeys,
  asked: AskedPage[],
): Promise<(OrderRecord | null)[]> {
  const rows = await database.query<RecordRow>(recordsSql, [
    asked.map(({ workspaceId }) => workspaceId),
    asked.map(({ requestId }) => requestId),
    // An order has at most 1,000 gifts, so every later page is empty, and larger numbers make no difference.
    asked.map(({ page, size }) => Math.min(page * size, 1_000_000)),
    asked.map(({ size }) => size),
  ]);
  const records = new Array<OrderRecord | null>(asked.length).fill(null);
  for (const row of rows) {
    const index = row.nth - 1;
    const record = records[index] ?? orderRecord(row, asked[index] as AskedPage);
    if (row.certificateId !== null) record.certificates.push(certificate(keys, row, row.certificateId));
    records[index] = record;
  }
  return records;
}

const words = {
  pending: { state: 'PENDING', status: 'INCOMPLETE' },
  completed: { state: 'COMPLETED', status: 'COMPLETE' },
  failed: { state: 'FAILED', status: 'FAILED' },
} as const;

function orderRecord(row: RecordRow, page: Page): OrderRecord {
  const outcome = outcomeOf(row);
  return {
    ...pageFields(page, outcome === 'completed' ? (row.giftCount ?? 0) : 0),
    id: row.orderId,
    requestId: row.requestId,
    ...words[outcome],
    certificates: [],
  };
}

function certificate(keys: GiftTokenKeys, row: RecordRow, id: number): OrderRecord['certificates'][number] {
  const source = { ...row, id };
  return {
    id,
    currency: row.currency,
    senderName: row.senderName,
    recipientUser: row.memberId,
    amount: row.amount,
    message: row.message,
    longToken: longToken(keys, source),
    shortToken: shortToken(keys, source),
  };
}
