import { type Queryable, queryOne } from '../database/database.ts';
import { lookUp } from './look-up.ts';
import { giftCount } from './order-body.ts';

/** A pending order that a fulfilment has claimed. */
export interface Claimed {
  number: number;
  requestId: string;
  gifts: number;
}

interface FoundOrder extends Claimed {
  /** Whether the order has an outcome already. */
  isFinished: boolean;
  /** How many rows were found before the limit on gifts cut the list. */
  found: number;
}

export interface Claim {
  workspaceId: number;
  /** Where to begin: orders with lower numbers are finished. */
  from: number;
  /** Numbers to skip this time. */
  except: readonly number[];
  maxOrders: number;
  maxGifts: number;
}

export interface Claims {
  claimed: Claimed[];
  /** The numbers of orders that have an outcome already, and should not be pending. */
  finished: number[];
  /** The number of the last order that was found; null if there was none. */
  last: number | null;
  /** Where the next claim begins; null if no order is left. */
  next: number | null;
}

/**
 * Claims the next pending orders of a workspace, oldest first, up to the limits on orders and gifts. The caller holds the
 * workspace's lock, so that no other process claims the same orders.
 */
export async function claimPending(tx: Queryable, claim: Claim): Promise<Claims> {
  const { workspaceId, from, except, maxOrders, maxGifts } = claim;
  const rows = await tx.query<FoundOrder>(claimSql, [workspaceId, from, except, maxOrders, maxGifts]);
  const last = rows.at(-1);
  const hasAll = last === undefined || (last.found === rows.length && last.found < maxOrders);
  return {
    claimed: rows.filter(({ isFinished }) => !isFinished),
    finished: rows.filter(({ isFinished }) => isFinished).map(({ number }) => number),
    last: last?.number ?? null,
    next: hasAll ? null : last.number + 1,
  };
}

// A claim begins at a number, because deleted rows stay in the index until a vacuum. While a dump kept the vacuum away,
// skipping them took longer than the fulfilment itself.
const claimSql = `
  select p.found,
         p.number,
         p.request_id  as "requestId",
         p.gifts,
         p.is_finished as "isFinished"
    from (select w.number,
                 w.request_id,
                 w.gifts,
                 o.request_id is not null                        as is_finished,
                 sum(w.gifts) over (order by w.number) - w.gifts as gifts_before,
                 count(*) over ()                                as found
            from (select *
                    from pending_orders
                   where workspace_id = $1
                     and number >= $2
                     and number <> all($3::bigint[])
                   order by number
                   limit $4) w
            left join lateral (${lookUp('orders', 'w')}) o on true) p
   where p.gifts_before < $5
   order by p.number`;

/** Removes orders from the pending ones that had their outcome already, for instance because an older version wrote it. */
export async function removePending(tx: Queryable, workspaceId: number, numbers: readonly number[]): Promise<void> {
  await tx.query('delete from pending_orders where workspace_id = $1 and number = any($2::bigint[])', [
    workspaceId,
    numbers,
  ]);
}

export interface WaitingWorkspace {
  workspaceId: number;
  /** The number of its oldest order. */
  oldest: number;
  oldestAgeSeconds: number;
}

/** The workspaces with waiting orders. Reads only the oldest order of each. */
export function readWaitingWorkspaces(database: Queryable): Promise<WaitingWorkspace[]> {
  return database.query<WaitingWorkspace>(
    `with recursive waiting as (
       (select workspace_id, number, accepted_at from pending_orders order by workspace_id, number limit 1)
       union all
       select next.workspace_id, next.number, next.accepted_at
         from waiting,
              lateral (select workspace_id, number, accepted_at
                         from pending_orders
                        where workspace_id > waiting.workspace_id
                        order by workspace_id, number
                        limit 1) next
     )
     select workspace_id as "workspaceId", number as oldest, extract(epoch from now() - accepted_at)::float8 as "oldestAgeSeconds"
       from waiting`,
  );
}

export interface Backlog {
  depth: number;
  oldestAgeSeconds: number;
}

export function readBacklog(database: Queryable): Promise<Backlog> {
  return queryOne<Backlog>(
    database,
    `select count(*) as depth,
            coalesce(greatest(extract(epoch from now() - min(accepted_at)), 0), 0)::float8 as "oldestAgeSeconds"
       from pending_orders`,
  );
}

/** Lists orders as pending that a node of the previous version has accepted. */
export async function adopt(database: Queryable, workspaceIds: number[], requestIds: string[]): Promise<void> {
  await database.query(
    `${adoptSql}
       from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)
      cross join lateral (${lookUp('order_requests', 'asked')}) r
       left join lateral (${lookUp('orders', 'asked')}) o on true
      where o.request_id is null
      order by r.accepted_at, r.request_id
     on conflict do nothing`,
    [workspaceIds, requestIds],
  );
}

const adoptSql = `
  insert into pending_orders (workspace_id, request_id, gifts, accepted_at)
  select r.workspace_id, r.request_id, ${giftCount('r.body')}, r.accepted_at`;

/**
 * Lists orders as pending whose job was added by a node of the previous version. The job of a worker that was killed stays
 * locked for hours, so nobody else would get it.
 */
export async function adoptQueued(database: Queryable): Promise<void> {
  await database.query(
    `${adoptSql}
       from graphile_worker._private_jobs j
      cross join rows from (json_array_elements_text(j.payload -> 'workspaceIds'),
                            json_array_elements_text(j.payload -> 'requestIds')) as named (workspace_id, request_id)
      cross join lateral (select named.workspace_id::bigint, named.request_id::uuid) as asked (workspace_id, request_id)
      cross join lateral (${lookUp('order_requests', 'asked')}) r
       left join lateral (${lookUp('orders', 'asked')}) o on true
      where j.payload -> 'requestIds' is not null
        and j.payload -> 'numbers' is null
        and o.request_id is null
      order by r.accepted_at, r.request_id
     on conflict do nothing`,
  );
}

const minutesBack = 24 * 60;
const stepMinutes = 5;

/**
 * Lists orders of the last day without an outcome as pending: a node of the previous version accepted them, and their job
 * is gone. Works in steps of five minutes, so that no statement takes long. Steps in which nobody ordered are left out.
 */
export async function adoptForgotten(database: Queryable): Promise<void> {
  const steps = await database.query<{ after: string; until: string }>(stepsSql);
  for (const { after, until } of steps) await database.query(adoptStepSql, [after, until]);
}

// Times are read as text, which keeps their microseconds. The last step has no end, because the clock may have been ahead when an
// order was accepted.
const stepsSql = `
  select step.after::text as after, step.until::text as until
    from generate_series(${minutesBack}, ${stepMinutes}, -${stepMinutes}) minutes
   cross join lateral (
           select now() - minutes * interval '1 minute' as after,
                  case when minutes = ${stepMinutes} then 'infinity'
                       else now() - (minutes - ${stepMinutes}) * interval '1 minute' end as until) step
   cross join lateral (
           select from order_requests r
            where r.accepted_at > step.after
              and r.accepted_at <= step.until
            order by r.accepted_at
            limit 1) ordered
   order by minutes desc`;

const adoptStepSql = `
  ${adoptSql}
    from order_requests r
    left join lateral (${lookUp('orders', 'r')}) o on true
   where r.accepted_at > $1::timestamptz
     and r.accepted_at <= $2::timestamptz
     and o.request_id is null
   order by r.accepted_at, r.request_id
  on conflict do nothing`;
