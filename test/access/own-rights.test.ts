import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopesOfRole } from '../../src/company/access/roles.ts';
import { personalScopes, type Scope } from '../../src/company/access/scopes.ts';
import { type Answer, startService } from '../support/service.ts';
import { addUser, type Browser, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

// With the right to manage users or tokens, a caller decides only about what the caller may do too.

const service = await startService();
const { database, workspaceId } = service;
const elsewhere = await service.addWorkspace({ name: 'Elsewhere' });

interface Caller {
  ask(request: string, body?: unknown): Promise<Answer>;
}

async function callerWith(scopes: readonly Scope[]): Promise<Caller> {
  const { token } = await service.addToken({ scopes });
  return {
    ask(request, body) {
      const [method = '', path] = request.split(' ');
      return service.call(`/api/v1${path}`, { method, token, body });
    },
  };
}

const tables = ['users', 'user_roles', 'sign_in_links', 'sessions', 'api_tokens', 'audit_log'];
/** Without the last use of a token, which every request notes. */
const everything = () =>
  Promise.all(
    tables.map((table) => database.query(`select to_jsonb(t) - 'last_used_at' as row from ${table} t order by 1`)),
  );

/** Requires that the caller is rejected with 403 on each of these, and that nothing has changed. */
async function rejectsAll({ ask }: Caller, requests: readonly (readonly [string, unknown?])[]): Promise<void> {
  const before = await everything();
  for (const [request, body] of requests) refusal(await ask(request, body), 403);
  assert.deepEqual(await everything(), before);
}

const waysIn = ({ user }: Browser) =>
  [[`POST /users/${user.id}/link`], [`DELETE /users/${user.id}/sessions`]] satisfies [string][];

test('a caller who manages users cannot sign in as a user whose role allows more, nor end their sessions', async () => {
  const owner = await signIn(service, { email: 'owner@example.com' });
  await rejectsAll(await callerWith(['users:manage']), waysIn(owner));
  // Every right but one.
  const almost = scopesOfRole.OWNER.filter((scope) => scope !== 'budgets:manage');
  await rejectsAll(await callerWith(almost), waysIn(owner));
});

test('a caller who manages users creates sign-in links for roles that allow no more than the caller has', async () => {
  const { user } = await signIn(service, { role: 'APPROVER', email: 'approver@example.com' });
  const { ask } = await callerWith(['users:manage', ...scopesOfRole.APPROVER]);
  assert.equal((await ask(`POST /users/${user.id}/link`)).status, 200);
  assert.equal((await ask(`DELETE /users/${user.id}/sessions`)).status, 204);
});

test('a user’s role in another workspace counts too', async () => {
  const email = 'both@example.com';
  const both = await signIn(service, { role: 'APPROVER', email });
  await addUser(service, { role: 'APPROVER', email, workspace: elsewhere });
  await rejectsAll(await callerWith(scopesOfRole.OWNER), waysIn(both));
});

test('a caller who manages users cannot give, change or remove a role that allows more', async () => {
  const { user: owner } = await addUser(service, { email: 'second@example.com' });
  const { user: auditor } = await addUser(service, { role: 'AUDITOR', email: 'auditor@example.com' });
  const caller = await callerWith(['users:manage', ...scopesOfRole.AUDITOR]);
  await rejectsAll(caller, [
    ['POST /users', { email: 'new@example.com', name: 'New', role: 'OWNER' }],
    [`PATCH /users/${auditor.id}`, { role: 'OWNER' }],
    [`PATCH /users/${owner.id}`, { role: 'AUDITOR' }],
    [`DELETE /users/${owner.id}`],
  ]);
  assert.equal((await caller.ask(`DELETE /users/${auditor.id}`)).status, 204);
});

test('a caller who manages tokens cannot create, rotate or revoke a token that allows more', async () => {
  const caller = await callerWith(['tokens:manage', 'orders:read']);
  const stronger = await service.addToken({ scopes: ['orders:read', 'orders:write'] });
  const inBoth = await service.addToken({ scopes: ['orders:read'], workspaces: [workspaceId, elsewhere] });
  await rejectsAll(caller, [
    ['POST /tokens', { name: 'New', scopes: ['orders:read', 'orders:write'] }],
    ...[stronger, inBoth].flatMap(({ id }) => [[`POST /tokens/${id}/rotate`], [`DELETE /tokens/${id}`]] as [string][]),
  ]);
  const own = await service.addToken({ scopes: ['orders:read'] });
  assert.equal((await caller.ask(`POST /tokens/${own.id}/rotate`)).status, 200);
});

test('a token that is created without a list of scopes gets no more than the caller has', async () => {
  const { ask } = await callerWith(['tokens:manage', 'orders:read']);
  const { status, body } = await ask('POST /tokens', { name: 'Usual' });
  assert.deepEqual([status, body.scopes], [201, ['orders:read']]);
});

test('a caller who may only manage tokens and users has to name the scopes of a token', async () => {
  for (const scopes of [['tokens:manage'], ['tokens:manage', 'users:manage']] as const) {
    const { ask } = await callerWith(scopes);
    const before = await everything();
    const message = refusal(await ask('POST /tokens', { name: 'Nothing' }), 400);
    assert.match(message, /^scopes is required, because you have only scopes that a token gets if they are named/);
    assert.deepEqual(await everything(), before);
    assert.equal((await ask('POST /tokens', { name: 'Named', scopes: ['tokens:manage'] })).status, 201);
  }
});

test('nobody creates or rotates a token that reads and spends what another person has received', async () => {
  const owner = await signIn(service, { email: 'thirdowner@example.com' });
  const add = async (email: string) =>
    (await owner.call<{ id: number }>('/api/v1/members', { method: 'POST', body: { email } })).body.id;
  const victim = `id:${await add('victim@example.com')}`;
  const own = `id:${await add('fourthowner@example.com')}`;
  const itself = await signIn(service, { email: 'fourthowner@example.com' });
  const make = (member: string | undefined, scope: Scope) =>
    itself.call('/api/v1/tokens', { method: 'POST', body: { name: 'Mine', scopes: [scope], member } });
  for (const scope of personalScopes) refusal(await make(victim, scope), 403);
  assert.equal((await make(victim, 'orders:read')).status, 201);
  assert.equal((await make(undefined, 'me:read')).status, 201);
  const mine = await make(own, 'me:read');
  assert.equal(mine.status, 201);
  const rotation = `/api/v1/tokens/${mine.body.id}/rotate`;
  refusal(await owner.call(rotation, { method: 'POST' }), 403);
  assert.equal((await itself.call(rotation, { method: 'POST' })).status, 200);
});
