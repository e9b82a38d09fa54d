import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { scopes, withImplied } from '../../src/access/scopes.ts';
import { makeSecret } from '../../src/access/token-secret.ts';
import { createToken, revokeToken } from '../../src/access/tokens.ts';
import type { RouteEntry } from '../../src/http/route-table.ts';
import { parseNetworks } from '../../src/setting-texts.ts';
import { updateWorkspace } from '../../src/workspaces/workspaces.ts';
import { answerBytes } from '../support/harmless.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head, sendTogether } from '../support/raw.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';
import { addUser } from '../support/sign-in.ts';

// Each route is tried from a network of its own, because wrong credentials are limited for each.
const service = await startService({ trustedProxies: parseNetworks('127.0.0.0/8', '') });
const { routeTable } = await createRoutesOnly();
const scoped = routeTable.filter(({ access }) => access !== 'public' && access !== 'self');

const aShoutout = { message: 'Thank you!', recipient: { email: 'ada@example.com' } };
const aUser = { email: 'new@example.com', name: 'New', role: 'AUDITOR' };
const aWebhook = { url: 'http://127.0.0.1:9/hook' };
const aSearch = JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] });
const aPatch = '{"Operations":[{"op":"add","path":"displayName","value":"Patched"}]}';

/** Addresses of routes and their answers to a caller with every right, for routes where one can tell more than that they let one in. */
interface Row {
  path: (requestId: string) => string;
  /** Null: any answer but a refusal or a failure. */
  served: number | null;
  body?: string;
}

