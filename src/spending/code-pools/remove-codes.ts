import { audit } from '../../company/workspaces/audit.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { CodeRemoval, RemovedCodes } from '../../ground/contract/pool.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readPool } from './pools.ts';
import { codeRecord } from './sealed.ts';
import { announceStock } from './stock.ts';

/**
 * Removes unassigned codes, for example those of a wrong file: all of a pool, or those of a retailer or a value. They can be
 * uploaded again. Codes that were given stay. The caller holds the workspace's lock.
 */
export async function removeCodes(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  poolId: number,
  which: CodeRemoval,
): Promise<RemovedCodes> {
  const { name } = await readPool(tx, workspaceId, poolId);
  const { retailer = null, value = null } = which;
  const removed = await tx.query<{ id: number }>(removeSql, [workspaceId, poolId, retailer, value]);
  await seal(tx, workspaceId, { record: codeRecord, keys: removed.map(({ id }) => id) });
  await tx.query(forgetSql, [workspaceId, poolId]);
  await announceStock(tx, workspaceId, poolId);
  const detail = { codes: removed.length, ...which };
  if (removed.length > 0)
    await audit(tx, { workspaceId, actor, action: 'pool.emptied', subject: { id: poolId, name }, detail });
  return { removed: removed.length, pool: await readPool(tx, workspaceId, poolId) };
}

const removeSql = `
  delete from pool_codes
   where workspace_id = $1
     and pool_id = $2
     and redemption_id is null
     and ($3::text is null or retailer = $3)
     and ($4::numeric is null or value = $4)
  returning id`;

/** A retailer and value of which no code is left, and of which none was given, is forgotten. */
const forgetSql = `
  delete from pool_stocks s
   where s.workspace_id = $1
     and s.pool_id = $2
     and s.given = 0
     and not exists (select
                       from pool_codes c
                      where c.workspace_id = s.workspace_id
                        and c.pool_id = s.pool_id
                        and c.retailer = s.retailer
                        and c.value = s.value)`;
