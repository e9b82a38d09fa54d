import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Role, roles, scopesOfRole } from '../../src/company/access/roles.ts';
import { isPersonal } from '../../src/company/access/scopes.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { RouteEntry } from '../../src/doors/http/route-table.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';

const service = await startService();
await inWorkspace(service.database, service.workspaceId, (tx) =>
  addMembers(tx, service.workspaceId, [{ email: 'manager@example.com', firstName: 'Max' }]),
);
const browsers = new Map<Role, Browser>();
for (const role of roles) browsers.set(role, await signIn(service, { role }));

/** Every route of the server that asks for a scope. A new one is in here without anybody listing it. */
const { routeTable } = await createRoutesOnly();
const scoped = routeTable.filter(({ access, method }) => access !== 'public' && access !== 'self' && method !== 'HEAD');
const api = scoped.filter(({ url }) => url.startsWith('/api/'));

function mayUse(role: Role, { access, forManagers }: RouteEntry): boolean {
  const hasScope = scopesOfRole[role].includes(access as never);
  return hasScope && (role !== 'MANAGER' || forManagers || isPersonal(access));
}

/** About the person alone who calls: their gifts, their preferences, the feed that all of them read. */
const personal = api.filter(({ access }) => isPersonal(access));
const others = api.filter(({ access }) => !isPersonal(access));
const allowed = (role: Role) =>
  others.filter((route) => mayUse(role, route)).map(({ method, url }) => `${method} ${url}`);

test('an owner may do everything', () => {
  assert.equal(allowed('OWNER').length, others.length);
});

test('every role has the operations about oneself and the feed', () => {
  assert.ok(personal.length > 0);
  for (const { url } of personal) assert.match(url, /^\/api\/v1\/(me|feed)\b/);
  for (const role of roles)
    assert.ok(
      personal.every((route) => mayUse(role, route)),
      role,
    );
});

test('the people team may do everything but let others in', () => {
  const refused = others.filter((route) => !mayUse('PEOPLE_TEAM', route)).map(({ access }) => access);
  assert.deepEqual([...new Set(refused)].sort(), ['tokens:manage', 'users:manage']);
});

test('an auditor changes nothing, starts verifications, and reads the audit log, people who sign in and tokens', () => {
  assert.deepEqual(
    allowed('AUDITOR').filter((route) => !route.startsWith('GET ')),
    // A plan stores nothing.
    ['POST /api/v1/ledger/verifications', 'POST /api/v1/automations/plan'],
  );
  for (const route of ['GET /api/v1/audit', 'GET /api/v1/users', 'GET /api/v1/tokens', 'GET /api/v1/gifts'])
    assert.ok(allowed('AUDITOR').includes(route), route);
});

test('an approver reads shoutouts, reasons and what waits for them, and decides', () => {
  assert.ok(
    allowed('APPROVER').every((route) => /\/(shoutouts|reasons|approvals)\b/.test(route)),
    allowed('APPROVER').join(', '),
  );
});

test('what a manager may use is listed here, because each of these routes has to limit itself to their reports', () => {
  assert.deepEqual(allowed('MANAGER').sort(), [
    // Orders that they sent, are asked about or have decided, and their own deputy.
    'DELETE /api/v1/approvals/deputy',
    'GET /api/v1/approvals',
    'GET /api/v1/approvals/deputy',
    'GET /api/v1/approvals/orders/:requestId',
    'GET /api/v1/automations/occurrences',
    'GET /api/v1/automations/occurrences/:id',
    'GET /api/v1/gifts',
    'GET /api/v1/gifts/:id',
    'GET /api/v1/gifts/totals',
    'GET /api/v1/members',
    'GET /api/v1/members/:id',
    'GET /api/v1/members/:id/activities',
    'GET /api/v1/members/suggestions',
    'GET /api/v1/orders/status/:requestId',
    'GET /api/v1/reasons',
    'GET /api/v1/reports/coverage',
    'GET /api/v1/reports/fairness',
    'GET /api/v1/reports/members/not-recognized',
    'GET /api/v1/reports/overview',
    'GET /api/v1/reports/series',
    'GET /api/v1/reports/teams/activity',
    'PATCH /api/v1/automations/occurrences/:id',
    'POST /api/v1/approvals/decisions',
    'POST /api/v1/gifts/:id/correct',
    'POST /api/v1/gifts/preview',
    'POST /api/v1/gifts/test',
    'POST /api/v1/orders',
    'POST /api/v1/orders/validate',
    'POST /api/v1/shoutouts',
    'PUT /api/v1/approvals/deputy',
  ]);
});

test('a manager follows the orders that they have sent, and no others; the codes of gifts are not for readers', async () => {
  const manager = browsers.get('MANAGER') as Browser;
  const order = { currency: 'CAD', orderItems: [{ message: 'Hi', amount: 5, recipient: { email: 'x@example.com' } }] };
  const sent = await manager.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: order });
  const other = await service.create(order);
  const statusOf = async (id: string) => (await manager.call(`/api/v1/orders/status/${id}`)).status;
  assert.deepEqual([await statusOf(sent.body.requestId), await statusOf(other.body.requestId)], [200, 404]);
  const path = `/api/v1/orders/${other.body.requestId}`;
  await service.finished(other.body.requestId);
  const statuses = await Promise.all(
    roles.map(async (role) => (await (browsers.get(role) as Browser).call(path)).status),
  );
  assert.deepEqual(Object.fromEntries(roles.map((role, nth) => [role, statuses[nth]])), {
    OWNER: 200,
    PEOPLE_TEAM: 200,
    MANAGER: 403,
    APPROVER: 403,
    AUDITOR: 403,
  });
});
