import { audit } from '../../company/workspaces/audit.ts';
import { lockWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewPool, Pool, PoolChange, PoolStock } from '../../ground/contract/pool.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { Failure } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { poolRecord } from './sealed.ts';
import { announceStock, dayAt, isFree } from './stock.ts';

const usualLowAt = 10;

export async function addPool(tx: Queryable, actor: Actor, workspaceId: number, pool: NewPool): Promise<Pool> {
  await lockWorkspace(tx, workspaceId);
  const { name, currency, lowAt = usualLowAt } = pool;
  await refuseName(tx, workspaceId, name, null);
  const [id] = (await takeFromSequence(tx, 'code_pool_ids', 1)) as [number];
  await tx.query('insert into code_pools (workspace_id, id, name, currency, low_at) values ($1, $2, $3, $4, $5)', [
    workspaceId,
    id,
    name,
    currency,
    lowAt,
  ]);
  await seal(tx, workspaceId, { record: poolRecord, keys: [id] });
  await audit(tx, { workspaceId, actor, action: 'pool.added', subject: { id, name }, detail: { currency, lowAt } });
  return readPool(tx, workspaceId, id);
}

export async function changePool(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: PoolChange,
): Promise<Pool> {
  await lockWorkspace(tx, workspaceId);
  const pool = await readPool(tx, workspaceId, id);
  if (!changesAnything(pool, change)) return pool;
  const { name } = pool;
  if (change.name !== undefined) await refuseName(tx, workspaceId, change.name, id);
  await tx.query(
    `update code_pools
        set name = coalesce($3, name), low_at = coalesce($4, low_at)
      where workspace_id = $1
        and id = $2`,
    [workspaceId, id, change.name ?? null, change.lowAt ?? null],
  );
  await announceStock(tx, workspaceId, id);
  await audit(tx, { workspaceId, actor, action: 'pool.changed', subject: { id, name }, detail: change });
  return readPool(tx, workspaceId, id);
}

async function refuseName(tx: Queryable, workspaceId: number, name: string, own: number | null): Promise<void> {
  const other = await queryOptional<{ id: number }>(
    tx,
    `select id from code_pools where workspace_id = $1 and lower(name) = lower($2) and id is distinct from $3`,
    [workspaceId, name, own],
  );
  if (other) throw new Failure('conflict', `Pool ${other.id} has this name already: choose another one.`);
}

/** Null where the workspace has no such pool. */
export async function findPool(on: Queryable, workspaceId: number, id: number): Promise<Pool | null> {
  return (await readPools(on, workspaceId, id))[0] ?? null;
}

export async function readPool(on: Queryable, workspaceId: number, id: number): Promise<Pool> {
  const pool = await findPool(on, workspaceId, id);
  if (!pool) throw new Failure('missing', 'There is no pool with this id in this workspace.');
  return pool;
}

/** By name. */
export function listPools(on: Queryable, workspaceId: number): Promise<Pool[]> {
  return readPools(on, workspaceId, null);
}

type PoolRow = Omit<Pool, 'stocks'>;

async function readPools(on: Queryable, workspaceId: number, id: number | null): Promise<Pool[]> {
  const pools = await on.query<PoolRow>(
    `select id, name, currency, low_at as "lowAt"
       from code_pools
      where workspace_id = $1
        and ($2::bigint is null or id = $2)
      order by lower(name), id`,
    [workspaceId, id],
  );
  const stocks = await on.query<PoolStock & { poolId: number }>(stocksSql, [workspaceId, id]);
  const byPool = Map.groupBy(stocks, ({ poolId }) => poolId);
  return pools.map((pool) => ({
    ...pool,
    stocks: (byPool.get(pool.id) ?? []).map(({ poolId: _pool, ...stock }) => stock),
  }));
}

const stocksSql = `
  select s.pool_id as "poolId", s.retailer, s.value, s.given::int as given,
         (count(c.id) filter (where ${isFree(dayAt(timeOf('a')))}))::int as left,
         (count(c.id) filter (where not ${isFree(dayAt(timeOf('a')))}))::int as expired
    from pool_stocks s
    join workspaces w        on w.id = s.workspace_id
    join activity_counters a on a.workspace_id = s.workspace_id
    left join pool_codes c   on c.workspace_id = s.workspace_id
                            and c.pool_id = s.pool_id
                            and c.retailer = s.retailer
                            and c.value = s.value
                            and c.redemption_id is null
   where s.workspace_id = $1
     and ($2::bigint is null or s.pool_id = $2)
   group by s.pool_id, s.retailer, s.value, s.given
   order by s.pool_id, s.retailer, s.value`;
