import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeWaysIn } from '../../src/company/access/account.ts';
import { makeSignInLink } from '../../src/company/access/sessions.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { Me, MyAccount } from '../../src/ground/contract/me.ts';
import type { UserWithLink } from '../../src/ground/contract/user.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { addUser, type Browser, browserWith, cookieFrom, signIn, useLink } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const good = 'one wire, one bow';
const [here, there] = [service.workspaceId, await service.addWorkspace({ name: 'There' })];
const owner = await signIn(service, { email: 'owner@here.example', workspace: here });
const other = await signIn(service, { email: 'owner@there.example', workspace: there });

const add = ({ call }: Browser, email: string, role: string) =>
  call<UserWithLink & { message: string }>('/api/v1/users', { method: 'POST', body: { email, name: 'Ceo', role } });
const withPassword = (email: string, password = good) =>
  fetch(`${service.url}/session/password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url },
    body: JSON.stringify({ email, password }),
  });
const statusOf = async ({ call }: Browser) => (await call('/api/v1/me')).status;

async function follow({ link, ...user }: UserWithLink, workspace: number): Promise<Browser> {
  const answer = await useLink(service.url, new URL(link).hash.slice(1));
  return browserWith(service, user, cookieFrom(answer), workspace);
}

/** An owner adds somebody, comes in by the link in their place, and chooses a password. */
async function takeOver(email: string): Promise<Browser> {
  const browser = await follow((await add(owner, email, 'AUDITOR')).body, here);
  const chosen = await browser.call('/api/v1/me/password', { method: 'POST', body: { password: good } });
  assert.equal(chosen.status, 204);
  return browser;
}

async function rolesOf({ user }: Browser): Promise<unknown[]> {
  return database.query('select workspace_id as at, role from user_roles where user_id = $1 order by 1', [user.id]);
}

test('an owner does not learn whether an address has an account in a workspace of others', async () => {
  await takeOver('known@there.example');
  await takeOver('removed@there.example').then(({ user }) =>
    owner.call(`/api/v1/users/${user.id}`, { method: 'DELETE' }),
  );
  const answers = [];
  for (const name of ['known', 'removed', 'unknown']) {
    const { status, body } = await add(other, `${name}@there.example`, 'AUDITOR');
    const { id, memberId, addedAt, link, email, ...rest } = body;
    assert.equal(email, `${name}@there.example`);
    const links = await other.call<{ link: string }>(`/api/v1/users/${id}/link`, { method: 'POST' });
    const follower = await follow({ ...body, link: links.body.link }, there);
    const account = await follower.call<MyAccount>('/api/v1/me/account');
    const { sessions, ...ways } = account.body;
    const me = (await follower.call<Me>('/api/v1/me')).body.workspaces.map((one) => one.id);
    const ended = await other.call(`/api/v1/users/${id}/sessions`, { method: 'DELETE' });
    answers.push({ status, rest, links: links.status, ways, sessions: sessions.length, me, ended: ended.status });
  }
  const [known, removed, unknown] = answers;
  assert.deepEqual(known, unknown);
  assert.deepEqual(removed, unknown);
  assert.deepEqual(unknown?.me, [there]);
});

test('accounts of one address in workspaces of different owners stay apart: neither owner gets into the workspace of the other', async () => {
  const email = 'ceo@there.example';
  const taken = await takeOver(email);
  const added = await add(other, 'CEO@there.example', 'OWNER');
  assert.equal(added.status, 201);
  assert.deepEqual(await rolesOf(taken), [{ at: here, role: 'AUDITOR' }]);
  assert.equal(await statusOf(taken), 200, 'the other account keeps its session');
  const own = await follow(added.body, there);
  assert.equal((await own.call('/api/v1/reasons', { workspace: here })).status, 403);
  assert.equal((await taken.call('/api/v1/reasons', { workspace: there })).status, 403);
  const password = `${good} there`;
  assert.equal((await own.call('/api/v1/me/password', { method: 'POST', body: { password } })).status, 204);
  const workspacesBy = async (secret: string) => {
    const cookie = cookieFrom(await withPassword(email, secret));
    const { body } = await browserWith(service, own.user, cookie, here).call<Me>('/api/v1/me');
    return body.workspaces.map(({ id }) => id);
  };
  assert.deepEqual([await workspacesBy(good), await workspacesBy(password)], [[here], [there]]);
  assert.equal((await withPassword(email, `${good} nowhere`)).status, 401);
  // An attempt takes one derivation, however many accounts the address has.
  const salts = await database.query<{ salt: string }>(
    `select distinct substring(password from '^(.*)\\$') as salt from users where email = $1 and password is not null`,
    [email],
  );
  assert.equal(salts.length, 1);
  assert.match(refusal(await add(other, email, 'AUDITOR'), 409), /signs in to this workspace already/);
});

test('with the same password for two accounts of one address, it opens the older one', async () => {
  const email = 'same@there.example';
  await takeOver(email);
  const own = await follow((await add(other, email, 'AUDITOR')).body, there);
  await own.call('/api/v1/me/password', { method: 'POST', body: { password: good } });
  const cookie = cookieFrom(await withPassword(email));
  const { body } = await browserWith(service, own.user, cookie, here).call<Me>('/api/v1/me');
  assert.deepEqual(
    body.workspaces.map(({ id }) => id),
    [here],
  );
});

test('of many requests at once that add the same user, one does', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(other, 'many@there.example', 'AUDITOR')));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
});

test('somebody who manages people in all workspaces of an account gives it a further role, and it stays signed in', async () => {
  const { call } = await signIn(service, { email: 'both@here.example', workspace: here });
  await addUser(service, { email: 'both@here.example', workspace: there });
  const ida = await takeOver('ida@here.example');
  const added = await call<UserWithLink>('/api/v1/users', {
    method: 'POST',
    workspace: there,
    body: { email: 'ida@here.example', name: 'Ida', role: 'AUDITOR' },
  });
  assert.equal(added.status, 201);
  assert.match(added.body.link, /\/sign-in#gwl_test_/);
  assert.equal(await statusOf(ida), 200);
  assert.equal((await withPassword('ida@here.example')).status, 204);
});

test('with the last role of an account, its sessions and its password end', async () => {
  const email = 'leaver@here.example';
  const leaver = await takeOver(email);
  await addUser(service, { email, role: 'APPROVER', workspace: there });
  const remove = ({ call }: Browser) => call(`/api/v1/users/${leaver.user.id}`, { method: 'DELETE' });
  assert.equal((await remove(other)).status, 204);
  assert.equal(await statusOf(leaver), 200, 'it has another role');
  assert.equal((await remove(owner)).status, 204);
  assert.equal((await withPassword(email)).status, 401);
  await eventually(async () => (await statusOf(leaver)) === 401);
});

test('an account without a role is nobody’s: an operator who gives it one gets a link that is the only way in', async () => {
  const email = 'former@here.example';
  const former = await takeOver(email);
  const link = await database.transaction((tx) => makeSignInLink(tx, theService, 'test', former.user));
  // As versions before have left such accounts.
  await database.query('delete from user_roles where user_id = $1', [former.user.id]);
  await database.query(`update users set oidc_issuer = 'https://id.example', oidc_subject = 'x' where id = $1`, [
    former.user.id,
  ]);
  const added = await addUser(service, { email, workspace: there });
  assert.equal(added.user.id, former.user.id);
  await eventually(async () => (await statusOf(former)) === 401);
  assert.equal((await withPassword(email)).status, 401);
  assert.equal((await useLink(service.url, link.secret)).status, 401);
  assert.equal((await useLink(service.url, added.link)).status, 204);
});

/** Runs `request` while its account is locked, closes the account's ways in when the request waits, and returns its answer. */
async function whileClosing<T>({ user }: Browser, request: () => Promise<T>): Promise<T> {
  const holder = openDatabase({ url: database.url, name: 'test', maxConnections: 1, statementTimeoutMs: null });
  try {
    const [answer] = await holder.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for no key update', [user.id]);
      const asked = request();
      await eventually(async () => (await database.query('select from pg_locks where not granted')).length > 0);
      await closeWaysIn(tx, user.id);
      return [asked];
    });
    return await (answer as Promise<T>);
  } finally {
    await holder.close();
  }
}

test('a sign-in that is under way when an account is closed fails', async () => {
  const email = 'racer@here.example';
  const racer = await takeOver(email);
  assert.equal((await whileClosing(racer, () => withPassword(email))).status, 401);
  const { link, user } = await addUser(service, { email, role: 'AUDITOR', workspace: here });
  assert.equal((await whileClosing({ ...racer, user }, () => useLink(service.url, link))).status, 401);
});

test('a session that ends while it chooses a password chooses none', async () => {
  const email = 'chooser@here.example';
  const { user, call } = await takeOver(email);
  const body = { password: `${good} 2` };
  const answer = await whileClosing({ user } as Browser, () => call('/api/v1/me/password', { method: 'POST', body }));
  assert.match(refusal(answer, 401), /sign in again/);
  const [row] = await database.query('select password from users where id = $1', [user.id]);
  assert.deepEqual(row, { password: null });
});
