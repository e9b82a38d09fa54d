import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { createGuessLimit } from '../../src/doors/http/limits/pace.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import type { ImportResult } from '../../src/ground/contract/member-import.ts';
import type { TokenWithSecret } from '../../src/ground/contract/token.ts';
import type { SignInLink } from '../../src/ground/contract/user.ts';
import type { WebhookAttempt, WebhookWithSecret } from '../../src/ground/contract/webhook.ts';
import { eventually } from '../support/eventually.ts';
import { createVisitor, startProvider } from '../support/oidc.ts';
import { aGift } from '../support/orders.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const provider = await startProvider({ subject: 'ada-1', email: 'ada@example.com', isVerified: true });
const { issuer, clientId, clientSecret } = provider;
const service = await startService({ oidc: { issuer, clientId, clientSecret, name: 'Example Login' } });
provider.knows(service.url);
const workspace = await openWorkspace(service);

/** By the database's clock, which is right. */
let now = 0;
beforeEach(() => {
  now = Date.now();
});

/** Sets the clock of the node, which is also that of the test. */
const setClock = ({ mock }: TestContext, offMs: number) =>
  mock.timers.enable({ apis: ['Date'], now: Date.now() + offMs });

const isNear = (moment: string | number | null, expected: number) =>
  assert.ok(Math.abs(new Date(moment ?? 0).getTime() - expected) < minuteMs, `${moment}: ${new Date(expected)}`);

const reasons = (token: string) => service.call('/api/v1/reasons', { token });

test('a node whose clock is two days slow refuses expired tokens and sessions', async (context) => {
  const { token } = await service.addToken({ lastsMs: -1_000 });
  const browser = await signIn(service, { email: 'slow@example.com' });
  setClock(context, -2 * dayMs);
  refusal(await reasons(token), 401);
  assert.equal((await browser.call('/api/v1/reasons')).status, 200);
  await service.database.transaction(async (tx) => {
    await tx.query('update sessions set expires_at = now() where user_id = $1', [browser.user.id]);
    await tx.query(`select pg_notify('giftwire_grants', '')`);
  });
  await eventually(async () => (await browser.call('/api/v1/reasons')).status === 401);
});

test('a node whose clock is two days fast accepts tokens and sessions until they expire', async (context) => {
  const { token } = await service.addToken({ lastsMs: 10 * minuteMs });
  const browser = await signIn(service, { email: 'fast@example.com' });
  setClock(context, 2 * dayMs);
  assert.equal((await reasons(token)).status, 200);
  assert.equal((await browser.call('/api/v1/reasons')).status, 200);
});

test('tokens and links that a node with a wrong clock creates last as long as others', async (context) => {
  const boss = await signIn(service, { email: 'boss@example.com' });
  const expired = await service.addToken({ lastsMs: -1_000 });
  setClock(context, -2 * dayMs);
  const post = async <Body>(path: string, body: object) =>
    (await boss.call<Body>(`/api/v1/${path}`, { method: 'POST', body })).body;
  const made = await post<TokenWithSecret>('tokens', { name: 'Payroll', expiresInDays: 3 });
  isNear(made.expiresAt, now + 3 * dayMs);
  isNear((await post<TokenWithSecret>(`tokens/${made.id}/rotate`, {})).expiresAt, now + 3 * dayMs);
  isNear((await post<SignInLink>(`users/${boss.user.id}/link`, {})).expiresAt, now + 15 * minuteMs);
  refusal(await boss.call(`/api/v1/tokens/${expired.id}/rotate`, { method: 'POST', body: {} }), 409);
});

test('an identity that has expired signs nobody in on a node whose clock is slow', async (context) => {
  await addUser(service, { email: 'ada@example.com' });
  const enter = async () => {
    const visitor = createVisitor();
    const isPage = ({ pathname }: URL) => pathname === '/sign-in' || pathname === '/';
    return (await visitor.follow(`${service.url}/session/oidc`, isPage)).search;
  };
  assert.equal(await enter(), '');
  // The provider runs in this process, so what it issues has expired two days ago.
  setClock(context, -2 * dayMs);
  assert.equal(await enter(), '?fault=unauthenticated');
  context.mock.timers.reset();
  assert.equal(await enter(), '', 'the clock may be set right while the service runs');
});

test('a node with a wrong clock signs webhooks with the right time, and retries them when they are due', async (context) => {
  const receiver = await startReceiver((_received, response) => void response.writeHead(500).end());
  setClock(context, 2 * dayMs);
  const post = async <Body>(path: string, body: object) =>
    (await workspace.call<Body>(`/api/v1/webhooks${path}`, { method: 'POST', body })).body;
  const { id } = await post<WebhookWithSecret>('', { url: receiver.url });
  isNear((await post<WebhookAttempt>(`/${id}/test`, {})).attemptedAt, now);
  await workspace.submit([aGift()]);
  const retry = await eventually(async () => {
    const [found] = await service.database.query<{ next: Date; since: Date }>(
      `select r.next_at as next, w.failing_since as since
         from webhook_retries r
         join webhooks w on w.workspace_id = r.workspace_id and w.id = r.webhook_id
        where r.workspace_id = $1`,
      [workspace.id],
    );
    return found;
  });
  isNear(retry.next.getTime(), now);
  isNear(retry.since.getTime(), now);
  for (const { headers } of receiver.received) isNear(Number(headers['webhook-timestamp']) * 1_000, now);
  await workspace.call(`/api/v1/webhooks/${id}`, { method: 'DELETE' });
});

test('people leave by the right day on a node whose clock is two days slow', async (context) => {
  const [one = 0] = await workspace.addPeople([{ email: 'leaving@example.com' }, { email: 'left@example.com' }]);
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  setClock(context, -2 * dayMs);
  const leave = (body: object) => workspace.call<Member>(`/api/v1/members/${one}/leave`, { method: 'POST', body });
  const later = (await leave({ leftOn: dayOf(now + 2 * dayMs) })).body;
  assert.deepEqual([later.active, later.leavesOn], [true, dayOf(now + 2 * dayMs)]);
  isNear(Date.parse((await leave({})).body.leftOn ?? ''), Date.parse(dayOf(now)));
  const file = `email,leavingDate\nleft@example.com,${dayOf(now - dayMs)}\n`;
  const { body } = await workspace.call<ImportResult>('/api/v1/members/import', {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': 'text/csv' },
  });
  assert.equal(body.leaving, 1, JSON.stringify(body));
});

test('after the clock was set back, a caller who is slowed down waits a minute at most', async (context) => {
  const noteFailure = createGuessLimit();
  for (let nth = 0; nth < 1_000; nth++) await noteFailure('192.0.2.1');
  setClock(context, -2 * dayMs);
  await assert.rejects(noteFailure('192.0.2.1'), /wait (60|[1-5]?\d) s\.$/);
});
