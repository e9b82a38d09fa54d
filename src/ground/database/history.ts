import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { unavailable } from '../errors.ts';
import { historyBase, historyId, idsPerSecond, movedReason } from './history-sql.ts';
import type { Queryable } from './queryable.ts';
import {
  type DatabaseIdentity,
  isSetBack,
  laggingSequences,
  readSessionState,
  type SessionState,
  walPosition,
} from './session-state.ts';

export {
  countOfNumbers,
  historyBase,
  historyEnds,
  historyId,
  movedReason,
  slowHistoryBase,
  slowHistoryBases,
  slowHistoryId,
} from './history-sql.ts';

/**
 * Detects a database that has gone back in time and starts a new history then: ids and numbers continue far ahead, so that none that has
 * left the service ever refers to anything else. Each new connection is checked before its first use, so a failover needs no manual step.
 *
 * A restore of a dump changes the oids, a failover or a point-in-time recovery the timeline, another cluster the system identifier, and a
 * copied data folder its storage. A database that is reset to a snapshot while this process runs has a lower WAL position than before.
 * A false alarm costs a gap in the numbers.
 */
export interface History {
  id: string;
  /** Ids and numbers of this history are greater. 0 for the first history. */
  base: number;
  startedAt: Date;
  reason: string;
}

// The start of 2025, so that ids stay short.
const baseEpoch = 1_735_689_600;

const lockKey = 0x6869_7374; // "hist"

/** What this process knows of the database of a URL. Another server, or another history, is another object. */
export interface KnownDatabase {
  readonly identity: DatabaseIdentity;
  readonly historyId: string;
  /** Of that history. */
  readonly base: number;
  walBytes: number;
}

const knownByUrl = new Map<string, KnownDatabase>();
const storageByUrl = new Map<string, string>();

/** Tells the check which data folder is behind a URL. */
export function rememberStorage(url: string, storage: string): void {
  storageByUrl.set(url, storage);
}

/**
 * Checks a new connection. Starts a new history if the database is not the one, or not as late as the one, that the last check saw.
 * Returns what is known of the database then; null before the first migration.
 */
export async function checkHistory(
  client: pg.ClientBase,
  url: string,
  readState: (withHistory: boolean) => Promise<SessionState>,
): Promise<KnownDatabase | null> {
  // Before the question: two connections may be answered in another sequence than they are checked in.
  const known = knownByUrl.get(url);
  const seenBytes = known?.walBytes ?? 0;
  const state = await readState(known !== undefined);
  // After its promotion this session could write without a check.
  if (state.isStandby) throw unavailable(new Error('The server is a standby: connect to the primary.'));
  if (state.tableOid === null && known === undefined) return null;
  if (state.tableOid !== null && !state.hasRights) return null;
  // After the restore this session could write without a check.
  if (!state.isComplete) throw unavailable(new Error('The database is not complete: wait for the end of its restore.'));
  const identity: DatabaseIdentity = { ...state, storage: storageByUrl.get(url) ?? null };
  const walBytes = state.walBytes ?? seenBytes;
  const isBehind = walBytes < seenBytes;
  const isSame = state.historyId === known?.historyId && !state.isSetBack && !isBehind;
  if (known && isSame && findDifference(known.identity, identity) === null) {
    known.walBytes = Math.max(known.walBytes, walBytes);
    return known;
  }
  const { id, base } = await oneAtATime(client, async () => {
    const stored = await readStored(client);
    const difference = findDifference(stored.identity, identity) ?? findLoss(stored, known, isBehind);
    const base = Math.max(stored.base, known?.base ?? 0);
    if (difference !== null) return insertHistory(client, identity, { ...stored, base }, difference);
    await fillIn(client, stored, identity);
    return stored;
  });
  return remember(url, { identity, walBytes, historyId: id, base });
}

/** What this process has seen of the database and is not there. Another process may have started a later history for the same loss. */
function findLoss(stored: Stored, known: KnownDatabase | undefined, isBehind: boolean): string | null {
  // Ids of the history may have been issued before, so it cannot go on.
  if (stored.isSetBack) return 'its sequences were set back';
  if (known === undefined || stored.base > known.base) return null;
  if (stored.id !== known.historyId) return 'it lacks a history that it had';
  return isBehind ? 'the server lost what it had written' : null;
}

/** Two connections that are checked at the same time agree on one object. */
function remember(url: string, now: KnownDatabase): KnownDatabase {
  const known = knownByUrl.get(url);
  if (known?.historyId === now.historyId && findDifference(known.identity, now.identity) === null) {
    known.walBytes = now.walBytes;
    return known;
  }
  knownByUrl.set(url, now);
  return now;
}

/**
 * Notes how far the server of an open session has come, so that a later check sees what is lost. Throws where the session is not on the
 * database that this process knows: it has to be opened again, and checked.
 */
export async function watchHistory(client: pg.ClientBase, url: string, known: KnownDatabase): Promise<void> {
  const walBytes = known.identity.systemIdentifier === null ? 'null::float8' : walPosition;
  const { rows } = await client.query(
    `select ${walBytes} as "walBytes", ${historyId} as "historyId", ${isSetBack} as "isSetBack",
            to_regclass('histories')::oid::text as "tableOid"`,
  );
  const now = rows[0] as Pick<SessionState, 'walBytes' | 'historyId' | 'isSetBack' | 'tableOid'>;
  const isSame = now.historyId === known.historyId && !now.isSetBack && now.tableOid === known.identity.tableOid;
  if (!isSame || knownByUrl.get(url) !== known) throw new Error('the database is another one, or has another history');
  known.walBytes = Math.max(known.walBytes, now.walBytes ?? 0);
}

