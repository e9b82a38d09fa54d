import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeWaysIn } from '../../src/access/account.ts';
import { makeSignInLink } from '../../src/access/sessions.ts';
import type { UserWithLink } from '../../src/contract/user.ts';
import { openDatabase } from '../../src/database/database.ts';
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
const withPassword = (email: string) =>
  fetch(`${service.url}/session/password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url },
    body: JSON.stringify({ email, password: good }),
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

test('an account that people of another workspace let in gets no role from somebody who does not manage them', async () => {
  const taken = await takeOver('ceo@there.example');
  const message = refusal(await add(other, 'CEO@there.example', 'OWNER'), 403);
  assert.equal(
    message,
    `ceo@there.example has roles in workspaces where you may not manage people, so others may be able to sign in as them. Ask those who run Giftwire to give the role: npx giftwire admin link --reset --email … --role OWNER --workspace ${there}`,
  );
  assert.deepEqual(await rolesOf(taken), [{ at: here, role: 'AUDITOR' }]);
  assert.equal(await statusOf(taken), 200, 'nothing else has changed either');
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

test('an account without a role is nobody’s: who gives it one gets a link that is the only way in', async () => {
  const email = 'former@here.example';
  const former = await takeOver(email);
  const { secret: link } = await database.transaction((tx) => makeSignInLink(tx, 'test', former.user));
  // As versions before have left such accounts.
  await database.query('delete from user_roles where user_id = $1', [former.user.id]);
  await database.query(`update users set oidc_issuer = 'https://id.example', oidc_subject = 'x' where id = $1`, [
    former.user.id,
  ]);
  const added = await add(other, email, 'OWNER');
  assert.equal(added.status, 201);
  assert.partialDeepStrictEqual(added.body, { hasPassword: false, hasOidc: false, sessions: 0 });
  await eventually(async () => (await statusOf(former)) === 401);
  assert.equal((await withPassword(email)).status, 401);
  assert.equal((await useLink(service.url, link)).status, 401);
  assert.equal(await statusOf(await follow(added.body, there)), 200);
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
