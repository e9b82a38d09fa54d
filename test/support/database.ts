import pg from 'pg';
import { type Database, openDatabase } from '../../src/ground/database/database.ts';
import { serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { cleanUp } from './cleanup.ts';
import { checkDerived } from './derived.ts';
import { administratorUrl, patient, socketVariable, templateDatabase, testDatabaseUrl } from './postgres.ts';
import { checkStatements } from './statements.ts';

export interface TestDatabase extends Database {
  url: string;
  name: string;
}

let count = 0;

export interface TestDatabaseOptions {
  template?: string;
  /** Why the derived tables of this database do not have to agree with what they derive from. */
  mayDisagree?: string;
}

/**
 * A database of its own, dropped when the file's tests are over. Before that, its derived tables are compared with what they
 * derive from, so that every test file shows that no writer forgets one.
 */
export async function createTestDatabase({
  template = templateDatabase,
  mayDisagree,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const socket = process.env[socketVariable];
  if (!socket) throw new Error('run the tests with "npm test": it starts the PostgreSQL that they need');
  const name = `test_${process.pid}_${++count}`;
  // Copies the files: by default PostgreSQL writes every page of the template to its log, which takes several times the processor time.
  await administer(`create database ${name} template ${template} owner ${serviceRole} strategy file_copy`);
  const url = testDatabaseUrl(socket, name);
  const database = openDatabase({
    url,
    maxConnections: 4,
    ...patient,
    name: 'test',
  });
  cleanUp(async () => {
    await database.close();
    try {
      if (mayDisagree === undefined) await inspect(name);
    } finally {
      await administer(`drop database if exists ${name} with (force)`);
    }
  });
  return { ...database, url, name };
}

let superuser: pg.Pool | null = null;

/** Runs a statement as the superuser, for what the service's role may not do. All of a process run on one connection. */
export async function administer(sql: string): Promise<void> {
  superuser ??= openAdministration();
  await superuser.query(sql);
}

function openAdministration(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: administratorUrl(process.env[socketVariable] as string),
    max: 1,
    allowExitOnIdle: true,
  });
  // A pool counts a connection as closed once it has asked for that: PostgreSQL may stop before, and say so on it.
  pool.on('error', () => {});
  return pool;
}

/** For a program that stops its PostgreSQL: a test file leaves the connection to the others of its process. */
export async function closeAdministration(): Promise<void> {
  await superuser?.end();
  superuser = null;
}

/** As the superuser, because a test may have taken rights from the service's role. */
async function inspect(name: string): Promise<void> {
  const database = openDatabase({
    url: administratorUrl(process.env[socketVariable] as string, name),
    maxConnections: 1,
    ...patient,
    name: 'test',
  });
  try {
    const [found] = await database.query<{ exists: boolean }>(
      `select to_regclass('member_texts') is not null as exists`,
    );
    // A database that was never migrated has nothing to compare.
    if (!found?.exists) return;
    // Nobody has counted the rows of so young a database, and the planner takes a table of thousands for a small one.
    await database.query('set enable_nestloop = off');
    await checkDerived(database);
    await checkStatements(database);
  } finally {
    await database.close();
  }
}
