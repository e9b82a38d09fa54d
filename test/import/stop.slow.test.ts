import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { openImports } from '../support/imports.ts';
import { program, projectDir, shellEnv } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const env = { DATABASE_URL: service.database.url };
const folder = await mkdtemp(join(tmpdir(), 'giftwire-stop-'));
cleanUp(() => rm(folder, { recursive: true }));

const rows = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, nth) => `p${from + nth}@example.com,p9999@example.com,${nth === 7 ? 'T' : 'A'}\n`,
  );

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends an import after a whole batch, which it reports, with ${code}`, async () => {
    const { workspaceId, list, take } = await openImports(service);
    const args = ['members', 'import', '-', '--workspace', String(workspaceId), '--rejected', join(folder, 'bad.csv')];
    const child = spawn(process.execPath, [program, ...args], { cwd: projectDir, env: shellEnv(env) });
    cleanUp(async () => child.kill('SIGKILL'));
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    // Half of the second batch is there, and more would come.
    child.stdin.write(`email,manager,status\n${rows(0, 3_000).join('')}p3000@exam`);
    await eventually(async () => (await list()).length === 2_000);
    child.kill(signal);
    const [stdout, stderr, [ended]] = await output;
    assert.equal(ended, code);
    assert.match(stderr, /^Stopping after the batch that is under way\. Press Ctrl-C again to stop at once\.\n$/);
    assert.match(stdout, /\n2000 rows: 2000 added, 0 changed, 0 unchanged, 0 rejected\.\n/);
    assert.match(
      stdout,
      /\nStopped\. The file is done up to line 2001, except for 2000 managers that come last\. Import the same/,
    );
    assert.equal((await list()).length, 2_000, 'a row of which half had come is not taken');

    const whole = ['email,manager,status\n', ...rows(0, 3_000), 'p9999@example.com,,A\n'].join('');
    const { counts, stopped } = await take(whole);
    assert.deepEqual([counts, stopped], [[1_001, 2_000, 0, 0], null]);
    assert.equal((await list()).filter(({ manager }) => manager === 'p9999@example.com').length, 3_000);
  });
