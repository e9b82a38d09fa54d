import type { Database, Queryable } from '../database/database.ts';
import { checks, type Finding } from './checks.ts';
import { type Head, readHeads } from './heads.ts';

export interface Verification {
  /** What is wrong, each with the entry, order or budget at fault. */
  faults: Finding[];
  heads: Head[];
}

/**
 * Compares the ledger with itself, with the balances, and with the orders and gifts, in one snapshot. `known` are hashes that somebody
 * has kept: each must be the hash of an entry, or the chain was rewritten since.
 */
export async function verifyLedger(database: Database, known: readonly string[] = []): Promise<Verification> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    // It may take as long as it needs, and its statements join all rows of large tables.
    await tx.query(`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true)`);
    const faults: Finding[] = [];
    for (const check of checks) faults.push(...(await tx.query<Finding>(check, [], 'once')));
    faults.push(...(await missingHeads(tx, known)));
    return { faults, heads: await readHeads(tx) };
  });
}

async function missingHeads(tx: Queryable, known: readonly string[]): Promise<Finding[]> {
  const missing = await tx.query<{ head: string }>(
    `select kept.head
       from unnest($1::text[]) as kept (head)
      where not exists (select from ledger_entries e where e.hash = decode(kept.head, 'hex'))`,
    [known],
  );
  return missing.map(({ head }) => ({
    workspaceId: null,
    budgetId: null,
    number: null,
    problem: `No entry has the head ${head}: entries were removed or rewritten since it was kept.`,
  }));
}
