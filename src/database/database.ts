import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure, unavailable } from '../errors.ts';

/** Where a statement can run: straight on the pool, or inside the transaction that was handed over. */
export interface Queryable {
  query<Row = unknown>(sql: string, values?: readonly unknown[], use?: StatementUse): Promise<Row[]>;
}

/**
 * A statement of constant text is prepared: planned once a connection, then only executed. One that is put together, from
 * filters for instance, has any number of texts and is used once: each kept would cost every connection memory for good.
 */
export type StatementUse = 'prepared' | 'once';

export interface Database extends Queryable {
  readonly url: string;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** All rows as they are at one moment, however many, a few hundred at a time. */
  stream<Row = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    rowsAtOnce?: number,
  ): AsyncIterable<Row[]>;
  /** The driver's own pool, for the job queue and the migrations, which bring their own SQL. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  maxConnections: number;
  /** A statement that runs longer is cancelled, on the server and here. Null: it may take as long as it needs. */
  statementTimeoutMs: number | null;
  /** How long a statement may wait for somebody else's lock. */
  lockTimeoutMs?: number;
  /** All statements look rows up by key, however many tables they join and whatever the planner believes of them. */
  byKey?: boolean;
  name: string;
  onError?: (error: Error) => void;
}

const connectTimeoutMs = 1_500;
const closeTimeoutMs = 500;

// Planned once, because planning costs as much as running; and joined row by row through indexes, because the planner
// takes a batch for larger than it is and would rather read a whole table of people for it.
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

/** The same for one transaction of a session that plans as it likes. */
export async function lookUpByKey(tx: Queryable): Promise<void> {
  await tx.query(settingsSql(byKeySettings, true));
}

export function openDatabase(options: DatabaseOptions): Database {
  const settings = settingsSql(sessionSettings(options), false);
  const pool = new pg.Pool({
    connectionString: options.url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(options.statementTimeoutMs !== null && { query_timeout: options.statementTimeoutMs + 500 }),
    onConnect: (client) => client.query(settings),
    application_name: `giftwire ${options.name}`,
    max: options.maxConnections,
  });
  pool.on('error', (error) => options.onError?.(error));
  // A connection that dies while it is lent out says so here; the statement that needs it fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));

  return {
    url: options.url,
    pool,
    query: (sql, values, use) => run(pool, sql, values, use),
    transaction: (work) => transaction(pool, work),
    stream: (sql, values, rowsAtOnce) => stream(pool, sql, values, rowsAtOnce),
    // A connection that hangs must not hold up the end.
    close: () => Promise.race([pool.end(), sleep(closeTimeoutMs, undefined, { ref: false })]),
  };
}

/**
 * The settings of a session, set with a statement after connecting: a pooler in between refuses most of them as
 * parameters of the connection. Without `jit = off` a stock server compiles most statements: switching sequential scans
 * off raises their estimated costs far above its threshold, and an order took 3 s.
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

async function transaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw translate(error);
  });
  let broken: Error | undefined;
  try {
    await run(client, 'begin');
    const result = await work({ query: (sql, values, use) => run(client, sql, values, use) });
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

// Few enough that whoever turns them into text holds nobody up.
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
    // Whoever reads the rows sets the pace.
    await run(client, `set local idle_in_transaction_session_timeout = ${slowestReaderMs}`);
    // Rows are wanted as they come: a plan that sorts all of them first would be cancelled before it gives one.
    await run(client, 'set local cursor_tuple_fraction = 0.0001');
    await run(client, `declare streamed no scroll cursor for ${sql}`, values, 'once');
    for (;;) {
      const rows = await run<Row>(client, `fetch ${rowsAtOnce} from streamed`);
      if (rows.length === 0) break;
      yield rows;
    }
  } finally {
    // Also where the reader has gone away.
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
    const name = use === 'prepared' ? preparedName(sql) : undefined;
    const result = await on.query({ ...(name && { name }), text: sql, values: values as unknown[] });
    return result.rows as Row[];
  } catch (error) {
    throw translate(error);
  }
}

const preparedNames = new Map<string, string>();
// Far more than there are constant texts.
const maxPrepared = 500;

/** The name follows from the text: two programs that get the same session from a pooler never mean different statements. */
function preparedName(sql: string): string | undefined {
  const known = preparedNames.get(sql);
  if (known !== undefined || preparedNames.size >= maxPrepared) return known;
  const name = `gw_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
  preparedNames.set(sql, name);
  return name;
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

function translate(error: unknown): unknown {
  // What quotes rows is left out, because errors are logged.
  if (error instanceof pg.DatabaseError)
    Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  return isTransient(error) ? unavailable(error) : error;
}

/** SQLSTATE classes and codes that speak of the server's condition, not of the statement. */
const transientStates = /^(08|28|3D|53|57|58)|^(40001|40P01|55P03|55000|25P03|25006)$/;
const transientSystemErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(PIPE|TIMEDOUT|NOENT|NOTFOUND|HOSTUNREACH|NETUNREACH|ACCES)|EAI_AGAIN)$/;
const driverComplaints = /timeout|Connection terminated|not queryable|Cannot use a pool after|pool is draining/i;

function isTransient(error: unknown): boolean {
  if (error instanceof Failure) return error.kind === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && error instanceof pg.DatabaseError)
    return transientStates.test(code);
  if (typeof code === 'string') return transientSystemErrors.test(code);
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return driverComplaints.test(error.message);
}

/** Transient, yet perhaps because of what one statement does: a conflict, or too long a time. */
export function isConflict(error: unknown): boolean {
  return error instanceof Failure && /^(40001|40P01|57014|25P03)$/.test(stateOf(error.cause));
}

/** The data's fault: values, checks of values, limits, exceptions raised on purpose. */
export function isOwnFault(error: unknown): boolean {
  return /^(22|23514|54|P0)/.test(stateOf(error));
}

/** A doubled key, a missing row or a missing value: a defect of the program or of the database, never of the data sent. */
export function isIntegrityViolation(error: unknown): boolean {
  return /^23/.test(stateOf(error)) && !isOwnFault(error);
}

function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}