const rows: Record<string, Row> = {
  'POST /api/v1/orders': { path: () => '/api/v1/orders', served: 201, body: JSON.stringify(anOrder()) },
  'GET /api/v1/orders/status/:requestId': { path: (id) => `/api/v1/orders/status/${id}`, served: 200 },
  'GET /api/v1/orders/:requestId': { path: (id) => `/api/v1/orders/${id}`, served: 200 },
  'GET /api/v1/gifts': { path: () => '/api/v1/gifts', served: 200 },
  'GET /api/v1/gifts/:id': { path: () => `/api/v1/gifts/${giftId}`, served: 200 },
  'GET /api/v1/gifts/print': { path: () => `/api/v1/gifts/print?ids=${giftId}`, served: 200 },
  // Mail is off here.
  'POST /api/v1/gifts/:id/resend': { path: () => `/api/v1/gifts/${giftId}/resend`, served: 409 },
  'POST /api/v1/gifts/:id/correct': {
    path: () => `/api/v1/gifts/${giftId}/correct`,
    served: 409,
    body: '{"email":"other@example.com"}',
  },
  'POST /api/v1/gifts/:id/cancel': { path: () => `/api/v1/gifts/${unwantedGiftId}/cancel`, served: 200 },
  'POST /api/v1/gifts/:id/extend': {
    path: () => `/api/v1/gifts/${giftId}/extend`,
    served: 200,
    body: '{"expiresOn":null}',
  },
  'POST /api/v1/gifts/check': { path: () => '/api/v1/gifts/check', served: 404, body: '{"token":"none"}' },
  'GET /api/v1/redemptions': { path: () => '/api/v1/redemptions', served: 200 },
  'GET /api/v1/payroll-exports': { path: () => '/api/v1/payroll-exports', served: 200 },
  'POST /api/v1/payroll-exports': { path: () => '/api/v1/payroll-exports', served: 409 },
  'GET /api/v1/reports/tax-log': { path: () => '/api/v1/reports/tax-log?year=2026', served: 200 },
  'GET /api/v1/ways': { path: () => '/api/v1/ways', served: 200 },
  'PUT /api/v1/ways/:id': { path: () => '/api/v1/ways/shop', served: 200, body: '{"kind":"TILL","name":"Shop"}' },
  'POST /api/v1/bounces': {
    path: () => '/api/v1/bounces',
    served: 404,
    body: '{"messageId":"<other@example.com>","status":"5.1.1"}',
  },
  'GET /api/v1/balances/workspaces/currencies/:currency': {
    path: () => '/api/v1/balances/workspaces/currencies/CHF',
    served: 200,
  },
  'GET /api/v1/balances/members/:employeeNumber/currencies/:currency': {
    path: () => '/api/v1/balances/members/1001/currencies/CHF',
    served: 404,
  },
  'GET /api/v1/balances/members/currencies/:currency': {
    path: () => '/api/v1/balances/members/currencies/CHF',
    served: 200,
  },
  'GET /api/v1/budgets': { path: () => '/api/v1/budgets', served: 200 },
  'POST /api/v1/budgets': { path: () => '/api/v1/budgets', served: 201, body: '{"currency":"SEK"}' },
  'GET /api/v1/budgets/:id': { path: () => `/api/v1/budgets/${budgetId}`, served: 200 },
  'PATCH /api/v1/budgets/:id': { path: () => `/api/v1/budgets/${budgetId}`, served: 200, body: '{"giftLimit":5}' },
  'DELETE /api/v1/budgets/:id': { path: () => `/api/v1/budgets/${unusedBudgetId}`, served: 204 },
  'POST /api/v1/budgets/:id/grants': {
    path: () => `/api/v1/budgets/${budgetId}/grants`,
    served: 201,
    body: '{"amount":5}',
  },
  'POST /api/v1/budgets/:id/withdrawals': {
    path: () => `/api/v1/budgets/${budgetId}/withdrawals`,
    served: 201,
    body: '{"amount":5}',
  },
  'GET /api/v1/budgets/:id/entries': { path: () => `/api/v1/budgets/${budgetId}/entries`, served: 200 },
  'GET /api/v1/budgets/:id/entries/:number': { path: () => `/api/v1/budgets/${budgetId}/entries/1`, served: 200 },
  'POST /api/v1/redemptions/:id/fulfil': { path: () => '/api/v1/redemptions/999999/fulfil', served: 404 },
  'POST /api/v1/redemptions/:id/decline': { path: () => '/api/v1/redemptions/999999/decline', served: 404 },
  'GET /api/v1/pools': { path: () => '/api/v1/pools', served: 200 },
  'POST /api/v1/pools': { path: () => '/api/v1/pools', served: 201, body: '{"name":"Cinemas","currency":"CAD"}' },
  'GET /api/v1/pools/:id': { path: () => `/api/v1/pools/${poolId}`, served: 200 },
  'PATCH /api/v1/pools/:id': { path: () => `/api/v1/pools/${poolId}`, served: 200, body: '{"lowAt":5}' },
  'DELETE /api/v1/pools/:id/codes': { path: () => `/api/v1/pools/${poolId}/codes`, served: 200 },
  'POST /api/v1/pools/:id/codes': { path: () => `/api/v1/pools/${poolId}/codes`, served: 415, body: '{}' },
  'GET /api/v1/reports/teams/activity': { path: () => '/api/v1/reports/teams/activity', served: 200 },
  'GET /api/v1/reports/members/last-recognized': { path: () => '/api/v1/reports/members/last-recognized', served: 200 },
  'GET /api/v1/members': { path: () => '/api/v1/members', served: 200 },
  'GET /api/v1/members/:id': { path: () => `/api/v1/members/${memberId}`, served: 200 },
  'POST /api/v1/shoutouts': { path: () => '/api/v1/shoutouts', served: 201, body: JSON.stringify(aShoutout) },
  'GET /api/v1/shoutouts': { path: () => '/api/v1/shoutouts', served: 200 },
  'GET /api/v1/shoutouts/:id': { path: () => `/api/v1/shoutouts/${pending[0]}`, served: 200 },
  'POST /api/v1/shoutouts/:id/approve': { path: () => `/api/v1/shoutouts/${pending[0]}/approve`, served: 200 },
  'POST /api/v1/shoutouts/:id/decline': { path: () => `/api/v1/shoutouts/${pending[1]}/decline`, served: 200 },
  'GET /api/v1/reasons': { path: () => '/api/v1/reasons', served: 200 },
  'POST /api/v1/reasons': { path: () => '/api/v1/reasons', served: 201, body: JSON.stringify({ description: 'New' }) },
  'PATCH /api/v1/reasons/:id': { path: () => `/api/v1/reasons/${reasonId}`, served: 200, body: '{"isDefault":false}' },
  'DELETE /api/v1/reasons/:id': { path: () => `/api/v1/reasons/${reasonId}`, served: 204 },
  'GET /api/v1/events': { path: () => '/api/v1/events', served: 200 },
  'GET /api/v1/events/:id': { path: () => `/api/v1/events/evt_${workspaceId}_1`, served: 200 },
  'GET /api/v1/webhooks': { path: () => '/api/v1/webhooks', served: 200 },
  'POST /api/v1/webhooks': { path: () => '/api/v1/webhooks', served: 201, body: JSON.stringify(aWebhook) },
  'GET /api/v1/webhooks/:id': { path: () => `/api/v1/webhooks/${webhookId}`, served: 200 },
  'PATCH /api/v1/webhooks/:id': {
    path: () => `/api/v1/webhooks/${webhookId}`,
    served: 200,
    body: '{"ordering":"strict"}',
  },
  'POST /api/v1/webhooks/:id/rotate': { path: () => `/api/v1/webhooks/${webhookId}/rotate`, served: 200 },
  'POST /api/v1/webhooks/:id/enable': { path: () => `/api/v1/webhooks/${webhookId}/enable`, served: 200 },
  'POST /api/v1/webhooks/:id/disable': { path: () => `/api/v1/webhooks/${webhookId}/disable`, served: 200 },
  'POST /api/v1/webhooks/:id/test': { path: () => `/api/v1/webhooks/${webhookId}/test`, served: 200 },
  'POST /api/v1/webhooks/:id/replay': {
    path: () => `/api/v1/webhooks/${webhookId}/replay`,
    served: 202,
    body: '{"from":1}',
  },
  'GET /api/v1/webhooks/:id/attempts': { path: () => `/api/v1/webhooks/${webhookId}/attempts`, served: 200 },
  'DELETE /api/v1/webhooks/:id': { path: () => `/api/v1/webhooks/${unusedWebhookId}`, served: 204 },
  'GET /api/v1/users': { path: () => '/api/v1/users', served: 200 },
  'POST /api/v1/users': { path: () => '/api/v1/users', served: 201, body: JSON.stringify(aUser) },
  'PATCH /api/v1/users/:id': { path: () => `/api/v1/users/${signedInId}`, served: 200, body: '{"role":"APPROVER"}' },
  'DELETE /api/v1/users/:id': { path: () => `/api/v1/users/${unwantedId}`, served: 204 },
  'POST /api/v1/users/:id/link': { path: () => `/api/v1/users/${signedInId}/link`, served: 200 },
  'DELETE /api/v1/users/:id/sessions': { path: () => `/api/v1/users/${signedInId}/sessions`, served: 204 },
  'GET /api/v1/tokens': { path: () => '/api/v1/tokens', served: 200 },
  'POST /api/v1/tokens': { path: () => '/api/v1/tokens', served: 201, body: '{"name":"Payroll"}' },
  'POST /api/v1/tokens/:id/rotate': { path: () => `/api/v1/tokens/${rotatedId}/rotate`, served: 200 },
  'DELETE /api/v1/tokens/:id': { path: () => `/api/v1/tokens/${rotatedId}`, served: 204 },
  'GET /api/v1/audit': { path: () => '/api/v1/audit', served: 200 },
  'GET /scim/v2/ServiceProviderConfig': { path: () => '/scim/v2/ServiceProviderConfig', served: 200 },
  'GET /scim/v2/Schemas': { path: () => '/scim/v2/Schemas', served: 200 },
  'GET /scim/v2/Schemas/:id': {
    path: () => '/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
    served: 200,
  },
  'GET /scim/v2/ResourceTypes': { path: () => '/scim/v2/ResourceTypes', served: 200 },
  'GET /scim/v2/ResourceTypes/:id': { path: () => '/scim/v2/ResourceTypes/User', served: 200 },
  'GET /scim/v2/Users': { path: () => '/scim/v2/Users', served: 200 },
  'POST /scim/v2/Users': { path: () => '/scim/v2/Users', served: 201, body: '{"userName":"Posted"}' },
  'GET /scim/v2/Users/:id': { path: () => `/scim/v2/Users/${userId}`, served: 200 },
  'PUT /scim/v2/Users/:id': { path: () => `/scim/v2/Users/${userId}`, served: 200, body: '{"userName":"Put"}' },
  'PATCH /scim/v2/Users/:id': { path: () => `/scim/v2/Users/${userId}`, served: 200, body: aPatch },
  'DELETE /scim/v2/Users/:id': { path: () => `/scim/v2/Users/${userId}`, served: 204 },
  'GET /scim/v2/Groups': { path: () => '/scim/v2/Groups', served: 200 },
  'POST /scim/v2/Groups': { path: () => '/scim/v2/Groups', served: 201, body: '{"displayName":"Posted"}' },
  'GET /scim/v2/Groups/:id': { path: () => `/scim/v2/Groups/${groupId}`, served: 200 },
  'PUT /scim/v2/Groups/:id': { path: () => `/scim/v2/Groups/${groupId}`, served: 200, body: '{"displayName":"Put"}' },
  'PATCH /scim/v2/Groups/:id': { path: () => `/scim/v2/Groups/${groupId}`, served: 204, body: aPatch },
  'DELETE /scim/v2/Groups/:id': { path: () => `/scim/v2/Groups/${groupId}`, served: 204 },
  'POST /scim/v2/.search': { path: () => '/scim/v2/.search', served: 200, body: aSearch },
  'POST /scim/v2/Users/.search': { path: () => '/scim/v2/Users/.search', served: 200, body: aSearch },
  'POST /scim/v2/Groups/.search': { path: () => '/scim/v2/Groups/.search', served: 200, body: aSearch },
};

