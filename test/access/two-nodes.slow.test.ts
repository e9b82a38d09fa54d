import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeEndedAttempts } from '../../src/company/access/attempts.ts';
import type { Me } from '../../src/ground/contract/me.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startService } from '../support/service.ts';
import { type Browser, signIn, useLink } from '../support/sign-in.ts';

const tokenKey = 'k'.repeat(32);
const here = await startService({ tokenKey });
const there = await startService({ tokenKey, database: here.database });
/** `test/access/grants.test.ts` has how long a node trusts what it knows. */
const becomes = (awaited: number, ask: () => Promise<number>) => eventually(ask, (status) => status === awaited);

const askThere = ({ cookie }: Browser, path: string): Promise<Answer<Me>> =>
  there.call<Me>(path, { token: null, workspace: here.workspaceId, headers: { Cookie: cookie } });
const reasonsThere = async (browser: Browser) => (await askThere(browser, '/api/v1/reasons')).status;

const ends: Record<string, (browser: Browser) => Promise<unknown>> = {
  'its owner signs out': ({ call }) => call('/session', { method: 'DELETE' }),
  'somebody ends all sessions of its owner': async ({ user }) =>
    (await signIn(here, { email: 'boss@example.com' })).call(`/api/v1/users/${user.id}/sessions`, { method: 'DELETE' }),
  'its owner chooses another password elsewhere': async ({ user }) =>
    (await signIn(here, { email: user.email })).call('/api/v1/me/password', {
      method: 'POST',
      body: { password: 'one wire, one bow' },
    }),
};

for (const [name, end] of Object.entries(ends))
  test(`when ${name}, another node refuses the session`, async () => {
    const browser = await signIn(here, { email: 'ada@example.com' });
    assert.equal(await reasonsThere(browser), 200);
    await end(browser);
    await becomes(401, () => reasonsThere(browser));
  });

test('when a role changes or is taken away, another node knows', async () => {
  const boss = await signIn(here, { email: 'boss@example.com' });
  const browser = await signIn(here, { email: 'ida@example.com', role: 'AUDITOR' });
  assert.equal((await askThere(browser, '/api/v1/audit')).status, 200);
  await boss.call(`/api/v1/users/${browser.user.id}`, { method: 'PATCH', body: { role: 'APPROVER' } });
  await becomes(403, async () => (await askThere(browser, '/api/v1/audit')).status);
  assert.equal(await reasonsThere(browser), 200);
  await boss.call(`/api/v1/users/${browser.user.id}`, { method: 'DELETE' });
  await becomes(401, () => reasonsThere(browser));
});

test('somebody who leaves the company has no role, and has it again when they return', async () => {
  const boss = await signIn(here, { email: 'boss@example.com' });
  const added = await boss.call<{ id: number }>('/api/v1/members', {
    method: 'POST',
    body: { email: 'lea@example.com', firstName: 'Lea', lastName: 'Roy' },
  });
  const browser = await signIn(here, { email: 'lea@example.com', role: 'PEOPLE_TEAM' });
  assert.equal(await reasonsThere(browser), 200);
  await boss.call(`/api/v1/members/${added.body.id}/leave`, { method: 'POST', body: {} });
  await becomes(403, () => reasonsThere(browser));
  await boss.call(`/api/v1/members/${added.body.id}/return`, { method: 'POST' });
  await becomes(200, () => reasonsThere(browser));
});

test('attempts to sign in with a password count over all nodes, and a right one is forgotten on all', async () => {
  const { user, call } = await signIn(here, { email: 'eve@example.com' });
  const password = 'one wire, one bow';
  assert.equal((await call('/api/v1/me/password', { method: 'POST', body: { password } })).status, 204);
  const enter = async (node: typeof here, attempt: string) => {
    const body = { email: user.email, password: attempt };
    const asked = { method: 'POST', token: null, workspace: null, headers: { Origin: node.url }, body };
    return (await node.call('/session/password', asked)).status;
  };
  const nodes = [here, there] as const;
  const enterWrong = async (times: number) => {
    const statuses: number[] = [];
    for (let nth = 0; nth < times; nth++) statuses.push(await enter(nodes[nth % 2] as typeof here, `wrong ${nth}`));
    return statuses;
  };
  assert.deepEqual(await enterWrong(9), Array(9).fill(401));
  assert.equal(await enter(there, password), 204);
  assert.deepEqual(await enterWrong(10), Array(10).fill(401), 'those before the right one count no longer');
  for (const node of nodes) assert.equal(await enter(node, password), 429);
});

test('wrong sign-in links count over all nodes', async () => {
  const answers: number[] = [];
  for (let nth = 0; nth < 31; nth++) answers.push((await useLink((nth % 2 ? there : here).url, 'no link')).status);
  assert.deepEqual(answers, [...Array(30).fill(401), 429]);
});

test('attempts are kept as hashes until they count no longer', async () => {
  const { database } = here;
  const stored = JSON.stringify(await database.query(`select encode(key, 'escape') as key from sign_in_attempts`));
  assert.ok(!stored.includes('eve@') && !stored.includes('127.0.0.1'));
  await database.query(`update sign_in_attempts set ends_at = now() - interval '1 second'`);
  await removeEndedAttempts(database);
  assert.deepEqual(await database.query('select from sign_in_attempts'), []);
});
