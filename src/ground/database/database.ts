import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { traceStatement } from '../traces/spans.ts';
import { allowCopies } from './copy.ts';
import { cutUnanswered, readRows } from './driver.ts';
import { translate } from './errors.ts';
import { checkHistory } from './history.ts';
import { currentJoin } from './joining.ts';
import { preparedName, prepareStatements } from './prepared-names.ts';
import type { Queryable, StatementUse } from './queryable.ts';
import { ServerClient } from './servers.ts';
import { readSessionState } from './session-state.ts';

export type { Queryable } from './queryable.ts';

/** The one row of a statement that always returns exactly one. */
export async function queryOne<Row>(
  on: Queryable,
  sql: string,
  values?: readonly unknown[],
  use?: StatementUse,
): Promise<Row> {
  const rows = await on.query<Row>(sql, values, use);
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`a statement returned ${rows.length} rows and not one`);
  return row;
}

/** The number of a statement that selects `count(*)` alone. */
export async function queryCount(on: Queryable, sql: string, values: readonly unknown[]): Promise<number> {
  return (await queryOne<{ count: number }>(on, sql, values)).count;
}

/** The row of a statement that returns one row or none; null for none. */
export async function queryOptional<Row>(
  on: Queryable,
  sql: string,
  values?: readonly unknown[],
  use?: StatementUse,
): Promise<Row | null> {
  const [row] = await on.query<Row>(sql, values, use);
  return row ?? null;
}

export interface Database extends Queryable {
  readonly url: string;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** All rows of one snapshot, however many, a few hundred at a time. */
  stream<Row = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    rowsAtOnce?: number,
  ): AsyncIterable<Row[]>;
  /** The driver's pool, for the migrations, which need one session. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  maxConnections: number;
  /** A statement that runs longer is cancelled, on the server and here. Null: no limit. */
  statementTimeoutMs: number | null;
  /** How long a statement may wait for a lock. */
  lockTimeoutMs?: number;
  /** How long to wait for a connection. A caller of the service is told to come again soon; others may wait longer. */
  connectTimeoutMs?: number;
  /** Every statement finds its rows by key: it is planned once, and only with indexes. */
  byKey?: boolean;
  /** One connection stays open, also while it is idle. */
  keepsOne?: boolean;
  name: string;
  /** A standby that only reads: its history is that of the primary (replica.ts). */
  isReplica?: boolean;
  onError?: (error: Error) => void;
}

const usualConnectTimeoutMs = 1_500;
const closeTimeoutMs = 500;
/** How much later than its time limit the server may say that it has ended a statement. */
const graceMs = 500;

// Planned once, because planning costs as much as running. Joined row by row through indexes, because the planner
// overestimates the size of a batch and would read the whole table of members for it.
const byKeySettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
};

function settingsSql(settings: Record<string, string | number>, isLocal: boolean): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);
  return `select ${set.join(', ')}`;
}

/** The settings of `byKey` for one transaction in a pool without them, and no bitmap scans: they read all teams to check one foreign key. */
export async function lookUpByKey(tx: Queryable): Promise<void> {
  await tx.query(settingsSql({ ...byKeySettings, enable_bitmapscan: 'off' }, true));
}

export function openDatabase(options: DatabaseOptions): Database {
  const settings = settingsSql(sessionSettings(options), false);
  const check = (client: ServerClient) =>
    checkHistory(client, options.url, (withHistory) => readSessionState(client, settings, withHistory)).catch(
      (error) => {
        client.doubt();
        throw error;
      },
    );
  const watch = options.statementTimeoutMs === null ? null : cutUnanswered(options.statementTimeoutMs + graceMs);
  const pool = new pg.Pool({
    connectionString: options.url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs ?? usualConnectTimeoutMs,
    idleTimeoutMillis: 300_000, // Not the driver's 10 s: a new connection plans every statement again.
    Client: watch?.Client ?? ServerClient,
    onConnect: async (client) =>
      void (await (options.isReplica ? client.query(settings) : check(client as ServerClient))),
    application_name: `giftwire ${options.name}`,
    max: options.maxConnections,
    min: options.keepsOne ? 1 : 0,
  });
  pool.on('error', (error) => options.onError?.(error));
  // A connection that dies while a transaction uses it emits this event. The transaction's next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  prepareStatements(pool);

  return {
    url: options.url,
    pool,
    query: (sql, values, use) => run(pool, sql, values, use),
    transaction: (work) => transaction(pool, work),
    stream: (sql, values, rowsAtOnce) => stream(pool, sql, values, rowsAtOnce),
    // Does not wait longer for a connection that hangs.
    close: () => Promise.race([pool.end(), sleep(closeTimeoutMs, undefined, { ref: false })]).finally(watch?.stop),
  };
}

