import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualScopes } from '../../src/company/access/scopes.ts';
import { assertFailed, type Json, runJson } from '../support/commands.ts';
import type { Env } from '../support/commands-in-turn.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const env = { DATABASE_URL: service.database.url, PORT: new URL(service.url).port };
const json = <T = Json>(args: string[], more: Env = env) => runJson<T>(args, more);

function statusOf(token: string): Promise<number> {
  return service.call('/api/v1/reports/teams/activity', { token }).then(({ status }) => status);
}

test('reasons are added, renamed, made the default and retired', async () => {
  const { id: workspace } = await json(['workspace', 'create', '--name', 'Reasons']);
  const of = ['--workspace', String(workspace)];
  const first = {
    id: (await json<Json[]>(['reason', 'list', ...of]))[0]?.id,
    description: 'Thank you',
    isDefault: true,
  };
  const added = await json(['reason', 'add', ' Teamwork ', ...of]);
  assert.deepEqual(added, { id: added.id, description: 'Teamwork', isDefault: false });
  assert.deepEqual(await json(['reason', 'list', ...of]), [first, added]);
  const id = String(added.id);
  const changed = await json(['reason', 'update', id, '--description', 'Great work', '--default', ...of]);
  assert.deepEqual(changed, { id: added.id, description: 'Great work', isDefault: true });
  assertFailed(await giftwire(['reason', 'retire', id, ...of], env), /make another one the default first/);
  assertFailed(await giftwire(['reason', 'add', 'Great work', ...of], env), /There is a reason "Great work" already/);
  assertFailed(await giftwire(['reason', 'update', '999999', '--default', ...of], env), /no reason with this id/);
  assertFailed(await giftwire(['reason', 'list', '--workspace', '999'], env), /no workspace 999/);
  assertFailed(await giftwire(['reason', 'add', 'Anything', '--workspace', '999'], env), /no workspace 999/);
  assert.deepEqual(await json(['reason', 'retire', String(first.id), ...of]), { id: first.id, retired: true });
  const { stdout } = await giftwire(['reason', 'list', ...of], env);
  assert.match(stdout, /^Id +Description +Default\n\d+ +Great work +yes\n$/);
});

test('workspaces are made, changed and listed', async () => {
  const acme = await json(['workspace', 'create', '--name', ' Acme ']);
  const { id, accountId } = acme;
  const policies = {
    refusesUnknownEmployeeNumbers: false,
    acceptsLeavers: false,
    asksForApproval: false,
    allowsSelfRecognition: false,
    erasureNeedsTwo: false,
  };
  const gifts = {
    ...{ name: 'Acme', language: 'EN_CA', timeZone: 'UTC', mailsGifts: true, giftDays: null, codeAbove: null },
    ...{ reminderDays: [3, 10], reminderDaysBeforeExpiry: 7 },
    ...{ colour: null, hasLogo: false, replyTo: null, sentence: null, taxLimits: [], recipientCaps: [] },
  };
  assert.deepEqual(acme, { id, name: 'Acme', accountId, language: 'EN_CA', ...policies, gifts });
  const strict = await json([
    ...['workspace', 'create', '--name', 'Acme Québec', '--account', String(accountId)],
    ...['--language', 'FR_CA', '--unknown-employee-numbers', 'refuse', '--shoutout-approval', 'required'],
  ]);
  const expected = { name: 'Acme Québec', accountId, language: 'FR_CA', ...policies };
  const asked = { refusesUnknownEmployeeNumbers: true, asksForApproval: true };
  const own = { ...gifts, name: 'Acme Québec', language: 'FR_CA' };
  assert.deepEqual(strict, { id: strict.id, ...expected, ...asked, gifts: own });
  const change = [
    '--language',
    'ES_MX',
    '--unknown-employee-numbers',
    'accept',
    '--leavers',
    'accept',
    '--self-recognition',
    'allow',
    '--erasure',
    'two-people',
  ];
  const changed = await json(['workspace', 'update', String(strict.id), ...change]);
  assert.deepEqual(changed, {
    ...strict,
    language: 'ES_MX',
    gifts: { ...own, language: 'ES_MX' },
    refusesUnknownEmployeeNumbers: false,
    acceptsLeavers: true,
    allowsSelfRecognition: true,
    erasureNeedsTwo: true,
  });
  assert.deepEqual((await json<Json[]>(['workspace', 'list'])).slice(-2), [acme, changed]);
  const { stdout } = await giftwire(['workspace', 'list'], env);
  assert.match(stdout, /Acme Québec {2,}\d+ +ES_MX +accepted +accepted +required +allowed\n$/);
  assertFailed(await giftwire(['workspace', 'update', '999', '--name', 'A'], env), /no workspace 999/);
  assertFailed(await giftwire(['workspace', 'create', '--name', 'A', '--account', '999'], env), /no account 999/);
});