interface Asking {
  authorization?: string;
  workspace?: number;
  requestId?: string;
}

const { workspaceId } = service;
const { requestId, certificates } = await service.fulfilled(anOrder({ orderItems: [aGift(), aGift()] }));
const [giftId, unwantedGiftId] = certificates.map(({ id }) => id);
await service.database.transaction((tx) => updateWorkspace(tx, workspaceId, { asksForApproval: true }));
const made = async (path: string, body: unknown) =>
  (await service.call<{ id: number }>(path, { method: 'POST', body })).body.id;
const pending = [await made('/api/v1/shoutouts', aShoutout), await made('/api/v1/shoutouts', aShoutout)];
const reasonId = await made('/api/v1/reasons', { description: 'Teamwork' });
const [webhookId, unusedWebhookId] = [
  await made('/api/v1/webhooks', aWebhook),
  await made('/api/v1/webhooks', aWebhook),
];
const [budgetId, unusedBudgetId] = [
  await made('/api/v1/budgets', { currency: 'CHF', amount: 100 }),
  await made('/api/v1/budgets', { currency: 'NOK' }),
];
const poolId = await made('/api/v1/pools', { name: 'Bookshops', currency: 'CAD' });
const [{ id: memberId } = { id: 0 }] = await service.database.query<{ id: number }>(
  'select id from members where workspace_id = $1 and email is not null',
  [workspaceId],
);
const provisioned = async (path: string, body: unknown) => {
  const { body: resource } = await service.call<string>(path, { method: 'POST', body });
  return (JSON.parse(resource) as { id: string }).id;
};
const userId = await provisioned('/scim/v2/Users', { userName: 'ada' });
const groupId = await provisioned('/scim/v2/Groups', { displayName: 'Engineering' });
const { id: signedInId } = (await addUser(service, { role: 'AUDITOR' })).user;
const { id: unwantedId } = (await addUser(service, { role: 'APPROVER' })).user;
const { id: rotatedId } = await service.addToken();
const foreignWorkspace = await service.addWorkspace({ name: 'Elsewhere' });
const foreign = await service.addToken({ workspaces: [foreignWorkspace] });
const revoked = await service.addToken();
const expired = await service.addToken({ lastsMs: -1_000 });
const [live] = await service.database.transaction(async (tx) => {
  await revokeToken(tx, revoked.id);
  const rights = { name: null, scopes, workspaces: [workspaceId], lastsMs: null, rateLimitPerMinute: null };
  return [await createToken(tx, 'production', rights)];
});
const scopeless = new Map<string, string>();
for (const scope of scopes)
  scopeless.set(
    scope,
    (await service.addToken({ scopes: scopes.filter((one) => !withImplied([one]).includes(scope)) })).token,
  );

