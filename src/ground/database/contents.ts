import type { Writable } from 'node:stream';
import type pg from 'pg';
import { Failure } from '../errors.ts';
import {
  copyTableIn,
  copyTableOut,
  findContents,
  quotedList,
  readSequences,
  readTables,
  replaceRows,
  type Sequence,
  setSequences,
  type Table,
  useOneTextForm,
} from './all-tables.ts';
import { type Database, openDatabase } from './database.ts';
import { explainMarks } from './marks.ts';
import { migrate, migrateTogether, takeMigrationTurn } from './migrate.ts';
import { lastWithStop } from './migration-file.ts';
import { type ConnectionPool, pools } from './pools.ts';
import { checkRightsToMigrate } from './rights.ts';
import { migrationsFolder, readSchema } from './schema.ts';

/** All that a database holds, at one moment. Writers go on meanwhile. */
export interface Snapshot {
  /** The migrations that have run, in their order. */
  migrations: string[];
  environment: string | null;
  tables: Table[];
  /** Writes the rows of a table in the text format of COPY, and returns how many. */
  read(table: Table, sink: Writable): Promise<number>;
  /** Read last: so every id of the snapshot is below them. */
  readSequences(): Promise<Sequence[]>;
}

export async function withSnapshot<T>(
  { url }: Pick<Database, 'url'>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withSession(url, pools.backup, async (client, database) => {
    const { isNew, unknown } = await readSchema(database);
    const mark = explainMarks(unknown);
    if (mark) throw mark;
    if (isNew) throw new Failure('setup', 'The database has no tables of Giftwire: there is nothing to back up.');
    const names = (await readTables(client)).map(({ name }) => name);
    await client.query('begin isolation level repeatable read read only');
    // Before the first read, which fixes the moment: a table that is rewritten afterwards would seem empty. Only migrations wait for it.
    await client.query(`lock table ${quotedList(names)} in access share mode`);
    const migrations = await rowsOf<{ name: string }>(client, 'select name from migrations order by name');
    if (!migrations.some(({ name }) => name === lastWithStop))
      throw new Failure(
        'setup',
        'The schema is older than that of 0.7.0: run "giftwire migrate" first, or use pg_dump.',
      );
    const [installation] = await rowsOf<{ environment: string }>(client, 'select environment from installation');
    return work({
      migrations: migrations.map(({ name }) => name),
      environment: installation?.environment ?? null,
      tables: await readTables(client),
      read: (table, sink) => copyTableOut(client, table, sink),
      readSequences: () => readSequences(client),
    });
  });
}

export interface Filling {
  /** Writes rows in the text format of COPY, and returns how many. Null: Giftwire has no such table, and nothing was written. */
  write(table: Table, rows: AsyncIterable<Buffer>): Promise<number | null>;
  setSequences(sequences: readonly Sequence[]): Promise<void>;
}

/**
 * Creates the tables as these migrations do, lets `work` fill them, then runs the later migrations. Until all rows are there and every key
 * is checked, nothing is committed: what fails or is killed leaves an empty database. Nodes that start meanwhile wait.
 */
export async function fillDatabase(
  { url }: Pick<Database, 'url'>,
  migrations: readonly string[],
  work: (filling: Filling) => Promise<void>,
): Promise<void> {
  await withSession(url, pools.migrations, async (client, database) => {
    await takeMigrationTurn(client);
    await expectEmpty(database);
    const { pending: known } = await readSchema(database);
    const unknown = migrations.filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new Failure(
        'setup',
        `The backup is of a newer version of Giftwire (${unknown.join(', ')}): install that version first.`,
      );
    await checkRightsToMigrate(database);
    await client.query('begin');
    await migrateTogether(client, migrationsFolder, migrations);
    await replaceRows(client, async (tables) => {
      const filled = new Set<string>();
      await work({
        async write(table, rows) {
          if (!tables.some(({ name }) => name === table.name)) return null;
          filled.add(table.name);
          return copyTableIn(client, table, rows);
        },
        setSequences: (sequences) => setSequences(client, sequences),
      });
      return filled;
    });
    // So the next connection sees a restored database also where the tables have the same oids as those that were read.
    await client.query(`update histories set table_oid = '0' where base = (select max(base) from histories)`);
    await client.query('commit');
    await client.query('analyze');
  });
  await migrate({ url });
}

/** One session without a time limit. What it has not committed is rolled back when it ends. */
async function withSession<T>(
  url: string,
  pool: ConnectionPool,
  work: (client: pg.ClientBase, database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, ...pool });
  try {
    const client = await database.pool.connect();
    try {
      await useOneTextForm(client);
      return await work(client, database);
    } finally {
      client.release(true);
    }
  } finally {
    await database.close();
  }
}

async function expectEmpty(database: Database): Promise<void> {
  const found = await findContents(database);
  if (found.length === 0) return;
  throw new Failure(
    'setup',
    `The database is not empty (it has ${found.join(', ')}), and a restore never overwrites: create an empty database and name it in ` +
      'DATABASE_URL, or with the embedded one move the folder "postgres" of the data folder away.',
  );
}

async function rowsOf<Row>(client: pg.ClientBase, sql: string): Promise<Row[]> {
  return (await client.query(sql)).rows as Row[];
}
