import { momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { GiftTokenKeys } from '../../giving/gifts/token-keys.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { type CodeSecret, type Sealed, unseal } from './seal.ts';
import { codeRecord } from './sealed.ts';
import { announceStock, dayAt, isFree } from './stock.ts';

/** The wanted code: one of this retailer and value, in the currency of their gift. */
export interface CodeChoice {
  poolId: number;
  retailer: string;
  value: number;
  currency: string;
}

/**
 * Gives a code to a redemption, in its transaction: the one that expires first. Returns whether there was one. No code is given twice:
 * the statement takes only unassigned codes, and the database allows a redemption one code. The caller holds the workspace's lock.
 */
export async function giveCode(
  tx: Queryable,
  workspaceId: number,
  { poolId, retailer, value, currency }: CodeChoice,
  redemptionId: number,
): Promise<boolean> {
  const [given] = await tx.query<{ id: number }>(giveSql, [
    workspaceId,
    poolId,
    retailer,
    value,
    momentOf(tx, workspaceId),
    redemptionId,
    currency,
  ]);
  if (!given) return false;
  await seal(tx, workspaceId, { record: codeRecord, keys: [given.id] });
  await tx.query(
    `update pool_stocks
        set given = given + 1
      where workspace_id = $1 and pool_id = $2 and retailer = $3 and value = $4`,
    [workspaceId, poolId, retailer, value],
  );
  await announceStock(tx, workspaceId, poolId);
  return true;
}

const giveSql = `
  update pool_codes
     set redemption_id = $6, given_at = $5::timestamptz
   where workspace_id = $1
     and redemption_id is null
     and id = (select c.id
                 from pool_codes c
                 join workspaces w on w.id = c.workspace_id
                 join code_pools p on p.workspace_id = c.workspace_id and p.id = c.pool_id and p.currency = $7
                where c.workspace_id = $1
                  and c.pool_id = $2
                  and c.retailer = $3
                  and c.value = $4
                  and ${isFree(dayAt('$5::timestamptz'))}
                order by c.expires_on nulls last, c.id
                limit 1
                  for update of c skip locked)
  returning id`;

/** What a recipient got for a redemption; null where it has no code. The caller has made sure that it is theirs. */
export async function readGivenCode(
  on: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  redemptionId: number,
): Promise<(CodeSecret & { expiresOn: string | null }) | null> {
  const row = await queryOptional<Sealed & { id: number; poolId: number; expiresOn: string | null }>(
    on,
    `select id, pool_id as "poolId", key_version as "keyVersion", sealed, expires_on::text as "expiresOn"
       from pool_codes
      where workspace_id = $1
        and redemption_id = $2`,
    [workspaceId, redemptionId],
  );
  if (row === null) return null;
  const { id, poolId, expiresOn, ...sealed } = row;
  return { ...unseal(keys, { workspaceId, poolId, id }, sealed), expiresOn };
}