/** Routes that need no example: a caller who is let in finds nothing there, or sends nothing that could be taken. */
const withoutRow = (url: string) => ({
  path: (id: string) => url.replace(':requestId', id).replace(/:\w+/g, '999999999'),
  served: null,
});

function rowOf({ method, url }: RouteEntry): Row {
  return rows[`${method === 'HEAD' ? 'GET' : method} ${url}`] ?? withoutRow(url);
}

function ask(route: RouteEntry, asking: Asking): Promise<string> {
  const { path, body = '' } = rowOf(route);
  const headers = [
    `X-Workspace-id: ${asking.workspace ?? workspaceId}`,
    `X-Forwarded-For: 192.0.2.${scoped.indexOf(route) % 200}`,
  ];
  if (asking.authorization !== undefined) headers.push(`Authorization: ${asking.authorization}`);
  if (body !== '') headers.push('Content-Type: application/json', `Content-Length: ${body.length}`);
  return answerBytes(service.url, head(route.method, path(asking.requestId ?? requestId), ...headers) + body);
}

const statusOf = (answer: string) => Number(answer.slice(9, 12));
const countEverything = async () =>
  (
    await service.database.query(
      `select (select count(*) from order_requests) as orders,
              (select count(*) from members)        as members,
              (select count(*) from teams)          as teams,
              (select count(*) from reasons)        as reasons,
              (select jsonb_agg((r.user_id, r.role) order by r.user_id) from user_roles r) as users,
              (select count(*) from sign_in_links)  as links,
              (select count(*) from api_tokens where revoked_at is null) as tokens,
              (select count(*) from certificates where state <> 'ISSUED' or edition > 0) as gifts,
              (select jsonb_agg((w.id, w.ordering, w.secret_version) order by w.id) from webhooks w) as webhooks,
              (select jsonb_agg(a.status order by number) from activities a where type = 'SHOUTOUT') as shoutouts`,
    )
  )[0];