test('a token is created with the requested scopes, expiry, workspaces, limit and member', async () => {
  const second = await service.addWorkspace({ name: 'Second' });
  const ada = (await service.fulfilled(anOrder())).certificates[0]?.recipientUser as number;
  const own = String(service.workspaceId);
  const start = Date.now();
  const [plain, narrow, wide, acting] = await Promise.all([
    json(['token', 'create', '--workspace', own, '--name', 'Payroll', '--expires', '90d']),
    json(['token', 'create', '--workspace', own, '--scopes', 'reports:read, orders:read', '--rate-limit', '2']),
    json(['token', 'create', '--workspace', own, '--workspace', String(second), '--name', 'Wide']),
    json(['token', 'create', '--workspace', own, '--member', 'ADA@example.com']),
  ]);
  assert.match(plain.token as string, /^gw_test_[0-9A-Za-z]{33}$/);
  assert.equal(typeof plain.id, 'number');
  assert.equal(plain.name, 'Payroll');
  assert.deepEqual(plain.workspaces, [service.workspaceId]);
  assert.deepEqual(plain.scopes, [...usualScopes]);
  const begunAt = Date.parse(plain.expiresAt as string) - 90 * 86_400_000;
  assert.ok(start <= begunAt && begunAt <= Date.now(), String(plain.expiresAt));
  assert.deepEqual(wide.workspaces, [service.workspaceId, second]);
  assert.equal(wide.expiresAt, null);
  assert.deepEqual(narrow.scopes, ['reports:read', 'orders:read']);
  assert.equal(narrow.rateLimitPerMinute, 2);

  const as = (token: Json, workspace = service.workspaceId) =>
    service.call('/api/v1/orders', { method: 'POST', token: token.token as string, workspace, body: anOrder() });
  assert.equal((await as(plain)).status, 201);
  assert.equal((await as(plain, second)).status, 403);
  assert.equal((await as(wide, second)).status, 201);
  assert.equal((await as(narrow)).status, 403);
  const paced = [1, 2, 3].map(() => statusOf(narrow.token as string));
  assert.deepEqual((await Promise.all(paced)).sort(), [200, 200, 429]);
  const activity = await service.call<{ activities: { receiver: Json }[] }>('/api/v1/reports/teams/activity', {
    token: acting.token as string,
  });
  const receivers = activity.body.activities.map(({ receiver }) => receiver);
  assert.ok(receivers.some(({ self }) => self));
  for (const { id, self } of receivers) assert.equal(self, id === ada);
  assertFailed(await giftwire(['token', 'create', '--workspace', '999'], env), /no workspace 999/);
  assertFailed(
    await giftwire(['token', 'create', '--workspace', own, '--member', 'nobody'], env),
    /no member "nobody"/,
  );
});

test('a token list shows no secrets; a revoked token stops working, a rotated one is replaced', async () => {
  const [leaked, aging, lasting] = await Promise.all([
    service.addToken({ name: 'Leaked' }),
    service.addToken({ name: 'Aging', scopes: ['reports:read'], rateLimitPerMinute: 100 }),
    service.addToken({ name: 'Lasting' }),
  ]);
  for (const { token } of [leaked, aging, lasting]) assert.equal(await statusOf(token), 200);
  const before = Date.now();
  const [revoked, replaced, overlapping] = await Promise.all([
    json(['token', 'revoke', String(leaked.id)]),
    json(['token', 'rotate', String(aging.id)]),
    json(['token', 'rotate', String(lasting.id), '--overlap', '24h']),
  ]);
  assert.equal(revoked.id, leaked.id);
  assert.ok(Date.parse(revoked.revokedAt as string) <= Date.now());
  assert.equal(replaced.replaces, aging.id);
  assert.deepEqual(
    [replaced.name, replaced.scopes, replaced.workspaces, replaced.rateLimitPerMinute],
    ['Aging', ['reports:read'], [service.workspaceId], 100],
  );
  for (const { token } of [leaked, aging]) {
    await eventually(
      () => statusOf(token),
      (status) => status === 401,
    );
  }
  for (const token of [replaced.token, overlapping.token, lasting.token]) assert.equal(await statusOf(`${token}`), 200);

  const [listed, readable] = await Promise.all([json<Json[]>(['token', 'list']), giftwire(['token', 'list'], env)]);
  const byId = new Map(listed.map((one) => [one.id, one]));
  assert.ok(byId.get(leaked.id)?.revokedAt);
  const overlapBegan = Date.parse(byId.get(lasting.id)?.expiresAt as string) - 24 * 3_600_000;
  assert.ok(before <= overlapBegan && overlapBegan <= Date.now());
  const shown = JSON.stringify(listed) + readable.stdout;
  assert.doesNotMatch(shown, /gw_test_|hash/);
  assert.match(readable.stdout, /Leaked .*revoked/);
  assertFailed(await giftwire(['token', 'revoke', '999'], env), /no usable token 999/);
  assertFailed(await giftwire(['token', 'rotate', String(leaked.id)], env), /has ended: make a new one/);
});
