import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import Fastify from 'fastify';
import { keepRouteTable } from '../../src/doors/http/route-table.ts';
import { readDocument } from '../support/openapi.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';

const app = await createRoutesOnly();
const service = await startService();
const { paths } = (await readDocument()) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
};

const routes = app.routeTable
  .filter(({ method }) => method !== 'HEAD')
  .map(({ method, url, access }) => `${method} ${url} ${access}`);
const scoped = app.routeTable.filter(({ access, method }) => access !== 'public' && method !== 'HEAD');

test('the list of routes, with the authentication of each', () => {
  assert.deepEqual(routes, [
    'GET /health/live public',
    'GET /health/ready public',
    'GET /metrics public',
    'GET / public',
    'GET /sign-in public',
    'GET /w/:workspace public',
    'GET /w/:workspace/* public',
    'GET /console/icon.svg public',
    'GET /console/asset/:name public',
    'GET /openapi.json public',
    'GET /docs/json public',
    'GET /docs/yaml public',
    'GET /docs public',
    'GET /docs/* public',
    'GET /g public',
    'GET /g/asset/:name public',
    'GET /g/colour/:name public',
    'GET /g/logo/:name public',
    'POST /g public',
    'POST /g/look public',
    'POST /g/claim public',
    'POST /g/code public',
    'POST /g/thanks public',
    'POST /g/notice public',
    'POST /g/option public',
    'POST /g/confirm public',
    'POST /g/spend public',
    'POST /g/reveal public',
    'GET /g/quiet/:token public',
    'POST /g/quiet/:token public',
    'GET /decide public',
    'POST /decide/look public',
    'POST /decide public',
    'GET /note public',
    'POST /note/look public',
    'POST /note public',
    'GET /session/ways public',
    'POST /session/link public',
    'POST /session/password public',
    'DELETE /session public',
    'POST /api/v1/orders orders:write',
    'POST /api/v1/orders/validate orders:write',
    'GET /api/v1/orders/status/:requestId orders:read',
    'GET /api/v1/orders/:requestId orders:read',
    'GET /api/v1/orders orders:read',
    'GET /api/v1/orders/:requestId/details orders:read',
    'GET /api/v1/orders/details/:requestId orders:read',
    'POST /api/v1/orders/:requestId/retry orders:write',
    'POST /api/v1/orders/retry/:requestId orders:write',
    'GET /api/v1/gifts gifts:read',
    'GET /api/v1/gifts/totals gifts:read',
    'GET /api/v1/gifts/:id gifts:read',
    'GET /api/v1/gifts/print gifts:manage',
    'POST /api/v1/gifts/:id/resend gifts:manage',
    'POST /api/v1/gifts/:id/correct gifts:correct',
    'POST /api/v1/gifts/:id/cancel gifts:manage',
    'POST /api/v1/gifts/:id/extend gifts:manage',
    'POST /api/v1/gifts/preview orders:write',
    'POST /api/v1/gifts/test orders:write',
    'POST /api/v1/gifts/check gifts:redeem',
    'POST /api/v1/gifts/redemptions gifts:redeem',
    'POST /api/v1/gifts/redemptions/:id/void gifts:redeem',
    'POST /api/v1/bulk-actions gifts:manage',
    'GET /api/v1/bulk-actions gifts:read',
    'GET /api/v1/bulk-actions/:id gifts:read',
    'GET /api/v1/bulk-actions/:id/gifts gifts:read',
    'GET /api/v1/redemptions gifts:read',
    'POST /api/v1/redemptions/:id/reverse gifts:manage',
    'GET /api/v1/spending-options settings:read',
    'PUT /api/v1/spending-options/:id settings:manage',
    'POST /api/v1/bounces gifts:manage',
    'GET /api/v1/balances/workspaces/currencies/:currency budgets:read',
    'GET /api/v1/balances/members/:employeeNumber/currencies/:currency budgets:read',
    'GET /api/v1/balances/members/currencies/:currency budgets:read',
    'GET /api/v1/budgets budgets:read',
    'POST /api/v1/budgets budgets:manage',
    'GET /api/v1/budgets/:id budgets:read',
    'PATCH /api/v1/budgets/:id budgets:manage',
    'DELETE /api/v1/budgets/:id budgets:manage',
    'POST /api/v1/budgets/:id/grants budgets:manage',
    'POST /api/v1/budgets/:id/withdrawals budgets:manage',
    'GET /api/v1/budgets/:id/entries budgets:read',
    'GET /api/v1/budgets/:id/entries/:number budgets:read',
    'GET /api/v1/ledger/verify budgets:read',
    'POST /api/v1/ledger/verifications budgets:read',
    'GET /api/v1/ledger/verifications budgets:read',
    'GET /api/v1/pools settings:read',
    'POST /api/v1/pools settings:manage',
    'GET /api/v1/pools/:id settings:read',
    'PATCH /api/v1/pools/:id settings:manage',
    'POST /api/v1/pools/:id/codes settings:manage',
    'DELETE /api/v1/pools/:id/codes settings:manage',
    'POST /api/v1/payroll-exports budgets:manage',
    'GET /api/v1/payroll-exports budgets:read',
    'GET /api/v1/payroll-exports/next budgets:read',
    'GET /api/v1/payroll-exports/:number budgets:read',
    'GET /api/v1/reports/overview reports:read',
    'GET /api/v1/reports/series reports:read',
    'GET /api/v1/reports/coverage reports:read',
    'GET /api/v1/reports/fairness reports:read',
    'GET /api/v1/reports/members/not-recognized reports:read',
    'GET /api/v1/reports/tax-log reports:read',
    'GET /api/v1/reports/tax-log/totals reports:read',
    'GET /api/v1/reports/teams/activity reports:read',
    'GET /api/v1/reports/members/last-recognized reports:read',
    'GET /api/v1/members directory:read',
    'GET /api/v1/members/suggestions directory:read',
    'GET /api/v1/members/:id directory:read',
    'GET /api/v1/members/:id/activities reports:read',
    'POST /api/v1/members directory:write',
    'PATCH /api/v1/members/:id directory:write',
    'POST /api/v1/members/:id/leave directory:write',
    'POST /api/v1/members/:id/return directory:write',
    'POST /api/v1/members/:id/merge directory:write',
    'POST /api/v1/members/:id/split directory:write',
    'POST /api/v1/members/import directory:write',
    'GET /api/v1/custom-fields directory:read',
    'GET /api/v1/custom-fields/:key directory:read',
    'POST /api/v1/custom-fields settings:manage',
    'PATCH /api/v1/custom-fields/:key settings:manage',
    'DELETE /api/v1/custom-fields/:key settings:manage',
    'POST /api/v1/shoutouts recognition:write',
    'GET /api/v1/shoutouts recognition:read',
    'GET /api/v1/shoutouts/:id recognition:read',
    'POST /api/v1/shoutouts/:id/approve recognition:approve',
    'POST /api/v1/shoutouts/:id/decline recognition:approve',
    'GET /api/v1/reasons recognition:read',
    'POST /api/v1/reasons recognition:manage',
    'PATCH /api/v1/reasons/:id recognition:manage',
    'DELETE /api/v1/reasons/:id recognition:manage',
    'GET /api/v1/rules rules:read',
    'POST /api/v1/rules rules:manage',
    'GET /api/v1/rules/:id rules:read',
    'PATCH /api/v1/rules/:id rules:manage',
    'DELETE /api/v1/rules/:id rules:manage',
    'GET /api/v1/approvals approvals:read',
    'GET /api/v1/approvals/orders/:requestId approvals:read',
    'POST /api/v1/approvals/decisions approvals:decide',
    'GET /api/v1/approvals/deputy approvals:decide',
    'PUT /api/v1/approvals/deputy approvals:decide',
    'DELETE /api/v1/approvals/deputy approvals:decide',
    'GET /api/v1/automations automations:read',
    'POST /api/v1/automations automations:manage',
    'GET /api/v1/automations/outlook automations:read',
    'POST /api/v1/automations/plan automations:read',
    'POST /api/v1/automations/pause automations:manage',
    'POST /api/v1/automations/resume automations:manage',
    'GET /api/v1/automations/:id automations:read',
    'PATCH /api/v1/automations/:id automations:manage',
    'DELETE /api/v1/automations/:id automations:manage',
    'GET /api/v1/automations/occurrences automations:read',
    'PATCH /api/v1/automations/occurrences/:id recognition:write',
    'POST /api/v1/automations/occurrences/:id/send automations:manage',
    'POST /api/v1/automations/:id/run automations:manage',
    'POST /api/v1/automations/:id/skip automations:manage',
    'POST /api/v1/automations/:id/unskip automations:manage',
    'GET /api/v1/events events:read',
    'GET /api/v1/events/:id events:read',
    'GET /api/v1/webhooks webhooks:read',
    'POST /api/v1/webhooks webhooks:manage',
    'GET /api/v1/webhooks/:id webhooks:read',
    'PATCH /api/v1/webhooks/:id webhooks:manage',
    'DELETE /api/v1/webhooks/:id webhooks:manage',
    'POST /api/v1/webhooks/:id/rotate webhooks:manage',
    'POST /api/v1/webhooks/:id/enable webhooks:manage',
    'POST /api/v1/webhooks/:id/disable webhooks:manage',
    'POST /api/v1/webhooks/:id/test webhooks:manage',
    'POST /api/v1/webhooks/:id/replay webhooks:manage',
    'GET /api/v1/webhooks/:id/attempts webhooks:read',
    'GET /api/v1/users audit:read',
    'POST /api/v1/users users:manage',
    'PATCH /api/v1/users/:id users:manage',
    'DELETE /api/v1/users/:id users:manage',
    'POST /api/v1/users/:id/link users:manage',
    'DELETE /api/v1/users/:id/sessions users:manage',
    'GET /api/v1/tokens audit:read',
    'POST /api/v1/tokens tokens:manage',
    'POST /api/v1/tokens/:id/rotate tokens:manage',
    'DELETE /api/v1/tokens/:id tokens:manage',
    'GET /api/v1/audit audit:read',
    'GET /api/v1/me self',
    'PATCH /api/v1/me self',
    'GET /api/v1/me/account self',
    'POST /api/v1/me/password self',
    'DELETE /api/v1/me/sessions/:id self',
    'GET /api/v1/settings settings:read',
    'PATCH /api/v1/settings settings:manage',
    'PUT /api/v1/settings/logo settings:manage',
    'DELETE /api/v1/settings/logo settings:manage',
    'GET /api/v1/mail settings:read',
    'POST /api/v1/mail/test settings:manage',
    'GET /api/v1/outbox gifts:manage',
    'GET /api/v1/outbox/:id gifts:manage',
    'POST /api/v1/redemptions/:id/fulfil gifts:manage',
    'POST /api/v1/redemptions/:id/decline gifts:manage',
    'GET /api/v1/clock settings:read',
    'POST /api/v1/clock/advance settings:manage',
    'GET /scim/v2/ServiceProviderConfig directory:write',
    'GET /scim/v2/Schemas directory:write',
    'GET /scim/v2/Schemas/:id directory:write',
    'GET /scim/v2/ResourceTypes directory:write',
    'GET /scim/v2/ResourceTypes/:id directory:write',
    'GET /scim/v2/Users directory:write',
    'GET /scim/v2/Groups directory:write',
    'POST /scim/v2/.search directory:write',
    'POST /scim/v2/Users/.search directory:write',
    'POST /scim/v2/Groups/.search directory:write',
    'POST /scim/v2/Users directory:write',
    'GET /scim/v2/Users/:id directory:write',
    'PUT /scim/v2/Users/:id directory:write',
    'PATCH /scim/v2/Users/:id directory:write',
    'DELETE /scim/v2/Users/:id directory:write',
    'POST /scim/v2/Groups directory:write',
    'GET /scim/v2/Groups/:id directory:write',
    'PUT /scim/v2/Groups/:id directory:write',
    'PATCH /scim/v2/Groups/:id directory:write',
    'DELETE /scim/v2/Groups/:id directory:write',
  ]);
});

