import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPassword, hashPassword } from '../../src/company/access/passwords.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { type Browser, browserWith, cookieFrom, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const good = 'one wire, one bow';

function enter(email: string, password: string): Promise<Response> {
  return fetch(`${service.url}/session/password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url },
    body: JSON.stringify({ email, password }),
  });
}

const choose = ({ call }: Browser, body: object) => call('/api/v1/me/password', { method: 'POST', body });

test('a password is stored as argon2id, and never twice alike', async () => {
  const [one, other] = [await hashPassword(good), await hashPassword(good)];
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, other);
  assert.deepEqual(
    [await findPassword(good, [one]), await findPassword(`${good}!`, [one]), await findPassword(good, [])],
    [0, null, null],
  );
});

test('somebody who came by a link chooses a password and signs in with it', async () => {
  const ada = await signIn(service, { email: 'Ada@Example.com' });
  assert.equal((await choose(ada, { password: good })).status, 204);
  const answer = await enter('ADA@example.com', good);
  assert.equal(answer.status, 204);
  const again = browserWith(service, ada.user, cookieFrom(answer), service.workspaceId);
  assert.equal((await again.call('/api/v1/me')).status, 200);
  const wrong = await enter('ada@example.com', 'another password');
  const stranger = await enter('nobody@example.com', good);
  assert.deepEqual([wrong.status, stranger.status], [401, 401]);
  assert.equal(await wrong.text(), await stranger.text(), 'nobody learns who has an account');
});

test('a password that is easy to guess is refused', async () => {
  const grace = await signIn(service, { email: 'grace@example.com' });
  for (const password of ['short', 'aaaaaaaaaaaaaa', 'my name is grace', 'x'.repeat(201)])
    assert.match(refusal(await choose(grace, { password }), 400), /^password must/, password);
});

test('another password needs the current one, and ends all other sessions', async () => {
  const email = 'ida@example.com';
  const first = await signIn(service, { email });
  await choose(first, { password: good });
  const second = browserWith(service, first.user, cookieFrom(await enter(email, good)), service.workspaceId);
  assert.match(refusal(await choose(second, { password: `${good} 2` }), 400), /current is not right/);
  assert.equal((await choose(second, { password: `${good} 2`, current: good })).status, 204);
  // It is refused once the service has heard of the change.
  await eventually(async () => (await first.call('/api/v1/me')).status === 401);
  assert.equal((await second.call('/api/v1/me')).status, 200);
  const byLink = await signIn(service, { email });
  assert.equal(
    (await choose(byLink, { password: `${good} 3` })).status,
    204,
    'a forgotten one is replaced after a link',
  );
});

test('after ten wrong passwords an address waits, and others do not', async () => {
  const email = 'max@example.com';
  for (const one of [email, 'nia@example.com']) await choose(await signIn(service, { email: one }), { password: good });
  const statuses = [];
  for (let nth = 0; nth < 10; nth++) statuses.push((await enter(email, `wrong ${nth}`)).status);
  assert.deepEqual(new Set(statuses), new Set([401]));
  const limited = await enter(email, good);
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers.get('retry-after')) > 60);
  assert.equal((await enter('nia@example.com', good)).status, 204);
});

test('a session does not guess the current password either: its attempts count like those to sign in', async () => {
  const email = 'lea@example.com';
  const first = await signIn(service, { email });
  await choose(first, { password: good });
  const lea = browserWith(service, first.user, cookieFrom(await enter(email, good)), service.workspaceId);
  const next = { password: `${good} 2` };
  for (let nth = 0; nth < 20; nth++)
    assert.match(refusal(await choose(lea, { password: 'weak', current: good }), 400), /^password must/);
  for (let nth = 0; nth < 10; nth++)
    assert.match(refusal(await choose(lea, { ...next, current: `wrong ${nth}` }), 400), /current is not right/);
  const limited = await choose(lea, { ...next, current: good });
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers.get('retry-after')) > 60);
  assert.equal((await enter(email, good)).status, 429);
  assert.equal(
    (await choose(await signIn(service, { email }), next)).status,
    204,
    'who came by a link guesses nothing',
  );
});

test('a right current password is not counted', async () => {
  const email = 'kim@example.com';
  const first = await signIn(service, { email });
  await choose(first, { password: good });
  const kim = browserWith(service, first.user, cookieFrom(await enter(email, good)), service.workspaceId);
  for (let nth = 0; nth < 11; nth++) {
    const current = nth === 0 ? good : `${good} ${nth - 1}`;
    assert.equal((await choose(kim, { password: `${good} ${nth}`, current })).status, 204);
  }
});
