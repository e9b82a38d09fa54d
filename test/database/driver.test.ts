import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseOptions, openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';

function open(options: Pick<DatabaseOptions, 'url' | 'statementTimeoutMs' | 'maxConnections'>) {
  const database = openDatabase({ ...options, name: 'test' });
  cleanUp(() => database.close());
  return database;
}

test('statements that the server does not answer fail, and the next ones are answered on new connections', async () => {
  const { url: direct } = await createTestDatabase();
  const proxy = await startProxy(direct);
  const { query, transaction, pool } = open({ url: proxy.url, statementTimeoutMs: 200, maxConnections: 3 });
  await Promise.all([1, 2, 3].map(() => query('select pg_sleep(0.01)')));
  assert.equal(pool.totalCount, 3);

  proxy.become('hangs');
  const told = { kind: 'unavailable' };
  await Promise.all([
    assert.rejects(query('select 1'), told),
    assert.rejects(
      transaction((tx) => tx.query('select 1')),
      told,
    ),
    assert.rejects(pool.query('select 1'), /timeout/),
  ]);
  assert.equal(pool.totalCount, 0, 'no connection is used again');

  proxy.become('serves');
  assert.deepEqual(await query('select 1 as one'), [{ one: 1 }]);
});

test('a connection is not cut while nobody waits for an answer, however long it is kept', async () => {
  const { url } = await createTestDatabase();
  const { transaction } = open({ url, statementTimeoutMs: 1_000, maxConnections: 1 });
  const pids = await transaction(async (tx) => {
    const [first] = await tx.query('select pg_backend_pid() as pid');
    await sleep(2_000);
    return [first, ...(await tx.query('select pg_backend_pid() as pid'))];
  });
  assert.deepEqual(pids[0], pids[1]);
});

test('an error of the server leads to who has asked', async () => {
  const { query } = await createTestDatabase();
  await assert.rejects(
    async function asksForNothing() {
      await query('select from nothing');
    },
    (error: Error) => error.stack?.includes('asksForNothing') === true,
  );
});
