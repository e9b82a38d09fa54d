import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCluster } from '../../src/ground/database/spread.ts';
import { createTestDatabase } from '../support/database.ts';
import { giftwire } from '../support/process.ts';

// What happens on a cluster, `npm run test:spread` tests.
const database = await createTestDatabase();
const env = { DATABASE_URL: database.url };

test('a PostgreSQL without Citus is not spread, and the command says what is missing', async () => {
  const { code, stderr } = await giftwire(['database', 'spread'], env);
  assert.equal(code, 1);
  assert.match(stderr, /This PostgreSQL has no Citus: install it on all servers and run "create extension citus"/);
  assert.equal(await readCluster(database), null);
});

test('the doctor names the kind of database', async () => {
  const { stdout } = await giftwire(['doctor'], { ...env, PORT: '1' });
  assert.match(stdout, /✓ database +PostgreSQL \d+/);
  assert.doesNotMatch(stdout, /Citus/);
});
