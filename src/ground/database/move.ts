import type pg from 'pg';
import { Failure } from '../errors.ts';
import { placeOf } from '../values/database-url.ts';
import {
  copyTable,
  findContents,
  quotedList,
  readChecksum,
  readSequences,
  readTables,
  replaceRows,
  setSequences,
  type Table,
  useOneTextForm,
} from './all-tables.ts';
import { type Database, openDatabase } from './database.ts';
import { hasLockState } from './errors.ts';
import { movedReason, startHistoryOfCopy } from './history.ts';
import {
  explainMarks,
  incompleteMove,
  isClosedBy,
  isMark,
  markAsIncomplete,
  markAsMoved,
  movedTo,
  newMoveId,
  removeMarks,
} from './marks.ts';
import { migrateTogether, takeMigrationTurn } from './migrate.ts';
import { pools } from './pools.ts';
import { checkRightsToMigrate } from './rights.ts';
import { migrationsFolder, readSchema, refuseForeignSchema } from './schema.ts';
import { checkServer } from './server.ts';

export interface CopiedTable {
  table: string;
  rows: number;
  seconds: number;
}

export interface MoveOptions {
  source: Database;
  targetUrl: string;
  /** Called for each table that was copied. */
  onCopied: (copied: CopiedTable) => void;
  /** Called with the tables of the source that are not Giftwire's, if there are some. They are not copied. */
  onLeftOut?: (tables: string[]) => void;
  /** Compares what the tables of the copy say with one another, before anything may serve on it. An error ends the move. */
  verify: (copy: Database) => Promise<void>;
}

const lockTimeoutMs = 10_000;

/**
 * Copies all tables to an empty database on another server and compares them there. The tables of the source are locked until it is marked as
 * moved, so nothing is written that the copy lacks. The copy is committed as incomplete, and becomes usable after the source is marked: at every
 * moment at most one of the two can be served on. A move that fails or is killed leaves the source as it was, and can be repeated.
 */
export async function moveDatabase({
  source,
  targetUrl,
  onCopied,
  onLeftOut = () => {},
  verify,
}: MoveOptions): Promise<CopiedTable[]> {
  await using opened = new AsyncDisposableStack();
  const target = opened.adopt(openDatabase({ url: targetUrl, ...pools.longCommands }), (one) => one.close());
  const interrupted = await checkTarget(target).catch((error) => {
    throw aboutTarget(error);
  });
  // A repeated move keeps its id: the source may have been marked with it.
  const moveId = interrupted || newMoveId();
  const migrations = await checkSource(source, moveId);
  const from = await openSession(source, opened);
  const to = await openSession(target, opened);
  await takeMigrationTurn(to);
  await refuseNodes(from);
  const tables = await lockTables(from);
  await refuseNodes(from);
  await refuseOtherMove(from, target, moveId, interrupted);
  const copied = await fill({
    from,
    to,
    tables,
    migrations,
    moveId,
    isRepeated: interrupted !== null,
    onCopied,
    onLeftOut,
  });
  await startHistoryOfCopy(to, movedReason);
  await verify(target);
  await markAsMoved(from, placeOf(targetUrl), moveId);
  await from.query('commit');
  await removeMarks(to);
  return copied;
}

/** Rejects a database that the service could not run on, or that has tables. Returns the id of an earlier move that has left it incomplete, or null. */
async function checkTarget(target: Database): Promise<string | null> {
  await checkServer(target.url);
  await checkRightsToMigrate(target);
  const { unknown } = await readSchema(target);
  const interrupted = incompleteMove(unknown);
  if (interrupted !== null) return interrupted;
  const found = await findContents(target);
  if (found.length === 0) return null;
  throw new Failure(
    'setup',
    `The database ${placeOf(target.url)} is not empty (it has ${found.join(', ')}), and a move never overwrites: ` +
      'create an empty database there.',
  );
}

/** The checks of a start speak of DATABASE_URL, which names the source here. */
function aboutTarget(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const reason = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  if (error.kind !== 'unavailable')
    return new Failure(error.kind, error.message.replaceAll('DATABASE_URL', 'the URL of the target'), { cause: error });
  return new Failure(
    'setup',
    `The target cannot be reached (${reason instanceof Error ? reason.message : 'no response'}): check its URL. Nothing was changed.`,
    { cause: error },
  );
}

/** Returns the migrations that the source has, which are all those of this program. */
async function checkSource(source: Database, moveId: string): Promise<string[]> {
  const schema = await readSchema(source);
  const unknown = schema.unknown.filter((name) => !isClosedBy(name, moveId));
  refuseForeignSchema({ ...schema, unknown });
  if (schema.isNew) throw new Failure('setup', 'There is nothing to move: the database has no tables yet.');
  if (schema.pending.length > 0 || schema.next.length > 0)
    throw new Failure(
      'setup',
      'The schema is of another version: bring all nodes and the database to this version first.',
    );
  const rows = await source.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name).filter((name) => !isMark(name));
}

