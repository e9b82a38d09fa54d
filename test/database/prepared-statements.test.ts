import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { startService } from '../support/service.ts';

test('statements of constant text are prepared under a name made from it, and statements used once are not', async () => {
  const { url } = await createTestDatabase();
  const database = openDatabase({ url, name: 'test', maxConnections: 1, statementTimeoutMs: 10_000 });
  cleanUp(() => database.close());
  await database.query('select 1 as kept');
  await database.query('select 2 as passing', [], 'once');
  const { rows } = await database.pool.query(`select name, statement from pg_prepared_statements where not from_sql`);
  const hash = createHash('sha256').update('select 1 as kept').digest('hex').slice(0, 16);
  assert.deepEqual(rows, [{ name: `gw_${hash}`, statement: 'select 1 as kept' }]);
});

test('searches with many different filters leave no prepared statements behind', async () => {
  const database = await createTestDatabase();
  const names = new Set<string>();
  const { url } = await startProxy(database.url, (bytes) => {
    for (const [name] of bytes.toString('latin1').matchAll(/gw_[0-9a-f]{16}/g)) names.add(name);
  });
  // Without a worker, whose own statements may come at any time.
  const service = await startService({ database, databaseUrl: url, role: 'api' });
  const ask = async (path: string) => assert.equal((await service.call(path)).status, 200, path);
  const search = (condition: string) => ask(`/scim/v2/Users?${new URLSearchParams({ filter: condition })}`);
  const filters = ['costCentre', 'department', 'location', 'employeeNumber', 'currency', 'manager'];
  const filtered = (chosen: number) =>
    filters
      .filter((_, bit) => chosen & (1 << bit))
      .map((name) => `${name}=a`)
      .join('&');

  await search('userName eq "a"');
  await ask('/api/v1/members?manager=a');
  await ask('/api/v1/members');
  await ask('/api/v1/reports/members/last-recognized?manager=a');
  await ask('/api/v1/reports/members/last-recognized?neverRecognized=true');
  const before = [...names];
  assert.ok(before.length > 10);

  for (let terms = 2; terms <= 40; terms++) await search(Array(terms).fill('userName eq "a"').join(' or '));
  for (let chosen = 1; chosen < 64; chosen += 3) {
    await ask(`/api/v1/members?${filtered(chosen)}&search=${'a+'.repeat(chosen % 8)}`);
    await ask(`/api/v1/reports/members/last-recognized?${filtered(chosen)}`);
  }
  const grown = [...names].filter((name) => !before.includes(name));
  assert.deepEqual(grown, [], 'no more statements are kept');
});