/** Callers without the right, by the answer that each group must get. */
function intruders(route: RouteEntry): { expected: number; callers: Record<string, Asking> }[] {
  const good = `Bearer ${service.token}`;
  return [
    {
      expected: 401,
      callers: {
        'no token': {},
        'an empty one': { authorization: '' },
        'a malformed one': { authorization: `${good}x` },
        'another scheme': { authorization: good.replace('Bearer', 'Basic') },
        'one that was never issued': { authorization: `Bearer ${makeSecret('test')}` },
        'an expired one': { authorization: `Bearer ${expired.token}` },
        'a revoked one': { authorization: `Bearer ${revoked.token}` },
        "the other environment's": { authorization: `Bearer ${live?.token}` },
        'none, for a workspace that does not exist': { workspace: 999_999_999 },
      },
    },
    {
      expected: 403,
      callers: {
        "another workspace's token": { authorization: `Bearer ${foreign.token}` },
        "ours in another's workspace": { authorization: good, workspace: foreignWorkspace },
        'ours in no workspace at all': { authorization: good, workspace: 999_999_999 },
      },
    },
    {
      expected: 403,
      callers: {
        'every scope but the one': { authorization: `Bearer ${scopeless.get(route.access)}` },
        'the same for an order that does not exist': {
          authorization: `Bearer ${scopeless.get(route.access)}`,
          requestId: randomUUID(),
        },
      },
    },
  ];
}

