import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type pg from 'pg';
import { copyIn, copyOut } from '../../src/ground/database/copy-streams.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
cleanUp(async () => client.release(true));
const socket = () => (client as unknown as { connection: { stream: Socket } }).connection.stream;

test('rows of every length come out and go in again as they were', async () => {
  await client.query(`create temp table lengths (n int, text text)`);
  await client.query(
    `insert into lengths select n, repeat(E'a\\t\\n\\\\é', n * 97) from generate_series(0, 400) n
      union all select 401, repeat('x', 300000) union all select 402, null`,
  );
  const sink = new PassThrough();
  const [rows, text] = await Promise.all([copyOut(client, 'copy lengths to stdout', sink), buffer(sink)]);
  assert.equal(rows, 403);
  await client.query('create temp table again (like lengths)');
  const pieces = Array.from({ length: Math.ceil(text.length / 9_999) }, (_, n) =>
    text.subarray(n * 9_999, (n + 1) * 9_999),
  );
  assert.equal(await copyIn(client, 'copy again from stdin', Readable.from(pieces)), 403);
  const { rows: wrong } = await client.query(
    'select from lengths full join again using (n) where lengths is distinct from again',
  );
  assert.equal(wrong.length, 0);
});

test('the server waits for a slow reader: the rows are not kept in memory', async () => {
  const before = socket().bytesRead;
  let release: (() => void) | undefined;
  const slow = new Writable({
    write(_block, _, done) {
      if (release) done();
      release ??= done;
    },
  });
  const copied = copyOut(client, `copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`, slow);
  await eventually(async () => release !== undefined && socket().isPaused());
  assert.ok(socket().bytesRead - before < 5e6, `${socket().bytesRead - before} bytes were read`);
  release?.();
  assert.equal(await copied, 100_000);
});

test('a reader that fails, and a source that fails, end the copy with their own error', async () => {
  const failing = (async function* () {
    yield Buffer.from('1\tone\n');
    throw new Error('the source has failed');
  })();
  await client.query('create temp table target (n int, text text)');
  await assert.rejects(copyIn(client, 'copy target from stdin', failing), /the source has failed/);
  await assert.rejects(
    copyIn(client, 'copy target from stdin', Readable.from([Buffer.from('x\ty\n')])),
    /invalid input syntax for type integer/,
  );
  assert.equal((await client.query('select from target')).rowCount, 0);
  const other = (await database.pool.connect()) as pg.PoolClient;
  const broken = new Writable({ write: (_block, _, done) => done(new Error('no space')) });
  await assert.rejects(
    copyOut(other, `copy (select repeat('x', 1000) from generate_series(1, 9000)) to stdout`, broken),
    /no space/,
  );
  other.release(true);
});
