import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import pg from 'pg';
import { copyTable, readChecksum } from '../../src/ground/database/all-tables.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase({ template: 'template0' });
const rows = 20_000;
const table = (name: string) => ({ name, columns: ['n', 'text'] });

async function connect(schema: string): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  client.on('error', () => {});
  await client.connect();
  cleanUp(() => client.end());
  await client.query(`set search_path to ${schema}`);
  return client;
}

/** Sessions of two databases: here, of two schemas. */
async function openBoth(): Promise<[pg.Client, pg.Client]> {
  return [await connect('here'), await connect('there')];
}

before(async () => {
  for (const schema of ['here', 'there']) await database.query(`create schema ${schema}`);
  const [from, to] = await openBoth();
  await from.query(
    `create table notes as select n, n || repeat(' word', case when n % 5000 = 0 then 50000 else 200 end) as text from generate_series(1, ${rows}) n`,
  );
  await from.query(`create view failing as select n, (1 / (n - 15000))::text as text from notes`);
  await from.query('create view strict as select * from notes');
  await to.query('create table notes (n int, text text)');
  await to.query('create table failing (n int, text text)');
  await to.query('create table strict (n int check (n < 5000), text text)');
});

test('a table is copied with every row, long ones too, and its checksum says so', async () => {
  const [from, to] = await openBoth();
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  await copyTable(from, to, table('notes'));
  const [before, after] = [await readChecksum(from, table('notes')), await readChecksum(to, table('notes'))];
  assert.equal(after.rows, rows);
  assert.deepEqual(after, before);
  await to.query(`update notes set text = text || '.' where n = 7`);
  assert.notEqual((await readChecksum(to, table('notes'))).sum, before.sum);
  assert.deepEqual(warnings, [], 'no listeners are left behind');
});

test('a target that rejects a row ends the copy with its reason', async () => {
  const [from, to] = await openBoth();
  await assert.rejects(copyTable(from, to, table('strict')), /violates check constraint/);
});

test('a source that cannot be read to its end ends the copy with its reason, and no row is stored', async () => {
  const [from, to] = await openBoth();
  await assert.rejects(copyTable(from, to, table('failing')), /division by zero/);
  assert.equal((await readChecksum(to, table('failing'))).rows, 0);
});

test('a connection that is lost ends the copy', async () => {
  for (const lost of [0, 1]) {
    const both = await openBoth();
    const { rows: pids } = await (both[lost] as pg.Client).query('select pg_backend_pid() as pid');
    // Before the connection is lost: a rejection that nothing awaits would end the process.
    const rejected = assert.rejects(copyTable(...both, table('notes')), /terminat|ended|EPIPE|ECONNRESET/i);
    await database.query('select pg_terminate_backend($1)', [pids[0].pid]);
    await rejected;
  }
});
