import { type Head, readHeads } from '../../giving/budgets/heads.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { checks, checksOfSeals, type LedgerFault } from './checks.ts';
import { readFullProblems } from './outcomes.ts';
import { findProblems } from './readable.ts';
import { aboutCheckpoint, checkpointProblems, isReadable, unreadableCheckpoint, verifySince } from './since.ts';
import { beginReading, exportSnapshot, hasSecondConnection, type Reading, share } from './snapshot.ts';
import { concludeOrders, sumOrders } from './verify-orders.ts';

export interface Verification {
  /** The problems found, each with its entry, order or budget. */
  faults: LedgerFault[];
  heads: Head[];
}

/** What to verify. Without a workspace: all of them. */
export interface VerificationScope {
  workspaceId?: number;
  /** Hashes kept outside the database: each must be the hash of an entry, or the chain was rewritten since. */
  known?: readonly string[];
}

/** Compares the ledger with itself, with the balances, with orders and gifts, and everything with its seals, in one snapshot. */
export async function verifyLedger(database: Database, scope: VerificationScope = {}): Promise<Verification> {
  const { workspaceId = null, known = [] } = scope;
  return database.transaction(async (tx) => {
    await beginReading(tx);
    const found = await compareAll(tx, database, scope);
    const missing = await missingHeads(tx, workspaceId, known);
    return { faults: [...found, ...missing], heads: await readHeads(tx, null, workspaceId) };
  });
}

/** What was found, and since when. Without a checkpoint, everything was compared. */
export interface NewVerification extends Verification {
  checkpoint: Omit<Checkpoint, 'content'> | null;
}

/** A checkpoint of a workspace, without its content. */
export type CheckpointOf = NonNullable<NewVerification['checkpoint']> & { workspaceId: number };

/** Compares what is new in all workspaces, one after the other. Before the first checkpoint: everything, in one snapshot. */
export async function verifyAllNew(
  database: Database,
  known: readonly string[],
): Promise<Verification & { checkpoints: CheckpointOf[] }> {
  const workspaces = await database.query<{ id: number; isKnown: boolean }>(
    `select id, exists (select from ledger_checkpoints c where c.workspace_id = w.id) as "isKnown" from workspaces w order by id`,
  );
  if (!workspaces.some(({ isKnown }) => isKnown))
    return { ...(await verifyLedger(database, { known })), checkpoints: [] };
  const all: { faults: LedgerFault[]; checkpoints: CheckpointOf[] } = { faults: [], checkpoints: [] };
  for (const { id } of workspaces) {
    const { faults, checkpoint } = await verifyNew(database, id);
    all.faults.push(...faults);
    if (checkpoint) all.checkpoints.push({ workspaceId: id, ...checkpoint });
  }
  all.faults.push(...(await missingHeads(database, null, known)));
  return { ...all, heads: await readHeads(database) };
}

/**
 * Compares what is new in a workspace since its latest checkpoint, and everything that can still be paid out, and repeats what the latest full
 * verification has found. Without a checkpoint: everything.
 */
export async function verifyNew(
  database: Database,
  workspaceId: number,
  known: readonly string[] = [],
): Promise<NewVerification> {
  return database.transaction(async (tx) => {
    await beginReading(tx);
    const stored = await readCheckpoint(tx, workspaceId);
    const isUsable = stored !== null && (await isReadable(tx, stored.content));
    const found = isUsable
      ? await compareNew(tx, workspaceId, stored)
      : await compareAll(tx, database, { workspaceId });
    if (stored && !isUsable) found.push(aboutCheckpoint(workspaceId, unreadableCheckpoint));
    const missing = await missingHeads(tx, workspaceId, known);
    const checkpoint = isUsable ? { at: stored.at, fullAt: stored.fullAt, entries: stored.entries } : null;
    return { faults: [...found, ...missing], heads: await readHeads(tx, null, workspaceId), checkpoint };
  });
}

async function compareNew(tx: Queryable, workspaceId: number, { content }: Checkpoint): Promise<LedgerFault[]> {
  const found = [
    ...(await checkpointProblems(tx, workspaceId, content)),
    ...(await verifySince(tx, workspaceId, content)),
  ];
  return [...found, ...(await readFullProblems(tx, workspaceId, found))];
}

/**
 * The statements join all rows of large tables. Groups of them are read in the sequence of an index or sorted: hash tables of all orders
 * took a fifth longer.
 */
const settingsSql = `
  select set_config('work_mem', $1, true), set_config('enable_hashagg', 'off', true)`;

function settingsOf({ workspaceId }: VerificationScope): string[] {
  return [workspaceId === undefined ? '256MB' : '64MB'];
}

/**
 * Runs all checks. All workspaces are verified on two connections, because the statements would keep only one processor busy. A single
 * workspace is verified while requests are answered, so it gets one.
 */
async function compareAll(tx: Queryable, database: Database, scope: VerificationScope): Promise<LedgerFault[]> {
  const { workspaceId = null } = scope;
  await tx.query(settingsSql, settingsOf(scope));
  const orders = await sumOrders(tx, workspaceId);
  const run = (check: string) => (on: Queryable) => findProblems(on, check, [workspaceId]);
  const seals = checksOfSeals.map(run);
  const readings: Reading<LedgerFault[] | string>[] = [...seals, ...orders, ...checks.map(run)];
  const isAlone = workspaceId !== null || !hasSecondConnection(database);
  const second = isAlone ? [] : [await openSecond(tx, database, scope)];
  const read = await share(readings, [(work) => work(tx), ...second]);
  const sums = read.filter((one) => typeof one === 'string');
  const found = read.filter((one) => typeof one !== 'string');
  const orderFaults = await concludeOrders(tx, workspaceId, sums);
  return [...found.slice(seals.length), orderFaults, ...found.slice(0, seals.length)].flat();
}

/** Another connection that sees what `tx` sees. */
async function openSecond(tx: Queryable, database: Database, scope: VerificationScope) {
  const snapshot = await exportSnapshot(tx);
  return (work: (on: Queryable) => Promise<void>) =>
    database.transaction(async (second) => {
      await beginReading(second, snapshot);
      await second.query(settingsSql, settingsOf(scope));
      await work(second);
    });
}

/** Heads that were kept and that no entry and no seal has. */
export async function missingHeads(
  tx: Queryable,
  workspaceId: number | null,
  known: readonly string[],
): Promise<LedgerFault[]> {
  if (known.length === 0) return [];
  const missing = await tx.query<{ head: string }>(
    `select kept.head
       from unnest($1::text[]) as kept (head)
      where not exists (select
                          from ledger_entries e
                         where e.hash = decode(kept.head, 'hex')
                           and ($2::bigint is null or e.workspace_id = $2))
        and not exists (select
                          from seals s
                         where s.hash = decode(kept.head, 'hex')
                           and ($2::bigint is null or s.workspace_id = $2))`,
    [known, workspaceId],
  );
  return missing.map(({ head }) => ({
    workspaceId,
    budgetId: null,
    number: null,
    problem: `No entry has the head ${head}: entries were removed or rewritten since it was kept.`,
  }));
}
