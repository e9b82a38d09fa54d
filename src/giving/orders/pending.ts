import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { allPending } from './queue.ts';

/** A pending order that a fulfilment has claimed. */
export interface Claimed {
  number: number;
  requestId: string;
  gifts: number;
  /** How long it had been accepted when it was claimed. */
  waitedSeconds: number;
}

interface FoundOrder extends Claimed {
  /** How many rows were found before the limit on gifts cut the list. */
  found: number;
}

export interface PendingClaim {
  workspaceId: number;
  /** Where to begin: orders with lower numbers are finished. */
  from: number;
  /** Numbers to skip this time. */
  except: readonly number[];
  maxOrders: number;
  maxGifts: number;
}

export interface ClaimedOrders {
  claimed: Claimed[];
  /** The number of the last order that was found; null if there was none. */
  last: number | null;
  /** Where the next claim begins; null if no order is left. */
  next: number | null;
}

/**
 * Claims the next pending orders of a workspace, oldest first, up to the limits on orders and gifts. The caller holds the
 * workspace's lock, so that no other process claims the same orders.
 */
export async function claimPending(tx: Queryable, claim: PendingClaim): Promise<ClaimedOrders> {
  const { workspaceId, from, except, maxOrders, maxGifts } = claim;
  const rows = await tx.query<FoundOrder>(claimSql, [workspaceId, from, except, maxOrders, maxGifts]);
  const last = rows.at(-1);
  const hasAll = last === undefined || (last.found === rows.length && last.found < maxOrders);
  return {
    claimed: rows,
    last: last?.number ?? null,
    next: hasAll ? null : last.number + 1,
  };
}

// A claim begins at a number, because deleted rows stay in the index until a vacuum. While a dump kept the vacuum away,
// skipping them took longer than the fulfilment itself.
const claimSql = `
  select found,
         number,
         request_id as "requestId",
         gifts,
         extract(epoch from clock_timestamp() - accepted_at)::float8 as "waitedSeconds"
    from (select number,
                 request_id,
                 gifts,
                 accepted_at,
                 sum(gifts) over (order by number) - gifts as gifts_before,
                 count(*) over ()                          as found
            from (select *
                    from ${allPending} pending
                   where workspace_id = $1
                     and number >= $2
                     and number <> all($3::bigint[])
                   order by number
                   limit $4) waiting) counted
   where gifts_before < $5
   order by number`;

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
       (select workspace_id, number, accepted_at from ${allPending} pending order by workspace_id, number limit 1)
       union all
       select next.workspace_id, next.number, next.accepted_at
         from waiting,
              lateral (select workspace_id, number, accepted_at
                         from ${allPending} pending
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
       from ${allPending} pending`,
  );
}
