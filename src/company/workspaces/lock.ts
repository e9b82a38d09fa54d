import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { replayedMoment } from './replayed.ts';
import { noWorkspace } from './workspaces.ts';
import { Writers } from './writers.ts';

// Away from the numbers of other advisory locks.
const gates = 0x67_00_00_00_00_00;

/**
 * A workspace's time: the clock, with the offset of the test clock (clock.ts), and never earlier than its latest activity.
 * `alias` is an alias of activity_counters.
 */
export function timeOf(alias: string): string {
  return `greatest(${alias}.latest, clock_timestamp() + ${alias}.clock_ahead)`;
}

/**
 * Lets one writer at a time into a workspace: everything that adds or changes its members, gifts and emails, or records recognition. So numbers
 * are dense, no person is added twice, and no two writers wait for each other. A transaction takes this lock first.
 *
 * Returns the moment of what the transaction records: the workspace's clock (clock.ts), but never earlier than its latest
 * activity. It is text, because a Date would cut off the microseconds.
 *
 * It counts itself as a change, so that readers know whether anything can have changed (readVersion).
 *
 * PostgreSQL lets newcomers overtake transactions that wait for a row, so a series of fulfilments could keep all other writers
 * out. Advisory locks are given first come, first served: a writer queues at its workspace's gate, then locks the row.
 */
export async function lockWorkspace(tx: Queryable, workspaceId: number): Promise<string> {
  const moment = await takeLock(tx, workspaceId, waitSql);
  if (moment === null) throw noWorkspace(workspaceId);
  return moment;
}

/** The same without waiting: null if another writer has the lock or waits for it, or if there is no such workspace. */
export function tryLockWorkspace(tx: Queryable, workspaceId: number): Promise<string | null> {
  return takeLock(tx, workspaceId, trySql);
}

async function takeLock(tx: Queryable, workspaceId: number, sql: string): Promise<string | null> {
  const counter = await queryOptional<{ moment: string }>(tx, sql, [workspaceId, gates]);
  if (!counter) return null;
  moments.set(tx, new Map(moments.get(tx)).set(workspaceId, counter.moment));
  return momentOf(tx, workspaceId);
}

const lockSql = (gate: string, isOpen: string) => `
  update activity_counters c
     set changes = c.changes + 1
    from (select ${gate}($2::bigint + $1::bigint) as is_open) as gate
   where c.workspace_id = $1::bigint
     and ${isOpen}
  returning ${timeOf('c')}::text as moment`;

const waitSql = lockSql('pg_advisory_xact_lock', 'true');
const trySql = lockSql('pg_try_advisory_xact_lock', 'gate.is_open');

/**
 * What every change of a workspace moves: while it is the same text, nothing that a writer with the lock changes has changed, and it is
 * the same day in the workspace.
 */
export async function readVersion(on: Queryable, workspaceId: number): Promise<string> {
  const row = await queryOptional<{ version: string }>(
    on,
    `select concat_ws(' ', c.changes, ${historyBase}, (${timeOf('c')} at time zone w.time_zone)::date) as version
       from activity_counters c
       join workspaces w on w.id = c.workspace_id
      where c.workspace_id = $1`,
    [workspaceId],
  );
  if (!row) throw noWorkspace(workspaceId);
  return row.version;
}

const moments = new WeakMap<Queryable, Map<number, string>>();

/** The moment of a transaction that holds the workspace's lock. A writer that has not taken the lock fails here. */
export function momentOf(tx: Queryable, workspaceId: number): string {
  const moment = moments.get(tx)?.get(workspaceId);
  if (moment === undefined) throw new Error(`workspace ${workspaceId} is written to without its lock`);
  return replayedMoment(tx) ?? moment;
}

const writers = new WeakMap<Database, Writers>();

/** Runs a transaction as the workspace's one writer. It waits for `waitMs` at most while others of this process write, else as long as usual. */
export function inWorkspace<T>(
  database: Database,
  workspaceId: number,
  work: (tx: Queryable, moment: string) => Promise<T>,
  waitMs?: number,
): Promise<T> {
  const known = writers.get(database) ?? new Writers(database, { take: lockWorkspace, tryToTake: tryLockWorkspace });
  writers.set(database, known);
  return known.run(workspaceId, work, waitMs);
}
