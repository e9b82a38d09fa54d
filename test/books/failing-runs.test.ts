import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/ground/database/database.ts';
import { requestVerification, runVerification } from '../../src/insight/books/runs.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

test('a verification that fails lets others pass, waits before it is tried again, and keeps the code of the error', async () => {
  await requestVerification(database, 1);
  await database.query(`update verifications set requested_at = now() - interval '1 day'`);
  const cause = Object.assign(new Error('canceled'), { code: '57014' });
  const failing: Database = {
    ...database,
    query: database.query.bind(database),
    transaction: () => Promise.reject(new Error('unavailable', { cause })),
  };
  for (let attempt = 0; attempt < 2; attempt++) await assert.rejects(runVerification(failing), /unavailable/);
  await database.query(`update verifications set failures = 9`);
  await database.query(`update verifications set carried = '{}'`);
  await assert.rejects(runVerification(failing), /unavailable/);
  const [run] = await database.query(`select failures, failure from verifications`);
  assert.deepEqual(run, { failures: 10, failure: '57014' });
  assert.equal(await runVerification(failing), null, 'it waits');
  await database.query(`update verifications set carried = '{}'`);
  await requestVerification(database, 2);
  assert.equal((await runVerification(database))?.workspaceId, 2);
});

test('a request joins a full verification that waits, not one that has begun, and none is lost', async () => {
  const request = () => requestVerification(database, 3);
  const [first, ...others] = await Promise.all([request(), request(), request()]);
  assert.ok(first && others.every((number) => number >= first));
  await database.query('update verifications set started_at = now() where workspace_id = 3');
  const next = await request();
  assert.ok(next > Math.max(first, ...others));
  assert.equal(await request(), next);
});
