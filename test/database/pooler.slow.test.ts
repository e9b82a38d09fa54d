import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listener } from '../../src/ground/database/listener.ts';
import { checkServer } from '../../src/ground/database/server.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { startPgBouncer, withoutPgBouncer } from '../support/pgbouncer.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const options = { skip: withoutPgBouncer };

test('the service works through PgBouncer in session mode', options, async () => {
  const pooled = await startPgBouncer('session', { default_pool_size: 100 });
  const database = await createTestDatabase({ template: 'template0' });
  const databaseUrl = pooled(database.name);
  const tokenKey = 'k'.repeat(43);
  const service = await startService({ databaseUrl, database, tokenKey });
  const orders = await Promise.all(Array.from({ length: 40 }, () => service.fulfilled(anOrder())));
  for (const { state } of orders) assert.equal(state, 'COMPLETED');
  assert.equal((await service.call('/health/ready', { token: null })).status, 200);
  const listener = new Listener(databaseUrl, 'test_channel', () => {});
  cleanUp(() => listener.close());
  await eventually(async () => listener.hasHeardAll(1_000));
  const listed = await giftwire(['workspace', 'list', '--json'], { DATABASE_URL: databaseUrl });
  assert.equal(listed.code, 0, listed.stderr);

  // The next service gets the sessions of this one from the pooler.
  await service.stop();
  const next = await startService({ databaseUrl, database, tokenKey });
  assert.equal((await next.fulfilled(anOrder())).state, 'COMPLETED');
});

for (const mode of ['transaction', 'statement'] as const)
  for (const settings of [{}, { server_round_robin: 1 }])
    test(
      `PgBouncer in ${mode} mode ${JSON.stringify(settings)} is refused in one sentence, and nothing is left behind`,
      options,
      async () => {
        const url = await startPgBouncer(mode, settings);
        const database = await createTestDatabase();
        // Several sessions for the pooler to choose from.
        await Promise.all(Array.from({ length: 8 }, () => checkServer(url(database.name)).catch(() => {})));
        const env = { DATABASE_URL: url(database.name), PORT: '0' };
        const outcomes = await Promise.all(
          [['serve'], ['migrate'], ['workspace', 'list']].map((args) => giftwire(args, env)),
        );
        for (const { code, stdout, stderr } of outcomes) {
          assert.equal(code, 1);
          assert.match(`${stdout}${stderr}`, /^The pooler at DATABASE_URL shares sessions .*pool_mode = session.*\n$/);
        }
        const locks = await database.query(
          `select from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and datname = current_database()`,
        );
        assert.deepEqual(locks, []);
        const again = await giftwire(['migrate'], { DATABASE_URL: database.url });
        assert.deepEqual([again.code, again.stdout], [0, 'The schema is up to date.\n']);
      },
    );
