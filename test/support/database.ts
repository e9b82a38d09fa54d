import { type Database, openDatabase } from '../../src/database/database.ts';
import { serviceRole } from '../../src/database/embedded/roles.ts';
import { cleanUp } from './cleanup.ts';
import { administratorUrl, socketVariable, templateDatabase, testDatabaseUrl } from './postgres.ts';

export interface TestDatabase extends Database {
  url: string;
  name: string;
}

let count = 0;

/** A database of its own, dropped when the file's tests are over. */
export async function createTestDatabase({ template = templateDatabase } = {}): Promise<TestDatabase> {
  const socket = process.env[socketVariable];
  if (!socket) throw new Error('run the tests with "npm test": it starts the PostgreSQL that they need');
  const name = `test_${process.pid}_${++count}`;
  await administer(`create database ${name} template ${template} owner ${serviceRole}`);
  const url = testDatabaseUrl(socket, name);
  const database = openDatabase({
    url,
    maxConnections: 4,
    statementTimeoutMs: 60_000,
    name: 'test',
  });
  cleanUp(async () => {
    await database.close();
    await administer(`drop database if exists ${name} with (force)`);
  });
  return { ...database, url, name };
}

/** Runs a statement as the superuser, for what the service's role may not do. */
export async function administer(sql: string): Promise<void> {
  const admin = openDatabase({
    url: administratorUrl(process.env[socketVariable] as string),
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    name: 'test',
  });
  try {
    await admin.pool.query(sql);
  } finally {
    await admin.close();
  }
}