/**
 * The settings of a session. They are set with a statement after connecting, because a pooler refuses most of them as
 * connection parameters. Without `jit = off` a stock server compiles most statements, because `enable_seqscan = off`
 * raises their estimated costs far above its threshold: an order took 3 s.
 */
function sessionSettings({
  statementTimeoutMs,
  lockTimeoutMs,
  byKey,
}: DatabaseOptions): Record<string, string | number> {
  return {
    statement_timeout: statementTimeoutMs ?? 0,
    idle_in_transaction_session_timeout: statementTimeoutMs === null ? 0 : 10_000,
    ...((statementTimeoutMs === null || lockTimeoutMs !== undefined) && { lock_timeout: lockTimeoutMs ?? 0 }),
    jit: 'off',
    ...(byKey && byKeySettings),
  };
}

const lastWorks = new WeakMap<Queryable, (() => Promise<void>)[]>();

/** Lets work run last in a transaction: it is committed together with everything before it, or not at all. */
export function beforeCommit(tx: Queryable, work: () => Promise<void>): void {
  const works = lastWorks.get(tx);
  if (!works) throw new Error('this has to run in a transaction');
  works.push(work);
}

async function runTransaction<T>(client: pg.PoolClient, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const tx: Queryable = { query: (sql, values, use) => run(client, sql, values, use) };
  allowCopies(tx, client, translate);
  const works: (() => Promise<void>)[] = [];
  lastWorks.set(tx, works);
  const result = await work(tx);
  await currentJoin()?.(tx);
  for (const last of works) await last();
  return result;
}

async function transaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw translate(error);
  });
  let broken: Error | undefined;
  try {
    await run(client, 'begin');
    const result = await runTransaction(client, work);
    await run(client, 'commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

// Few enough that turning them into text does not block the event loop for long.
const streamedRows = 250;
const slowestReaderMs = 60_000;

async function* stream<Row>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[] = [],
  rowsAtOnce = streamedRows,
): AsyncIterable<Row[]> {
  const client = await pool.connect().catch((error) => {
    throw translate(error);
  });
  let broken: Error | undefined;
  try {
    await run(client, 'begin read only');
    // The reader of the rows sets the pace.
    await run(client, `set local idle_in_transaction_session_timeout = ${slowestReaderMs}`);
    // Prefers plans that return the first rows early: one that sorts all rows first would reach the statement time-out.
    await run(client, 'set local cursor_tuple_fraction = 0.0001');
    await run(client, `declare streamed no scroll cursor for ${sql}`, values, 'once');
    for (;;) {
      const rows = await run<Row>(client, `fetch ${rowsAtOnce} from streamed`);
      if (rows.length === 0) break;
      yield rows;
    }
  } finally {
    // Runs also when the reader stops early.
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    client.release(broken);
  }
}

async function run<Row>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  values: readonly unknown[] = [],
  use: StatementUse = 'prepared',
): Promise<Row[]> {
  try {
    const name = use === 'prepared' ? preparedName(on, sql) : undefined;
    const statement = { ...(name && { name }), text: sql, values: values as unknown[] };
    return await traceStatement(sql, () => readRows<Row>(on, statement));
  } catch (error) {
    // So that its stack names the caller, not a socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw translate(error);
  }
}

const { builtins } = pg.types;
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    // Ids and counters stay below 2^53; amounts have at most nine digits, which a double returns exactly as written.
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
    if (oid === builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
};
