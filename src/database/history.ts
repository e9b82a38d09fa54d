import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { unavailable } from '../errors.ts';
import type { Queryable } from './queryable.ts';

/**
 * Detects a database that has gone back in time and starts a new history then: ids and numbers continue far ahead, so that none that has
 * left the service ever refers to anything else. Each new connection is checked before its first use, so a failover needs no manual step.
 *
 * A restore of a dump changes the oids, a failover or a point-in-time recovery the timeline, another cluster the system identifier, and a
 * copied data folder its storage. A database that is reset to a snapshot while this process runs has a lower WAL position than before.
 * A false alarm costs a gap in the numbers.
 */
export interface Identity {
  systemIdentifier: string | null;
  timeline: string | null;
  databaseOid: string | null;
  /** Of the table `histories`; null before the first migration. */
  tableOid: string | null;
  /** Of an embedded PostgreSQL: what identifies its data folder. */
  storage: string | null;
}

/** What a session says of its database. */
export interface SessionState extends Omit<Identity, 'storage'> {
  /** How far the server has written its log (WAL); null where the role may not ask. */
  walBytes: number | null;
  isStandby: boolean;
  /** False for a role without rights to the tables: it is rejected elsewhere, with what to do. */
  hasRights: boolean;
}

export interface History {
  id: string;
  /** Ids and numbers of this history are greater. 0 for the first history. */
  base: number;
  startedAt: Date;
  reason: string;
}

/** The base of the current history, as an SQL expression. */
export const historyBase = '(select max(base) from histories)';

/** The id of the current history, as an SQL expression. */
export const historyId = '(select id from histories order by base desc limit 1)';

/** No installation issues ids faster. So the base of a history exceeds all ids that an earlier one, lost or not, has issued. */
const idsPerSecond = 100_000;

/** The base for numbers that are issued less than once a second, for example link versions of one gift. */
export const slowHistoryBase = `(select max(base) / ${idsPerSecond} from histories)`;

/** The id of the history in which such a number was issued, as an SQL expression. */
export function slowHistoryId(number: string): string {
  return `(select id from histories where base / ${idsPerSecond} < ${number} order by base desc limit 1)`;
}

// The start of 2025, so that ids stay short.
const baseEpoch = 1_735_689_600;

const lockKey = 0x6869_7374; // "hist"

const oidColumns = `
  pg_is_in_recovery()                                                            as "isStandby",
  (select oid::text from pg_database where datname = current_database())         as "databaseOid",
  to_regclass('histories')::oid::text                                            as "tableOid",
  coalesce(has_table_privilege(to_regclass('histories'), 'select'), false)       as "hasRights"`;

const walColumns = `
  (select system_identifier::text from pg_control_system())                      as "systemIdentifier",
  case when not pg_is_in_recovery()
       then left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end             as timeline,
  case when not pg_is_in_recovery()
       then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 end             as "walBytes"`;

/** The columns of a SessionState. A few hosted servers hide their log: there the oids have to do. */
export const stateColumns = (withWal: boolean) =>
  withWal
    ? `${oidColumns}, ${walColumns}`
    : `${oidColumns}, null::text as "systemIdentifier", null::text as timeline, null::float8 as "walBytes"`;

interface Known {
  identity: Identity;
  walBytes: number;
  historyId: string;
}

const knownByUrl = new Map<string, Known>();
const storageByUrl = new Map<string, string>();

/** Tells the check which data folder is behind a URL. */
export function rememberStorage(url: string, storage: string): void {
  storageByUrl.set(url, storage);
}

/** Checks a new connection. Starts a new history if the database is not the one, or not as late as the one, that the last check saw. */
export async function checkHistory(
  client: pg.ClientBase,
  url: string,
  readState: () => Promise<SessionState>,
): Promise<void> {
  // Before the question: two connections may be answered in another sequence than they are checked in.
  const seenBytes = knownByUrl.get(url)?.walBytes ?? 0;
  const state = await readState();
  // After its promotion this session could write without a check.
  if (state.isStandby) throw unavailable(new Error('The server is a standby: connect to the primary.'));
  if (state.tableOid === null || !state.hasRights) return;
  const identity = { ...state, storage: storageByUrl.get(url) ?? null };
  const walBytes = state.walBytes ?? seenBytes;
  const known = knownByUrl.get(url);
  const isBehind = walBytes < seenBytes;
  if (known && !isBehind && findDifference(known.identity, identity) === null) {
    known.walBytes = Math.max(known.walBytes, walBytes);
    return;
  }
  const { id } = await inTransaction(client, async () => {
    const stored = await readStored(client);
    const difference = findDifference(stored.identity, identity);
    if (difference !== null) return insertHistory(client, identity, stored, difference);
    // Another process may have started a new history for the same reason.
    if (isBehind && stored.id === known?.historyId)
      return insertHistory(client, identity, stored, 'the server lost what it had written');
    await fillIn(client, stored, identity);
    return stored;
  });
  knownByUrl.set(url, { identity, walBytes, historyId: id });
}

/** Starts a new history on request, for example after a restore that the check cannot see. */
export async function startHistory({ pool }: { pool: pg.Pool }, reason: string): Promise<History> {
  const client = await pool.connect();
  try {
    return await inTransaction(client, async () => {
      const stored = await readStored(client);
      return insertHistory(client, stored.identity, stored, reason);
    });
  } finally {
    client.release();
  }
}

/** The histories of this database, the latest first. */
export function readHistories(on: Queryable): Promise<History[]> {
  return on.query<History>(`select ${historyColumns} from histories order by base desc`);
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
const meanings: Record<keyof Identity, string> = {
  systemIdentifier: 'it is another PostgreSQL cluster',
  timeline: 'its timeline changed, by a failover or a point-in-time recovery',
  databaseOid: 'the database was created again',
  tableOid: 'the tables were created again, as a restore does',
  storage: 'the data folder was copied',
};

/** A part that is not known on one side is not compared. Null: no difference. */
function findDifference(before: Identity, now: Identity): string | null {
  const parts = Object.keys(meanings) as (keyof Identity)[];
  const changed = parts.find((part) => before[part] !== null && now[part] !== null && before[part] !== now[part]);
  return changed === undefined ? null : meanings[changed];
}

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
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

type Stored = History & { identity: Identity };

async function readStored(client: pg.ClientBase): Promise<Stored> {
  const { rows } = await client.query(
    `select id, base::float8 as base, started_at as "startedAt", reason,
            json_build_object('systemIdentifier', system_identifier, 'timeline', timeline, 'databaseOid', database_oid,
                              'tableOid', table_oid, 'storage', storage) as identity
       from histories
      order by histories.base desc
      limit 1`,
  );
  return rows[0] as Stored;
}

function valuesOf({ systemIdentifier, timeline, databaseOid, tableOid, storage }: Identity): (string | null)[] {
  return [systemIdentifier, timeline, databaseOid, tableOid, storage];
}

/** Stores the parts of the identity that no connection could see before. */
async function fillIn(client: pg.ClientBase, { id, identity: stored }: Stored, identity: Identity): Promise<void> {
  const parts = Object.keys(meanings) as (keyof Identity)[];
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
  identity: Identity,
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
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, greatest(coalesce(last_value, 1), $1::bigint))
       from pg_sequences
      where schemaname = current_schema()
        and data_type = 'bigint'::regtype`,
    [history.base],
  );
  return history;
}
