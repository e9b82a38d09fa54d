import type { Queryable } from '../database/database.ts';
import type { Claim, Fulfilment } from './fulfil.ts';

// A transaction's time is that of its start: what is accepted now may become visible a little later. Statements are
// cancelled long before this is over.
const slowestAcceptance = '1 minute';
const batch = 1_000;

/** The requests that have been waiting for at least this long, oldest first. */
async function overdueRequests(database: Queryable, olderThanMs: number): Promise<Claim> {
  const rows = await database.query<{ workspaceId: number; requestId: string }>(
    `select r.workspace_id as "workspaceId", r.request_id as "requestId"
       from order_requests r
      where r.accepted_at >= (select finished_until from fulfilment_progress)
        and r.accepted_at <= now() - $1::bigint * interval '1 ms'
        and not exists (select from orders o
                         where o.workspace_id = r.workspace_id and o.request_id = r.request_id)
      order by r.accepted_at
      limit ${batch}`,
    [olderThanMs],
  );
  return { workspaceIds: rows.map((row) => row.workspaceId), requestIds: rows.map((row) => row.requestId) };
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
  let recovered = 0;
  for (;;) {
    const overdue = await overdueRequests(database, olderThanMs);
    if (overdue.requestIds.length === 0) break;
    await fulfilment.fulfil(overdue);
    recovered += overdue.requestIds.length;
  }
  await database.query(advanceSql);
  return recovered;
}

const advanceSql = `
  update fulfilment_progress
     set finished_until = greatest(finished_until, least(now() - interval '${slowestAcceptance}', (
           select min(r.accepted_at)
             from order_requests r
            where r.accepted_at >= finished_until
              and not exists (select from orders o
                               where o.workspace_id = r.workspace_id and o.request_id = r.request_id))))`;

export interface Backlog {
  depth: number;
  oldestAgeSeconds: number;
}

export async function readBacklog(database: Queryable): Promise<Backlog> {
  const [backlog] = await database.query<Backlog>(
    `select count(*) as depth,
            coalesce(extract(epoch from now() - min(r.accepted_at)), 0)::float8 as "oldestAgeSeconds"
       from order_requests r
      where r.accepted_at >= (select finished_until from fulfilment_progress)
        and not exists (select from orders o
                         where o.workspace_id = r.workspace_id and o.request_id = r.request_id)`,
  );
  return backlog as Backlog;
}
