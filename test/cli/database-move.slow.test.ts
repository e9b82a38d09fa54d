import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { runJson } from '../support/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  giftwireProcess,
  makeDataDir,
  postmasterPid,
  program,
  projectDir,
  serve,
  shellEnv,
} from '../support/process.ts';

test('an installation moves from the embedded database to a server, also after a move that was killed', async () => {
  const dataDir = await makeDataDir();
  const embedded = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '0' };
  const target = await createTestDatabase({ template: 'template0' });
  const move = ['database', 'move', target.url];

  const none = await giftwireProcess(move, embedded);
  assert.match(none.stderr, /There is no embedded database in .*: set GIFTWIRE_DATA_DIR to its folder/);
  await giftwireProcess(['workspace', 'create', '--name', 'Acme'], embedded);
  const first = await serve(embedded);
  const { token = '' } = await runJson<{ token: string }>(['token', 'create', '--workspace', '1'], embedded);
  const through = (url: string) => ({ GIFTWIRE_URL: url, GIFTWIRE_TOKEN: token });
  const gift = ['send', '--to', 'ada@example.com', '--amount', '25', '--message', 'Hello'];
  const sent = await runJson<OrderRecord>(gift, through(first.url));
  const meanwhile = await giftwireProcess(move, embedded);
  assert.match(meanwhile.stderr, /already running on the data folder .*: stop it first/);
  assert.equal((await first.end('SIGTERM')).code, 0);

  const killed = spawn(process.execPath, [program, ...move], { cwd: projectDir, env: shellEnv(embedded) });
  const ended = once(killed, 'exit');
  await once(killed.stderr, 'data');
  killed.kill('SIGKILL');
  await ended;
  const again = await serve(embedded);
  assert.equal((await runJson(['order', 'show', sent.requestId], embedded)).orderId, sent.id);
  assert.equal((await again.end('SIGTERM')).code, 0);
  // The server notices a moment later that the process is gone.
  const moved = await eventually(
    () => giftwireProcess(move, embedded),
    ({ code }) => code === 0,
  );
  assert.match(moved.stdout, /1\. Set DATABASE_URL/);
  assert.equal(await postmasterPid(dataDir), null, 'nothing is left running');

  const refused = await giftwireProcess(['serve'], { ...embedded, PORT: '0' });
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, new RegExp(`was moved to .*${target.name} on .*set DATABASE_URL`));
  const second = await serve({ ...embedded, DATABASE_URL: target.url });
  const seen = await fetch(`${second.url}/api/v1/orders/${sent.requestId}`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': '1' },
  });
  const { certificates } = (await seen.json()) as OrderRecord;
  assert.deepEqual(
    certificates.map(({ longToken }) => longToken),
    sent.certificates.map(({ longToken }) => longToken),
  );
  assert.equal((await second.end('SIGTERM')).code, 0);
});