/** Sequences that a migration adds begin above the base of the history, as all others do: below it, they would look set back. */
export async function setSequencesAhead(client: pg.ClientBase): Promise<void> {
  await client.query(`
    do $$
    begin
      if to_regclass('histories') is not null then
        perform setval(format('%I.%I', schemaname, sequencename)::regclass, ${historyBase})
           from ${laggingSequences(historyBase)};
      end if;
    end $$`);
}

/** Starts a new history on request, for example after a restore that the check cannot see. */
export async function startHistory({ pool }: { pool: pg.Pool }, reason: string): Promise<History> {
  const client = await pool.connect();
  try {
    return await oneAtATime(client, async () => {
      const stored = await readStored(client);
      return insertHistory(client, stored.identity, stored, reason);
    });
  } finally {
    client.release();
  }
}

/**
 * Starts the history of a complete copy, on the copy. The check could miss that it is another database: two servers may give the same oids, and
 * some hide what identifies them.
 */
export async function startHistoryOfCopy(client: pg.ClientBase, reason: string): Promise<History> {
  const identity = { ...(await readSessionState(client, 'select true', false)), storage: null };
  return oneAtATime(client, async () => {
    const stored = await readStored(client);
    return insertHistory(client, identity, { ...stored, identity }, reason);
  });
}

/** The histories of this database, the latest first. */
export function readHistories(on: Queryable): Promise<History[]> {
  return on.query<History>(`select ${historyColumns} from histories order by base desc`);
}

/** How long ago the database last went back in time; null: it never did. */
export async function readHistoryAge(on: Queryable): Promise<number | null> {
  const [latest] = await on.query<{ seconds: number }>(
    `select extract(epoch from clock_timestamp() - started_at)::float8 as seconds
       from histories where base > 0 and reason <> $1
      order by base desc
      limit 1`,
    [movedReason],
  );
  return latest?.seconds ?? null;
}

/** Marks the histories as noted that are not yet, and returns them, the earliest first. */
export async function takeUnnoted(tx: Queryable): Promise<History[]> {
  const rows = await tx.query<History>(
    `update histories set noted_at = clock_timestamp() where noted_at is null returning ${historyColumns}`,
  );
  return rows.sort((a, b) => a.base - b.base);
}

const historyColumns = 'id, base, started_at as "startedAt", reason';

/** The parts of an identity, with what a difference means. */
const meanings: Record<keyof DatabaseIdentity, string> = {
  systemIdentifier: 'it is another PostgreSQL cluster',
  timeline: 'its timeline changed, by a failover or a point-in-time recovery',
  databaseOid: 'the database was created again',
  tableOid: 'the tables were created again, as a restore does',
  storage: 'the data folder was copied',
};

/** A part that is not known on one side is not compared. Null: no difference. */
function findDifference(before: DatabaseIdentity, now: DatabaseIdentity): string | null {
  const parts = Object.keys(meanings) as (keyof DatabaseIdentity)[];
  const changed = parts.find((part) => before[part] !== null && now[part] !== null && before[part] !== now[part]);
  return changed === undefined ? null : meanings[changed];
}

/** One connection at a time continues the histories. No other sees a history before its sequences are set ahead. */
async function oneAtATime<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

type Stored = History & { identity: DatabaseIdentity; isSetBack: boolean };

async function readStored(client: pg.ClientBase): Promise<Stored> {
  const { rows } = await client.query(
    `select id, base::float8 as base, started_at as "startedAt", reason, ${isSetBack} as "isSetBack",
            json_build_object('systemIdentifier', system_identifier, 'timeline', timeline, 'databaseOid', database_oid,
                              'tableOid', table_oid, 'storage', storage) as identity
       from histories
      order by histories.base desc
      limit 1`,
  );
  return rows[0] as Stored;
}

function valuesOf({ systemIdentifier, timeline, databaseOid, tableOid, storage }: DatabaseIdentity): (string | null)[] {
  return [systemIdentifier, timeline, databaseOid, tableOid, storage];
}

/** Stores the parts of the identity that no connection could see before. */
async function fillIn(
  client: pg.ClientBase,
  { id, identity: stored }: Stored,
  identity: DatabaseIdentity,
): Promise<void> {
  const parts = Object.keys(meanings) as (keyof DatabaseIdentity)[];
  if (parts.every((part) => stored[part] !== null || identity[part] === null)) return;
  await client.query(
    `update histories
        set system_identifier = coalesce(system_identifier, $2),
            timeline          = coalesce(timeline, $3),
            database_oid      = coalesce(database_oid, $4),
            table_oid         = coalesce(table_oid, $5),
            storage           = coalesce(storage, $6)
      where id = $1`,
    [id, ...valuesOf(identity)],
  );
}

async function insertHistory(
  client: pg.ClientBase,
  identity: DatabaseIdentity,
  before: Stored,
  reason: string,
): Promise<History> {
  const { rows } = await client.query(
    `insert into histories (id, base, started_at, reason, system_identifier, timeline, database_oid, table_oid, storage)
     select $1, greatest(floor(greatest(extract(epoch from now.at), $9) - $10) * $11, $12::float8 + $11)::bigint, now.at, $2,
            $3, $4, $5, $6, coalesce($7, $8)
       from (select clock_timestamp() as at) now
     returning id, base::float8 as base, started_at as "startedAt", reason`,
    [
      randomUUID(),
      reason,
      ...valuesOf(identity),
      before.identity.storage,
      Date.now() / 1_000,
      baseEpoch,
      idsPerSecond,
      before.base,
    ],
  );
  const history = rows[0] as History;
  await client.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, $1::bigint) from ${laggingSequences('$1::bigint')}`,
    [history.base],
  );
  return history;
}
