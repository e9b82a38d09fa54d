import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/**
 * Records what the test of upgrades begins with: a database as a release leaves it behind, with the demo company, a finished order and
 * one that waits. Run it once for each release, with an empty database whose server pg_dump can dump:
 * DATABASE_URL=postgres://… node scripts/record-release.ts [folder of the release]
 */
const [folder = join(import.meta.dirname, '..')] = process.argv.slice(2);
const { DATABASE_URL = '' } = process.env;
const tokenKey = 'the-key-of-every-recorded-release-0001';
const dataDir = mkdtempSync(join(tmpdir(), 'giftwire-release-'));
const env = {
  PATH: process.env.PATH,
  PORT: '0',
  DATABASE_URL,
  GIFTWIRE_DATA_DIR: dataDir,
  GIFTWIRE_TOKEN_KEY: tokenKey,
  GIFTWIRE_SMTP_URL: 'outbox',
};

interface Ready {
  address: string;
  token: string;
}

const order = (email: string, employeeNumber: string) => ({
  currency: 'CAD',
  orderItems: [
    { message: 'Thank you!', amount: 25.5, recipient: { email, firstName: 'Zoë' } },
    { message: 'Merci ♥', amount: 10, recipient: { employeeNumber } },
  ],
});

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const name = process.env.VERSION ?? version;
const whole = await start({});
const { token } = whole.ready;
const finished = await place(whole.ready.address, order('zoe@example.com', 'upgrade-1'), 'upgrade 1');
const found = await until(
  () => call(whole.ready.address, `/api/v1/orders/${finished}`),
  ({ state }) => state === 'COMPLETED',
);
const activity = await call(whole.ready.address, '/api/v1/reports/teams/activity?size=10');
const recognized = await call(whole.ready.address, '/api/v1/reports/members/last-recognized?size=10');
await stop(whole.child);

// A node that fulfils nothing leaves its order to the next version.
const api = await start({ GIFTWIRE_ROLE: 'api' });
const waiting = await place(api.ready.address, order('zoe@example.com', 'upgrade-2'), 'upgrade 2');
await stop(api.child);

const dump = execFileSync(
  'pg_dump',
  ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=1000', DATABASE_URL],
  {
    maxBuffer: 1e9,
    encoding: 'utf8',
  },
);
// psql alone knows lines that begin with a backslash.
const sql = dump
  .replace(/^\\.*$/gm, '')
  .replace(/^--.*\n/gm, '')
  .replace(/\n{2,}/g, '\n');
const facts = { tokenKey, token, finished: found, waiting, activity, recognized };
const file = join(import.meta.dirname, '../test/upgrades', `${name}.sql.gz`);
writeFileSync(file, gzipSync(`-- ${JSON.stringify(facts)}\n${sql}`, { level: 9 }));
rmSync(dataDir, { recursive: true, force: true });

async function start(more: Record<string, string>): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, ['bin/giftwire.js', 'serve'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout))
    if (line.includes('Giftwire is ready.')) return { child, ready: JSON.parse(line) };
  throw new Error('it has ended before it was ready');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function call(url: string, path: string, init: RequestInit = {}): Promise<{ state?: string; requestId: string }> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Workspace-id': '1',
    'Content-Type': 'application/json',
    ...init.headers,
  };
  const answer = await fetch(url + path, { ...init, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { state?: string; requestId: string };
}

async function place(url: string, body: unknown, key: string): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Idempotency-Key': key } };
  return (await call(url, '/api/v1/orders', init)).requestId;
}

async function until<T>(read: () => Promise<T>, isEnough: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isEnough(value)) return value;
    await sleep(100);
  }
}
