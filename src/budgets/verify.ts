import type { Database, Queryable } from '../database/database.ts';
import { checks, type Finding } from './checks.ts';
import { type Head, readHeads } from './heads.ts';

export interface Verification {
  /** What is wrong, each with the entry, order or budget at fault. */
  faults: Finding[];
  heads: Head[];
}

/** What to verify. Without a workspace: all of them. */
export interface Scope {
  workspaceId?: number;
  /** Hashes that somebody has kept: each must be the hash of an entry, or the chain was rewritten since. */
  known?: readonly string[];
  /** How long one check may take; absent: as long as it needs. */
  timeoutMs?: number;
}

/** Compares the ledger with itself, with the balances, and with the orders and gifts, in one snapshot. */
export async function verifyLedger(database: Database, scope: Scope = {}): Promise<Verification> {
  const { workspaceId = null, known = [], timeoutMs = 0 } = scope;
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    await tx.query(settingsSql, [String(timeoutMs), workspaceId === null ? '256MB' : '64MB']);
    const faults: Finding[] = [];
    for (const check of checks) faults.push(...(await tx.query<Finding>(check, [workspaceId], 'once')));
    faults.push(...(await missingHeads(tx, workspaceId, known)));
    return { faults, heads: await readHeads(tx, null, workspaceId) };
  });
}

/**
 * The statements join all rows of large tables. Groups of them are read in the sequence of an index or sorted: hash tables of all orders
 * took a fifth longer.
 */
const settingsSql = `
  select set_config('statement_timeout', $1, true), set_config('work_mem', $2, true), set_config('enable_hashagg', 'off', true)`;

async function missingHeads(tx: Queryable, workspaceId: number | null, known: readonly string[]): Promise<Finding[]> {
  const missing = await tx.query<{ head: string }>(
    `select kept.head
       from unnest($1::text[]) as kept (head)
      where not exists (select
                          from ledger_entries e
                         where e.hash = decode(kept.head, 'hex')
                           and ($2::bigint is null or e.workspace_id = $2))`,
    [known, workspaceId],
  );
  return missing.map(({ head }) => ({
    workspaceId,
    budgetId: null,
    number: null,
    problem: `No entry has the head ${head}: entries were removed or rewritten since it was kept.`,
  }));
}
