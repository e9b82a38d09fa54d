import type { Queryable } from '../database/database.ts';
import { lookUp } from '../database/look-up.ts';
import type { Fulfilment, Waiting } from './fulfil.ts';

// A transaction's time is that of its start: what is accepted now may become visible a little later. Statements are
// cancelled long before this is over.
const slowestAcceptance = '1 minute';
const pageSize = 1_000;

interface Row {
  workspaceId: number;
  requestId: string;
  /** Null where the request is finished. */
  gifts: number | null;
  acceptedAt: string;
}

/**
 * Fulfils what its job has forgotten: a worker was killed while it held the job, or somebody emptied the queue. The
 * accepted request is the truth and the job only a wake-up.
 */
export async function recoverOverdue(
  database: Queryable,
  fulfilment: Fulfilment,
  olderThanMs: number,
): Promise<number> {
  const [range] = await database.query<{ since: string; until: string }>(
    `select finished_until::text as since, (now() - $1::bigint * interval '1 ms')::text as until
       from fulfilment_progress`,
    [olderThanMs],
  );
  const { since, until } = range as { since: string; until: string };
  let recovered = 0;
  let last = { acceptedAt: since, requestId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const page = await database.query<Row>(pageSql, [last.acceptedAt, last.requestId, until]);
    if (page.length === 0) break;
    const overdue = page.filter((row): row is Row & Waiting => row.gifts !== null);
    await fulfilment.fulfil(overdue);
    recovered += overdue.length;
    last = page.at(-1) as Row;
  }
  await database.query(advanceSql, [until]);
  return recovered;
}

const pageSql = `
  select r.workspace_id as "workspaceId",
         r.request_id   as "requestId",
         case when o.request_id is null then jsonb_array_length(r.body -> 'orderItems') end as gifts,
         r.accepted_at::text as "acceptedAt"
    from (select *
            from order_requests
           where (accepted_at, request_id) > ($1::timestamptz, $2::uuid)
             and accepted_at <= $3::timestamptz
           order by accepted_at, request_id
           limit ${pageSize}) r
    left join lateral (${lookUp('orders', 'r')}) o on true
   order by r.accepted_at, r.request_id`;

const advanceSql = `
  update fulfilment_progress
     set finished_until = greatest(finished_until, least($1::timestamptz, now() - interval '${slowestAcceptance}'))`;

export interface Backlog {
  depth: number;
  oldestAgeSeconds: number;
}

export async function readBacklog(database: Queryable): Promise<Backlog> {
  const [progress] = await database.query<{ since: string }>(
    'select finished_until::text as since from fulfilment_progress',
  );
  const [backlog] = await database.query<Backlog>(backlogSql, [progress?.since]);
  return backlog as Backlog;
}

const backlogSql = `
  select count(*) as depth,
         coalesce(extract(epoch from now() - min(r.accepted_at)), 0)::float8 as "oldestAgeSeconds"
    from order_requests r
    left join lateral (${lookUp('orders', 'r')}) o on true
   where r.accepted_at >= $1::timestamptz
     and o.request_id is null`;
