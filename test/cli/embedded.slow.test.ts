import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { type Json, runJson } from '../support/commands.ts';
import { giftwireProcess, makeDataDir, postmasterPid, serve } from '../support/process.ts';

test('commands work on the embedded database before, while and after the service runs', async () => {
  const dataDir = await makeDataDir();
  const own = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '0' };
  const { code, stdout, stderr } = await giftwireProcess(['workspace', 'create', '--name', 'Acme', '--json'], own);
  assert.deepEqual([code, stderr, JSON.parse(stdout).id], [0, '', 1]);
  assert.equal(await postmasterPid(dataDir), null, 'nothing is left running');

  const running = await serve(own);
  const issued = await runJson(['token', 'create', '--workspace', '1', '--name', 'Payroll'], own);
  const through = { GIFTWIRE_URL: running.url, GIFTWIRE_TOKEN: issued.token as string };
  const sent = await runJson<OrderRecord>(
    ['send', '--to', 'a@example.com', '--amount', '25', '--message', 'Hello'],
    through,
  );
  const port = new URL(running.url).port;
  const [seen, health] = await Promise.all([
    runJson(['order', 'show', sent.requestId], own),
    runJson(['doctor'], { ...own, PORT: port }),
  ]);
  assert.equal(seen.orderId, sent.id);
  assert.equal(health.ok, true);
  assert.equal((await fetch(`${running.url}/health/ready`)).status, 200, 'the service goes on');
  const server = (await postmasterPid(dataDir)) as number;
  assert.equal((await running.end('SIGTERM')).code, 0);
  assert.equal(isAlive(server), false);

  const [after, tokens] = await Promise.all([
    runJson(['order', 'show', sent.requestId], own),
    runJson<Json[]>(['token', 'list'], own),
  ]);
  assert.deepEqual(after, seen);
  assert.equal(tokens.length, 1);
  assert.equal(await postmasterPid(dataDir), null, 'nothing is left running');
});
