import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { createStockDatabase, type StockServer, startStockServer, withoutStockServer } from '../support/stock.ts';

const options = { skip: withoutStockServer };
const server = withoutStockServer ? (null as unknown as StockServer) : await start();

async function start(): Promise<StockServer> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-stock-'));
  await chmod(folder, 0o711);
  cleanUp(() => rm(folder, { recursive: true }));
  const started = await startStockServer(folder);
  cleanUp(started.stop);
  return started;
}

test('an order is fulfilled on a stock PostgreSQL, and none of our statements is JIT-compiled', options, async () => {
  const database = await createStockDatabase(server, 'orders');
  await database.query('create extension pg_stat_statements');
  const service = await startService({ database });
  const order = await service.fulfilled(anOrder());
  assert.equal(order.state, 'COMPLETED');
  assert.equal((await service.call('/api/v1/reports/teams/activity')).status, 200);
  assert.equal((await giftwire(['workspace', 'list'], { DATABASE_URL: database.url })).code, 0);
  const [jit] = await database.query<{ delivered: string; ours: string }>(
    `select reset_val as delivered, setting as ours from pg_settings where name = 'jit'`,
  );
  assert.deepEqual(jit, { delivered: 'on', ours: 'off' });
  const [statements] = await database.query<{ calls: number; compiled: number }>(
    `select sum(calls) as calls, sum(jit_functions) as compiled
       from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`,
  );
  assert.ok((statements?.calls ?? 0) > 50);
  assert.equal(statements?.compiled, 0);
});

test('a database whose encoding or locale would lose letters is refused, with how to create one', options, async () => {
  const unfit: [string, string, RegExp][] = [
    ['latin', `encoding 'LATIN1' locale 'C' template template0`, /encoding LATIN1/],
    ['ascii', `encoding 'SQL_ASCII' locale 'C' template template0`, /encoding SQL_ASCII/],
    ['turkish', `encoding 'UTF8' locale_provider icu icu_locale 'tr' template template0`, /into gıftwıre/],
  ];
  for (const [name, form, reason] of unfit) {
    const { url } = await createStockDatabase(server, name, form);
    for (const command of ['serve', 'migrate']) {
      const { code, stdout, stderr } = await giftwire([command], { DATABASE_URL: url, PORT: '0' });
      const said = `${stdout}${stderr}`;
      assert.equal(code, 1, said);
      assert.match(said, reason);
      assert.match(said, /^[^\n]*"create database giftwire encoding 'UTF8' locale 'C\.UTF-8' template template0"\.\n$/);
    }
  }
  const { url } = await createStockDatabase(server, 'german', `locale_provider icu icu_locale 'de' template template0`);
  assert.equal((await giftwire(['migrate'], { DATABASE_URL: url })).code, 0);
});

test('in locale C the service starts, and warns that case is ignored for ASCII letters only', options, async () => {
  const database = await createStockDatabase(server, 'plain', `encoding 'UTF8' locale 'C' template template0`);
  const { logLines } = await startService({ database });
  assert.match(
    JSON.stringify(logLines()),
    /turns ÀÉÌÖŸ into ÀÉÌÖŸ: email addresses with such letters are told apart by their case/,
  );
});
