import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { examineServer } from '../../src/doors/cli/doctor-server.ts';
import { exitCodeOf } from '../../src/doors/cli/finding.ts';
import { type Config, readConfig } from '../../src/ground/config/config.ts';
import { mostConnections, pools } from '../../src/ground/database/pools.ts';
import { eventually } from '../support/eventually.ts';
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

/** The problems that are found with these limits, and the exit code. */
async function findProblems(limits: Parameters<typeof examineServer>[2], own: Partial<Config> = {}) {
  const config = { ...readConfig({}), databaseUrl: database.url, ...own };
  const findings = (await examineServer(database, config, limits)).filter(({ ok }) => !ok);
  return { code: exitCodeOf(findings), said: findings.map(({ check, detail }) => `${check}: ${detail}`).join('\n') };
}

test('the doctor finds a table of dead rows', async () => {
  await database.query('create table bloated (n int) with (autovacuum_enabled = false)');
  await database.query('insert into bloated select generate_series(1, 100001)');
  await database.query('delete from bloated');
  const { code, stdout } = await eventually(
    () => giftwire(['doctor'], env),
    (seen) => / bloat /.test(seen.stdout),
  );
  assert.match(stdout, /✗ bloat +bloated \(100,001 dead, 0 live rows\)\n +→ Is autovacuum on/);
  assert.equal(code, 22, stdout);
  await database.query('drop table bloated');
});

test('the doctor finds a transaction that stays open', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const found = await findProblems({ transactionSeconds: 0 });
  assert.match(found.said, new RegExp(`^transactions: open: giftwire test \\(pid ${rows[0].pid}\\) for 0 min`));
  assert.equal(found.code, 19);
  await client.query('rollback');
  client.release();
});

test("the doctor says what Giftwire's own long transactions are, without calling them a problem", async () => {
  const config = { ...readConfig({}), databaseUrl: database.url };
  const client = await database.pool.connect();
  for (const [pool, words] of [
    [pools.backup, 'a backup'],
    [pools.migrations, 'a migration or a restore'],
    [pools.longCommands, 'a long command: a verification, a move or a removal of old records'],
  ] as const) {
    await client.query(`set application_name = 'giftwire ${pool.name}'`);
    await client.query('begin');
    const findings = await examineServer(database, config, { transactionSeconds: 0 });
    await client.query('rollback');
    const about = findings.filter(({ check }) => check === 'transactions');
    assert.deepEqual(
      about.map(({ ok, isNote, advice }) => ({ ok, isNote, advice })),
      [{ ok: true, isNote: true, advice: undefined }],
    );
    assert.ok(about[0]?.detail.startsWith(`open: ${words} (pid `), about[0]?.detail);
    assert.equal(exitCodeOf(about), 0);
  }
  client.release(true);
});

test('the doctor finds a clock that differs from that of the database server', async (t) => {
  const now = Date.now;
  for (const [seconds, words] of [
    [7, 'ahead of'],
    [-7, 'behind'],
  ] as const) {
    t.mock.method(Date, 'now', () => now() + seconds * 1_000);
    const found = await findProblems({});
    t.mock.restoreAll();
    assert.match(found.said, new RegExp(`^clock: \\d s ${words} the database server$`));
    assert.equal(found.code, 21);
  }
});

test('the doctor finds that the disk of the embedded database is almost full', async () => {
  const found = await findProblems({ freeBytes: 2 ** 60 }, { databaseUrl: null, dataDir: tmpdir() });
  assert.match(found.said, /^disk: [\d.]+ GiB free, \d+ %, for /);
  assert.equal(found.code, 15);
});

test('each kind of problem has an exit code, and the most urgent one decides', () => {
  const bad = (check: string) => ({ check, ok: false, detail: '' });
  const good = { check: 'settings', ok: true, detail: '' };
  assert.equal(exitCodeOf([good]), 0);
  assert.equal(exitCodeOf([good, bad('bloat')]), 22);
  assert.equal(exitCodeOf([bad('bloat'), bad('queue'), bad('DKIM')]), 18);
  assert.equal(exitCodeOf([bad('DKIM')]), 27);
});
