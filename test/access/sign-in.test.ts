import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopes } from '../../src/company/access/scopes.ts';
import { makeSignInLink } from '../../src/company/access/sessions.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { AuditEntry } from '../../src/ground/contract/audit.ts';
import type { Me, MyAccount } from '../../src/ground/contract/me.ts';
import { eventually } from '../support/eventually.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { addUser, type Browser, cookieFrom, signIn, useLink } from '../support/sign-in.ts';
import { aShoutout, refusal } from '../support/workspace.ts';

const service = await startService();

test('a link signs its owner in once; the session is a cookie that scripts cannot read', async () => {
  const { user, link } = await addUser(service, { role: 'OWNER', name: 'Ada Okafor' });
  const answer = await useLink(service.url, link);
  assert.equal(answer.status, 204);
  assert.match(
    answer.headers.getSetCookie()[0] ?? '',
    /^giftwire=gws_test_\w+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  const again = await useLink(service.url, link);
  assert.equal(again.status, 401);
  assert.match(((await again.json()) as { message: string }).message, /was used or has expired/);
  const headers = { Cookie: cookieFrom(answer) };
  const { status, body } = await service.call<Me>('/api/v1/me', { token: null, workspace: null, headers });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.user, body.token],
    [{ id: user.id, email: 'owner@example.com', name: 'Ada Okafor', language: 'en' }, null],
  );
  assert.deepEqual([body.workspaces[0]?.role, body.workspaces[0]?.scopes], ['OWNER', scopes]);
});

test('a new link ends the one before; an expired one signs nobody in', async () => {
  const { link: first } = await addUser(service);
  const { link: second } = await addUser(service);
  assert.equal((await useLink(service.url, first)).status, 401);
  await service.database.query(`update sign_in_links set expires_at = now() - interval '1 second'`);
  assert.equal((await useLink(service.url, second)).status, 401);
});

test('with the cookie, a request that changes something must come from the console itself', async () => {
  const { cookie, call } = await signIn(service);
  const give = (headers: Record<string, string>) =>
    service.call('/api/v1/shoutouts', {
      method: 'POST',
      token: null,
      headers: { Cookie: cookie, ...headers },
      body: aShoutout(),
    });
  for (const headers of [
    {},
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: service.url, 'Sec-Fetch-Site': 'cross-site' },
    { Origin: service.url, 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ] as Record<string, string>[])
    assert.match(refusal(await give(headers), 403), /Another site/, JSON.stringify(headers));
  assert.equal((await give({ Origin: service.url })).status, 201);
  assert.equal((await give({ 'Sec-Fetch-Site': 'same-origin' })).status, 201);
  assert.equal((await call('/api/v1/reasons')).status, 200);
});

test('a session is no bearer token, and a token is no cookie', async () => {
  const { cookie, call } = await signIn(service);
  const secret = cookie.split('=')[1] as string;
  // Both are in the memory of the service, which knows them by their secrets.
  assert.equal((await call('/api/v1/me')).status, 200);
  assert.equal((await service.call('/api/v1/me')).status, 200);
  assert.equal((await service.call('/api/v1/me', { token: secret })).status, 401);
  const inCookie = { token: null, headers: { Cookie: `giftwire=${service.token}` } };
  assert.equal((await service.call('/api/v1/me', inCookie)).status, 401);
  const underTheOtherName = { token: null, headers: { Cookie: `__Host-giftwire=${secret}` } };
  assert.equal((await service.call('/api/v1/me', underTheOtherName)).status, 401);
  assert.equal((await service.call('/scim/v2/Users', { token: null, headers: { Cookie: cookie } })).status, 401);
});

test('signing out ends the session', async () => {
  const { call } = await signIn(service);
  const { status, headers } = await call('/session', { method: 'DELETE' });
  assert.equal(status, 204);
  assert.match(headers.getSetCookie()[0] ?? '', /^giftwire=; Path=\/; Max-Age=0/);
  assert.match(refusal(await call('/api/v1/reasons'), 401), /sign in again/);
});

test("people end sessions of their own by id, and nobody else's", async () => {
  const email = 'two.browsers@example.com';
  const [laptop, phone] = [await signIn(service, { email }), await signIn(service, { email })];
  const stranger = await signIn(service, { email: 'stranger@example.com' });
  const sessionsOf = async ({ call }: Browser) => (await call<MyAccount>('/api/v1/me/account')).body.sessions;
  const end = ({ call }: Browser, id: number) => call(`/api/v1/me/sessions/${id}`, { method: 'DELETE' });
  const sessions = await sessionsOf(laptop);
  assert.equal(sessions.length, 2, 'the sessions of both browsers, and none of the stranger');
  for (const { id } of sessions) assert.match(refusal(await end(stranger, id), 404), /You have no session/);
  assert.equal((await sessionsOf(laptop)).length, 2, 'the stranger has ended none');
  assert.equal((await end(laptop, sessions.find(({ isThis }) => !isThis)?.id as number)).status, 204);
  // It is rejected once the service has heard of the change.
  await eventually(async () => (await phone.call('/api/v1/me')).status === 401);
  assert.deepEqual(
    [(await laptop.call('/api/v1/me')).status, (await stranger.call('/api/v1/me')).status],
    [200, 200],
    'the other sessions go on',
  );
});