test('every row has its route', () => {
  const routes = scoped.map(({ method, url }) => `${method} ${url}`);
  assert.deepEqual(
    Object.keys(rows).filter((row) => !routes.includes(row)),
    [],
  );
});

test('nothing under /api is open to everyone', () => {
  assert.deepEqual(
    routeTable.filter(({ access, url }) => access === 'public' && url.startsWith('/api')),
    [],
  );
});

for (const route of scoped)
  test(`${route.method} ${route.url} serves callers with the right, and answers all others alike`, async () => {
    const status = statusOf(await ask(route, { authorization: `Bearer ${service.token}` }));
    const { served } = rowOf(route);
    if (served !== null) assert.equal(status, served);
    else assert.ok(status < 500 && status !== 401 && status !== 403, `${status}`);
    const before = await countEverything();
    for (const { expected, callers } of intruders(route)) {
      const answers = new Set<string>();
      for (const [who, asking] of Object.entries(callers)) {
        const answer = await ask(route, asking);
        assert.equal(statusOf(answer), expected, who);
        answers.add(answer);
      }
      assert.equal(answers.size, 1, [...answers].join('\n'));
    }
    assert.deepEqual(await countEverything(), before);
  });

for (const route of scoped.filter(({ url }) => url.includes(':requestId')))
  test(`${route.method} ${route.url} answers for another workspace's order exactly as for one that does not exist`, async () => {
    const accepting = (await service.create(anOrder())).body.requestId;
    const asking = { authorization: `Bearer ${foreign.token}`, workspace: foreignWorkspace };
    const answers = new Set<string>();
    // Some answers name the order that was asked for.
    for (const id of [requestId, requestId.toUpperCase(), accepting, randomUUID(), randomUUID()])
      answers.add((await ask(route, { ...asking, requestId: id })).replaceAll(id, 'id'));
    assert.deepEqual([...answers].map(statusOf), [404]);
  });

test('beyond a thousand failed credentials a minute, an address gets 429 for further ones and is served with a good one', async () => {
  const guessed = await startService();
  const path = '/api/v1/reports/teams/activity';
  const guess = (nth: number) => {
    // Well-formed and malformed tokens count alike, whatever X-Forwarded-For says.
    const token = nth % 2 === 0 ? makeSecret('test') : `guess-${nth}`;
    const forwarded = `X-Forwarded-For: 10.0.${nth >> 8}.${nth & 255}`;
    return head('GET', path, `Authorization: Bearer ${token}`, `X-Workspace-id: ${guessed.workspaceId}`, forwarded);
  };
  const guesses = Array.from({ length: 1_010 }, (_, nth) => guess(nth));
  const statuses: number[] = [];
  for (let nth = 0; nth < 1_000; nth += 50) {
    const answers = await sendTogether(guessed.url, guesses.slice(nth, nth + 50));
    statuses.push(...answers.map(({ status }) => status));
    assert.equal((await guessed.call(path)).status, 200);
  }
  assert.equal(statuses.length, 1_000);
  assert.deepEqual(new Set(statuses), new Set([401]));
  const late = await sendTogether(guessed.url, guesses.slice(1_000));
  assert.equal(late.length, 10);
  for (const { status, headers, text } of late) {
    const body = JSON.parse(text);
    assert.equal(status, 429);
    assert.deepEqual(Object.keys(body), ['status', 'message', 'type']);
    assert.deepEqual([body.status, body.type], [429, 'security_error']);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  }
  assert.equal((await guessed.call(path)).status, 200);
  assert.equal((await guessed.create(anOrder())).status, 201);
  assert.equal((await guessed.call('/health/live', { token: null })).status, 200);
});
