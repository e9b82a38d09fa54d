import { audit } from '../../company/workspaces/audit.ts';
import { inWorkspace, momentOf, timeOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { GiftTokenKeys } from '../../giving/gifts/token-keys.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { AddedCodes } from '../../ground/contract/pool.ts';
import { type Database, type Queryable, queryOne } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { type CodeLine, readCodeFile, refuseLines } from './code-file.ts';
import { readPool } from './pools.ts';
import { createCodeHash, createSealer, type Sealed } from './seal.ts';
import { codeRecord } from './sealed.ts';
import { announceStock, dayAt } from './stock.ts';

/**
 * Adds the codes of a CSV file to a pool: all of them, or none if a line is invalid or a code is already in the workspace. They are
 * encrypted before the workspace is locked, so that no caller waits for that.
 */
export async function addCodes(
  database: Database,
  keys: GiftTokenKeys,
  actor: Actor,
  workspaceId: number,
  poolId: number,
  file: Uint8Array,
): Promise<AddedCodes> {
  const codes = await prepareCodes(database, keys, workspaceId, poolId, file);
  return inWorkspace(database, workspaceId, (tx) => storeCodes(tx, actor, workspaceId, poolId, codes));
}

/** Reads and encrypts the codes of a file. */
export async function prepareCodes(
  on: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  poolId: number,
  file: Uint8Array,
): Promise<NewCode[]> {
  const { currency } = await readPool(on, workspaceId, poolId);
  const lines = await readCodeFile(file, currency, await readToday(on, workspaceId));
  const ids = await takeFromSequence(on, 'pool_code_ids', lines.length);
  const [seal, hashesOf] = [createSealer(keys), createCodeHash(keys)];
  return lines.map((line, nth) => {
    const id = ids[nth] as number;
    const { code, pin } = line;
    return { id, line, hashes: hashesOf(code), ...seal({ workspaceId, poolId, id }, { code, pin }) };
  });
}

/** Stores codes that were prepared. The caller holds the workspace's lock. */
export async function storeCodes(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  poolId: number,
  codes: readonly NewCode[],
): Promise<AddedCodes> {
  await refuseKnown(tx, workspaceId, codes);
  await insertCodes(tx, workspaceId, poolId, codes);
  await seal(tx, workspaceId, { record: codeRecord, keys: codes.map(({ id }) => id) });
  await announceStock(tx, workspaceId, poolId);
  const pool = await readPool(tx, workspaceId, poolId);
  const subject = { id: poolId, name: pool.name };
  await audit(tx, { workspaceId, actor, action: 'pool.filled', subject, detail: { codes: codes.length } });
  return { added: codes.length, pool };
}

interface NewCode extends Sealed {
  id: number;
  line: CodeLine;
  /** With every key, the current one first. */
  hashes: Buffer[];
}

async function readToday(on: Queryable, workspaceId: number): Promise<string> {
  const { today } = await queryOne<{ today: string }>(
    on,
    `select ${dayAt(timeOf('a'))}::text as today
       from workspaces w
       join activity_counters a on a.workspace_id = w.id
      where w.id = $1`,
    [workspaceId],
  );
  return today;
}

async function refuseKnown(tx: Queryable, workspaceId: number, codes: readonly NewCode[]): Promise<void> {
  const asked = codes.flatMap(({ line, hashes }) => hashes.map((hash) => ({ line: line.line, hash })));
  const known = await tx.query<{ line: number; pool: string }>(
    `select asked.line, p.name as pool
       from unnest($2::int[], $3::bytea[]) as asked (line, hash)
       join pool_codes c on c.workspace_id = $1 and c.hash = asked.hash
       join code_pools p on p.workspace_id = c.workspace_id and p.id = c.pool_id
      order by asked.line`,
    [workspaceId, asked.map(({ line }) => line), asked.map(({ hash }) => hash)],
  );
  refuseLines(
    known.map(({ line, pool }) => ({
      path: `line ${line}`,
      problem: `has a code that is in the pool "${pool}" already`,
    })),
  );
}

async function insertCodes(
  tx: Queryable,
  workspaceId: number,
  poolId: number,
  codes: readonly NewCode[],
): Promise<void> {
  const column = <T>(of: (code: NewCode) => T) => codes.map(of);
  await tx.query(
    `insert into pool_codes
            (workspace_id, pool_id, added_at, id, retailer, value, expires_on, key_version, sealed, hash)
     select $1, $2, $3::timestamptz, code.*
       from unnest($4::bigint[], $5::text[], $6::numeric[], $7::date[], $8::int[], $9::bytea[], $10::bytea[]) as code`,
    [
      workspaceId,
      poolId,
      momentOf(tx, workspaceId),
      column(({ id }) => id),
      column(({ line }) => line.retailer),
      column(({ line }) => line.value),
      column(({ line }) => line.expiresOn),
      column(({ keyVersion }) => keyVersion),
      column(({ sealed }) => sealed),
      column(({ hashes }) => hashes[0]),
    ],
  );
  await tx.query(
    `insert into pool_stocks (workspace_id, pool_id, retailer, value)
     select distinct $1::bigint, $2::bigint, stock.retailer, stock.value
       from unnest($3::text[], $4::numeric[]) as stock (retailer, value)
         on conflict do nothing`,
    [workspaceId, poolId, column(({ line }) => line.retailer), column(({ line }) => line.value)],
  );
}