test('a route that does not declare its authentication cannot be registered', () => {
  const other = Fastify();
  keepRouteTable(other);
  assert.throws(() => other.get('/api/v1/open', async () => 'hello'), /does not say who may use it/);
});

test('every API route answers 401 without a token', async () => {
  for (const { method, url } of scoped) {
    const { status, body } = await service.call(url.replace(':requestId', crypto.randomUUID()), {
      method,
      token: null,
    });
    assert.equal(status, 401, `${method} ${url}`);
    if (!url.startsWith('/scim/')) assert.equal(body.type, 'security_error');
  }
});

test('every API route is in the OpenAPI document with all its statuses', () => {
  for (const { method, url } of scoped) {
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${url} is not documented`);
    const expected = ['400', '401', '403', '429', '500', '503'];
    if (url.startsWith('/api/')) expected.push('406');
    if (url.includes('/:')) expected.push('404');
    if (method === 'POST' || method === 'PUT' || method === 'PATCH') expected.push('413', '415');
    const answered = Object.keys(operation.responses);
    assert.deepEqual(
      expected.filter((status) => !answered.includes(status)),
      [],
      operation.operationId,
    );
    const others = answered.filter((status) => !expected.includes(status));
    assert.match(
      others.join(' '),
      /^(200|201|202|204)( 204)?( 304)?( 402)?( 404)?( 409)?( 410)?( 412)?( 413 415)?( 422)?$/,
      operation.operationId,
    );
  }
});

test('an operation is declared in twelve lines or fewer, in the median', async () => {
  const folder = new URL('../../src/doors/http/areas/api/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const declared = texts.flatMap((text) => text.match(/^( *)operation\(app, .*\{$[\s\S]*?^\1\}\);$/gm) ?? []);
  const lines = declared.map((one) => one.split('\n').length).toSorted((a, b) => a - b);
  assert.ok(lines.length > 100);
  assert.ok((lines[Math.floor(lines.length / 2)] ?? 0) <= 12, `the median is ${lines[Math.floor(lines.length / 2)]}`);
  assert.deepEqual(
    texts.flatMap((text) => text.match(/\bapp\.(route|get|post|put|patch|delete)\(/g) ?? []),
    ['app.route('],
    'operation.ts alone adds routes to the API',
  );
});