/** A session without a time limit. When it ends, what it has not committed is rolled back and its locks are released. */
async function openSession({ pool }: Database, opened: AsyncDisposableStack): Promise<pg.ClientBase> {
  const client = opened.adopt(await pool.connect(), (one) => one.release(true));
  await useOneTextForm(client);
  return client;
}

/** The names under which the connections of a node appear. */
const nodes = [
  'giftwire listener',
  ...Object.values(pools)
    .filter(({ openedBy }) => openedBy !== 'command')
    .map(({ name }) => `giftwire ${name}`),
];

async function refuseNodes(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = any ($1)`,
    [nodes],
  );
  if (rows[0].count > 0) throw inUse();
}

function inUse(): Failure {
  return new Failure('setup', 'Nodes use the database: stop every node of Giftwire first, then run this again.');
}

/** From now on nothing is written, and a node that starts waits for the end: it looks into the table `migrations` first. */
async function lockTables(client: pg.ClientBase): Promise<Table[]> {
  const tables = await readTables(client);
  await client.query(`begin isolation level repeatable read`);
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query('lock table migrations in access exclusive mode');
    await client.query(`lock table ${quotedList(tables.map(({ name }) => name))} in share mode`);
  } catch (error) {
    throw hasLockState(error) ? inUse() : error;
  }
  return tables;
}

/** While this move waited for its locks, another one may have closed the source or opened the target. */
async function refuseOtherMove(
  from: pg.ClientBase,
  target: Database,
  moveId: string,
  interrupted: string | null,
): Promise<void> {
  const { rows } = await from.query<{ name: string }>('select name from migrations');
  const closed = explainMarks(rows.map(({ name }) => name).filter((name) => !isClosedBy(name, moveId)));
  if (closed) throw closed;
  if ((await checkTarget(target)) !== interrupted)
    throw new Failure('setup', 'Another move has written to the target at the same time: run this again.');
}

interface Filling extends Required<Pick<MoveOptions, 'onCopied' | 'onLeftOut'>> {
  from: pg.ClientBase;
  to: pg.ClientBase;
  tables: readonly Table[];
  migrations: readonly string[];
  moveId: string;
  isRepeated: boolean;
}

/** One transaction of the target: what is interrupted leaves an empty database. */
async function fill({
  from,
  to,
  tables,
  migrations,
  moveId,
  isRepeated,
  onCopied,
  onLeftOut,
}: Filling): Promise<CopiedTable[]> {
  await to.query('begin');
  if (!isRepeated) await migrateTogether(to, migrationsFolder, migrations);
  const copied: CopiedTable[] = [];
  await replaceRows(to, async (own) => {
    const isOwn = ({ name }: Table) => own.some((one) => one.name === name);
    const others = tables.filter((table) => !isOwn(table));
    if (others.length > 0) onLeftOut(others.map(({ name }) => name));
    for (const table of tables.filter(isOwn)) {
      const began = performance.now();
      await copyTable(from, to, table);
      const rows = await compareTable(from, to, table);
      const one = { table: table.name, rows, seconds: (performance.now() - began) / 1_000 };
      copied.push(one);
      onCopied(one);
    }
    await setSequences(to, await readSequences(from));
    await compareSequences(from, to);
    return new Set(copied.map(({ table }) => table));
  });
  await markAsIncomplete(to, moveId);
  await to.query('commit');
  await to.query('analyze');
  return copied;
}

async function compareTable(from: pg.ClientBase, to: pg.ClientBase, table: Table): Promise<number> {
  const [before, after] = await Promise.all([readChecksum(from, table), readChecksum(to, table)]);
  if (before.rows !== after.rows || before.sum !== after.sum)
    throw new Error(
      `the copy of the table ${table.name} differs: ${before.rows} rows (${before.sum}) here, ${after.rows} rows (${after.sum}) there`,
    );
  return after.rows;
}

async function compareSequences(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  const [all, after] = await Promise.all([readSequences(from), readSequences(to)]);
  const before = all.filter(({ name }) => after.some((one) => one.name === name));
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('the sequences of the copy differ');
}

/** Lets the service use a database again that was moved. Ids and numbers continue far ahead, because the copy may have issued the next ones. */
export async function reopenDatabase(
  database: Database,
  startHistory: (reason: string) => Promise<unknown>,
): Promise<void> {
  const { unknown } = await readSchema(database);
  if (movedTo(unknown) === null)
    throw explainMarks(unknown) ?? new Failure('setup', 'This database was not moved: it is in use as it is.');
  await startHistory('it was used again after it had been moved');
  await removeMarks(database);
}
