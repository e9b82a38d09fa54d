import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../src/doors/cli/finding.ts';
import { mostConnections } from '../../src/ground/database/pools.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const { database } = await startService({ role: 'api' });
const env = { DATABASE_URL: database.url, PORT: '1' };
const limitTo = (connections: number) =>
  database.query(`alter database ${database.name} connection limit ${connections}`);

test('the doctor compares the connections that all processes may open with what the server allows', async () => {
  const enough = 4 * mostConnections('all') + 3;
  const examine = (limit: number) =>
    limitTo(limit).then(() => giftwire(['doctor'], { ...env, GIFTWIRE_PROCESSES: '4' }));
  const { code, stdout } = await examine(enough);
  assert.match(
    stdout,
    new RegExp(`✓ connections +4 processes and a command may open ${enough}; the server allows ${enough}`),
  );
  assert.equal(code, 0, stdout);
  const short = await examine(enough - 1);
  assert.match(
    short.stdout,
    new RegExp(`✗ connections .*the server allows ${enough - 1}\\n +→ Set max_connections .* to ${enough + 20} `),
  );
  assert.equal(short.code, 16);
  await limitTo(-1);
});

test('the doctor says that no standby is connected, and that the clock is right', async () => {
  const { stdout } = await giftwire(['doctor'], env);
  assert.match(stdout, /– replication +no standby server is connected/);
  assert.match(stdout, /✓ clock +as on the database server/);
  assert.doesNotMatch(stdout, / (transactions|bloat) /);
});

test('each kind of problem has an exit code, and the most urgent one decides', () => {
  const bad = (check: string) => ({ check, ok: false, detail: '' });
  const good = { check: 'settings', ok: true, detail: '' };
  assert.equal(exitCodeOf([good]), 0);
  assert.equal(exitCodeOf([good, bad('bloat')]), 22);
  assert.equal(exitCodeOf([bad('bloat'), bad('queue'), bad('DKIM')]), 18);
  assert.equal(exitCodeOf([bad('DKIM')]), 27);
});