test('an order of a signed-in person is theirs', async () => {
  const { call, user } = await signIn(service, { name: 'Grace Hopper', email: 'grace@example.com' });
  const { status, body } = await call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    body: { currency: 'CAD', orderItems: [{ message: 'Hi', amount: 5, recipient: { email: 'x@example.com' } }] },
  });
  assert.equal(status, 201);
  const [row] = await service.database.query(
    'select token_id as id, sender_name as name from order_requests where request_id = $1',
    [body.requestId],
  );
  assert.deepEqual(row, { id: user.id, name: 'Grace Hopper' });
  const { entries } = (await call<{ entries: AuditEntry[] }>('/api/v1/audit?action=order')).body;
  assert.deepEqual(
    entries.map(({ actorName, subjectId, detail }) => [actorName, subjectId, detail]),
    [['Grace Hopper', body.requestId, { gifts: 1, currency: 'CAD' }]],
  );
});

test('a manager is refused on routes that are about everybody', async () => {
  const [manager] = await service.database.transaction(async (tx) => {
    const { lockWorkspace } = await import('../../src/company/workspaces/lock.ts');
    const { addMembers } = await import('../../src/company/directory/save.ts');
    await lockWorkspace(tx, service.workspaceId);
    return addMembers(tx, service.workspaceId, [{ email: 'manager@example.com', firstName: 'Max' }]);
  });
  const { call } = await signIn(service, { role: 'MANAGER' });
  const { body } = await call<Me>('/api/v1/me');
  assert.deepEqual([body.workspaces[0]?.memberId, body.workspaces[0]?.seesReportsOnly], [manager, true]);
  assert.match(refusal(await call('/api/v1/shoutouts'), 403), /only see their own reports/);
  assert.equal((await call('/api/v1/reasons')).status, 200);
  assert.match(refusal(await call('/api/v1/webhooks'), 403), /Your role lacks the scope webhooks:read/);
});

test('behind https the cookie is for this host alone', async () => {
  const secured = await startService({ publicUrl: 'https://gifts.example.com' });
  const { link } = await addUser(secured);
  const [cookie = ''] = (await useLink(secured.url, link)).headers.getSetCookie();
  assert.match(cookie, /^__Host-giftwire=gws_test_\w+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/);
  const [pair = ''] = cookie.split(';');
  const me = (Cookie: string) => secured.call('/api/v1/me', { token: null, workspace: null, headers: { Cookie } });
  assert.equal((await me(pair)).status, 200);
  assert.equal((await me(pair.replace('__Host-', ''))).status, 401, 'another site of this host could set that one');
});

test('without https on a public host nothing is used up before it is refused', async () => {
  const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'giftwire', clientSecret: 'secret', name: 'Example Login' };
  const open = await startService({ environment: 'production', tokenKey: 'k'.repeat(32), oidc });
  const { url, database } = open;
  const { user } = await addUser(open);
  const { secret: link } = await database.transaction((tx) => makeSignInLink(tx, theService, 'production', user));
  const ask = (method: string, path: string, body: object | null) => {
    const text = body === null ? '' : JSON.stringify(body);
    const json = ['Content-Type: application/json', `Content-Length: ${text.length}`];
    const lines = head(method, path, 'Origin: http://gifts.example.com', ...(body === null ? [] : json));
    return sendRaw(url, lines.replace('Host: localhost', 'Host: gifts.example.com'), text);
  };
  for (const [method, path, body] of [
    ['POST', '/session/link', { link }],
    ['POST', '/session/password', { email: user.email, password: 'one wire, one bow' }],
    ['GET', '/session/oidc', null],
    ['GET', '/session/oidc/callback?code=x', null],
  ] as const) {
    const { status, text } = await ask(method, path, body);
    assert.equal(status, 403, path);
    assert.match(text, /Signing in needs https: open the https address/, path);
  }
  assert.deepEqual(await database.query('select from sessions'), []);
  assert.deepEqual(await database.query('select from sign_in_attempts'), []);
  assert.equal((await useLink(url, link)).status, 204, 'the machine itself needs no https');
});
