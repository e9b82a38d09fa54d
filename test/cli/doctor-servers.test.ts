import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingOf } from '../../src/doors/cli/doctor-servers.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const { database } = await startService({ role: 'api' });
const url = new URL(database.url);
const socket = url.searchParams.get('host') ?? '';

/** The tests' server beside others, as one URL. */
async function examine(...hosts: string[]) {
  const several = new URL(url);
  several.searchParams.set('host', hosts.join(','));
  const { code, stdout } = await giftwire(['doctor'], { DATABASE_URL: several.href, PORT: '1' });
  return { code, stdout, said: stdout.match(/^. servers .*(\n {2}→ .*)?/m)?.[0] };
}

test('the doctor names a server of several that cannot be reached, and what to do', async () => {
  const { code, said } = await examine('/nowhere', socket);
  assert.match(
    said ?? '',
    new RegExp(`^✗ servers +/nowhere cannot be reached \\(.*ENOENT.*\\); ${socket} takes writes\n`),
  );
  assert.match(said ?? '', /→ Start \/nowhere, or remove it from DATABASE_URL: nodes cannot fail over to it\.$/);
  assert.equal(code, 32);
});

test('if no server can be reached, the doctor names all of them', async () => {
  const { code, said, stdout } = await examine('/nowhere', '/elsewhere');
  assert.match(said ?? '', /^✗ servers +\/nowhere cannot be reached \(.*\); \/elsewhere cannot be reached \(.*\)\n/);
  assert.match(
    said ?? '',
    /→ No server takes writes, so requests get 503\. Start \/nowhere or \/elsewhere\. If the primary stays away/,
  );
  assert.match(stdout, /✗ database /);
  assert.equal(code, 11);
});

test('two names of one server are one server, and one server alone is not listed', async () => {
  const twice = await examine(socket, socket);
  assert.match(twice.said ?? '', /^✓ servers /);
  assert.equal(twice.code, 0, twice.stdout);
  assert.equal((await examine(socket)).said, undefined);
});

const writable = (server: string, timeline: number) =>
  ({ server, is: 'writable', timeline, startedAt: server }) as const;

test('if two servers take writes, the doctor says which one to stop', () => {
  const { ok, detail, advice } = findingOf([writable('one:5432', 1), writable('two:5432', 2)]);
  assert.equal(ok, false);
  assert.equal(detail, 'one:5432 takes writes; two:5432 takes writes');
  assert.match(advice ?? '', /^Stop one:5432 now: Giftwire uses two:5432, which has replaced it/);
  const equal = findingOf([writable('one:5432', 1), writable('two:5432', 1)]);
  assert.match(equal.advice ?? '', /^one:5432 and two:5432 are not of one cluster, or one is a copy of the other/);
});

test('a standby beside the server that takes writes is as it should be, and not without one', () => {
  const standby = { server: 'two:5432', is: 'standby' } as const;
  const well = findingOf([writable('one:5432', 1), standby]);
  assert.deepEqual(well, { check: 'servers', ok: true, detail: 'one:5432 takes writes; two:5432 is a standby' });
  const none = findingOf([{ server: 'one:5432', is: 'read-only' }, standby]);
  assert.equal(none.detail, 'one:5432 is set to read-only; two:5432 is a standby');
  assert.match(none.advice ?? '', /^No server takes writes, so requests get 503\. Let the primary take writes again/);
});
