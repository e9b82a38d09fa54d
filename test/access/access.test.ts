import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { scopes } from '../../src/company/access/scopes.ts';
import { makeSecret } from '../../src/company/access/token-secret.ts';
import { listTokens, revokeToken, rotateToken } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { announceGrantChange } from '../../src/company/workspaces/grant-changes.ts';
import { dumpTables } from '../support/dump.ts';
import { eventually } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { anOrder } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw.ts';
import { runs } from '../support/runs.ts';
import { type Answer, type Call, startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const tokenKey = 'a key that both services have in common';
const service = await startService({ tokenKey });
const neighbour = await startService({ tokenKey, databaseUrl: service.database.url });
const nowhere = 999_999_999;

const operations = [
  { name: 'create', scope: 'orders:write', call: { path: '/api/v1/orders', method: 'POST', body: anOrder() }, ok: 201 },
  { name: 'status', scope: 'orders:read', call: { path: `/api/v1/orders/status/${randomUUID()}` }, ok: 404 },
  { name: 'find', scope: 'orders:read', call: { path: `/api/v1/orders/${randomUUID()}` }, ok: 404 },
  { name: 'activity', scope: 'reports:read', call: { path: '/api/v1/reports/teams/activity' }, ok: 200 },
  { name: 'members', scope: 'directory:read', call: { path: '/api/v1/members' }, ok: 200 },
  { name: 'shoutouts', scope: 'recognition:read', call: { path: '/api/v1/shoutouts' }, ok: 200 },
  { name: 'reasons', scope: 'recognition:manage', call: { path: '/api/v1/reasons/999', method: 'DELETE' }, ok: 404 },
  { name: 'last', scope: 'reports:read', call: { path: '/api/v1/reports/members/last-recognized' }, ok: 200 },
] as const;
type Operation = (typeof operations)[number];

function run({ call: { path, ...call } }: Pick<Operation, 'call'>, changes: Call = {}): Promise<Answer> {
  return service.call(path, { ...call, ...changes });
}

function assertProblem({ status, body }: Answer, expected: number, type: string): void {
  assert.equal(status, expected, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ['status', 'message', 'type']);
  assert.equal(body.status, expected);
  assert.equal(body.type, type);
  assert.equal(typeof body.message, 'string');
  assert.doesNotMatch(String(body.message), /gw_(test|live)_\w/, 'no secret');
}

function assertUnauthenticated(answer: Answer): void {
  assertProblem(answer, 401, 'security_error');
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
}

const status = (token: string, on = service) =>
  on.call(`/api/v1/orders/status/${randomUUID()}`, { token, workspace: service.workspaceId });
const endsOn = (token: string, on = service) =>
  eventually(
    () => status(token, on),
    (answer) => answer.status === 401,
  );

const expireNow = (id: number) =>
  service.database.transaction(async (tx) => {
    await tx.query('update api_tokens set expires_at = now() where id = $1', [id]);
    await announceGrantChange(tx);
  });
const expiryOf = async (id: number) =>
  (await listTokens(service.database)).find((token) => token.id === id)?.expiresAt?.getTime() ?? null;

test('a missing or wrong credential is a 401 on every operation', async () => {
  const { token } = service;
  const wrongChecksum = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  const credentials = [
    'Bearer',
    'Bearer ',
    token,
    `Bearer${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
    `Bearer ${wrongChecksum}`,
    `Bearer ${token.toLowerCase()}`,
    `Bearer ${makeSecret('test')}`,
    `Bearer ${makeSecret('production')}`,
    `Bearer ${token.replace('gw_test_', 'gw_live_')}`,
    `Basic ${Buffer.from(`user:${token}`).toString('base64')}`,
    `Token ${token}`,
    `Digest username="${token}"`,
    "Bearer ' or 1=1 --",
    `Bearer ${'x'.repeat(8_000)}`,
    'Bearer \u00ff\u00fe',
  ];
  for (const operation of operations) {
    assertUnauthenticated(await run(operation, { token: null }));
    for (const Authorization of credentials)
      assertUnauthenticated(await run(operation, { token: null, headers: { Authorization } }));
  }
});

test('the scheme is Bearer in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal((await run(operations[3], { headers: { Authorization: `${scheme} ${service.token}` } })).status, 200);
});

test('a token in the query or in a cookie is no credential', async () => {
  const path = `/api/v1/reports/teams/activity?access_token=${service.token}`;
  assertUnauthenticated(await service.call(path, { token: null, headers: { Cookie: `token=${service.token}` } }));
});

test('a token with any one character changed is a 401', async () => {
  const printable = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code < 0x7f || code > 0xa0);
  const position = fc.nat(service.token.length - 1);
  await fc.assert(
    fc.asyncProperty(position, printable, async (at, code) => {
      const changed = service.token.slice(0, at) + String.fromCharCode(code) + service.token.slice(at + 1);
      fc.pre(changed !== service.token);
      assertUnauthenticated(await status(changed));
    }),
    { numRuns: runs(200) },
  );
  await fc.assert(
    fc.asyncProperty(position, async (at) =>
      assertUnauthenticated(await status(service.token.slice(0, at) + service.token.slice(at + 1))),
    ),
    { numRuns: runs(30) },
  );
});

test('an expired token is a 401, also one that expires while it is in use', async () => {
  const expired = await service.addToken({ lastsMs: -1 });
  assertUnauthenticated(await status(expired.token));
  const expiring = await service.addToken({ lastsMs: 60_000 });
  assert.equal((await status(expiring.token)).status, 404);
  await expireNow(expiring.id);
  assertUnauthenticated(await endsOn(expiring.token));
});

test('a revoked token stops working on every node', async () => {
  const { id, token } = await service.addToken();
  for (const node of [service, neighbour]) assert.equal((await status(token, node)).status, 404);
  await service.database.transaction((tx) => revokeToken(tx, theService, id));
  await Promise.all([service, neighbour].map(async (node) => assertUnauthenticated(await endsOn(token, node))));
});

test('a node whose clock is slow refuses a revoked token', async (context) => {
  const { id, token } = await service.addToken();
  await service.database.transaction((tx) => revokeToken(tx, theService, id));
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
  assertUnauthenticated(await endsOn(token, service));
});

test('rotating a token gives it a new secret with the same rights, and the old secret stops working', async () => {
  const other = await service.addWorkspace();
  const old = await service.addToken({ scopes: ['orders:read'], workspaces: [service.workspaceId, other] });
  const rotated = await service.database.transaction((tx) => rotateToken(tx, theService, 'test', old.id, 0));
  assert.notEqual(rotated.token, old.token);
  await endsOn(old.token);
  for (const workspace of [service.workspaceId, other]) {
    assert.equal((await run(operations[1], { token: rotated.token, workspace })).status, 404);
    assert.equal((await run(operations[0], { token: rotated.token, workspace })).status, 403);
  }
  await assert.rejects(service.database.transaction((tx) => rotateToken(tx, theService, 'test', old.id, 0)));
});

test('with an overlap both secrets work, until the old one expires', async () => {
  const old = await service.addToken();
  const earliest = Date.now() + 60_000;
  const rotated = await service.database.transaction((tx) => rotateToken(tx, theService, 'test', old.id, 60_000));
  for (const { token } of [old, rotated]) assert.equal((await status(token)).status, 404);
  const expiry = (await expiryOf(old.id)) ?? 0;
  assert.ok(expiry >= earliest && expiry <= Date.now() + 60_000);
  assert.equal(await expiryOf(rotated.id), null);
  await expireNow(old.id);
  await endsOn(old.token);
  assert.equal((await status(rotated.token)).status, 404);
});

test('a token that is rotated again during an overlap gets its lifetime again, and both old secrets end', async () => {
  const rotate = (id: number) => service.database.transaction((tx) => rotateToken(tx, theService, 'test', id, 60_000));
  const endless = await service.addToken();
  await rotate(endless.id);
  assert.equal((await rotate(endless.id)).expiresAt, null);
  const day = 86_400_000;
  const daily = await service.addToken({ lastsMs: day });
  await rotate(daily.id);
  const before = Date.now();
  const { expiresAt } = await rotate(daily.id);
  assert.ok(Number(expiresAt) >= before + day, String(expiresAt));
  assert.ok(((await expiryOf(daily.id)) ?? day * 1e6) <= Date.now() + 60_000);
});

test('an overlap never prolongs a token, nor an overlap before it', async () => {
  const rotate = (id: number, overlapMs: number) =>
    service.database.transaction((tx) => rotateToken(tx, theService, 'test', id, overlapMs));
  const old = await service.addToken({ lastsMs: 60_000 });
  const expiresAt = await expiryOf(old.id);
  await rotate(old.id, 3_600_000);
  assert.equal(await expiryOf(old.id), expiresAt);
  const endless = await service.addToken();
  await rotate(endless.id, 60_000);
  const overlapEnds = await expiryOf(endless.id);
  await rotate(endless.id, 3_600_000);
  assert.equal(await expiryOf(endless.id), overlapEnds);
});

test('X-Workspace-id is mandatory and a positive integer', async () => {
  for (const operation of operations) {
    const missing = await run(operation, { workspace: null });
    assertProblem(missing, 400, 'invalid_field');
    assert.match(String(missing.body.message), /X-Workspace-id is required/);
    for (const workspace of [
      '',
      '0',
      '00',
      '-1',
      '+1',
      '1.0',
      '1.5',
      '1e0',
      '0x1',
      'one',
      '1 1',
      '1,1',
      '１',
      'null',
    ]) {
      const headers = { 'X-Workspace-id': Buffer.from(workspace).toString('latin1') };
      const answer = await run(operation, { headers });
      assertProblem(answer, 400, 'invalid_field');
      assert.match(String(answer.body.message), /X-Workspace-id must be a positive whole number/);
    }
  }
});

test('a doubled X-Workspace-id is refused, even where both are the same', async () => {
  for (const second of [service.workspaceId, nowhere, '']) {
    const doubled = [`X-Workspace-id: ${service.workspaceId}`, `X-Workspace-id: ${second}`];
    const request = head('GET', operations[3].call.path, `Authorization: Bearer ${service.token}`, ...doubled);
    const { status, headers, text } = await sendRaw(service.url, request);
    assertProblem({ status, headers, body: JSON.parse(text) }, 400, 'invalid_field');
    assert.match(text, /X-Workspace-id/);
  }
});

test('a workspace that does not exist and one that the token may not use get the same 403', async () => {
  const foreign = await service.addWorkspace();
  for (const operation of operations) {
    const answers: unknown[] = [];
    for (const workspace of [foreign, nowhere, '9'.repeat(20), '9'.repeat(400)]) {
      const answer = await run(operation, { workspace });
      assertProblem(answer, 403, 'security_error');
      answers.push(answer.body);
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  }
});

test('each operation requires its own scope and no other', async () => {
  const subsets = [[], ...scopes.flatMap((scope) => [[scope], scopes.filter((other) => other !== scope)])];
  for (const granted of subsets) {
    const { token } = await service.addToken({ scopes: granted });
    for (const operation of operations) {
      const answer = await run(operation, { token });
      if ((granted as string[]).includes(operation.scope))
        assert.equal(answer.status, operation.ok, `${operation.name} ${granted}`);
      else assertProblem(answer, 403, 'security_error');
    }
  }
});

test('checks come in order: route, credential, workspace header, right, input, existence', async () => {
  const { token: powerless } = await service.addToken({ scopes: [] });
  const id = randomUUID();
  const worst = [
    { path: '/api/v1/orders', method: 'POST', body: '{"broken', fixed: null },
    { path: '/api/v1/orders', method: 'POST', body: '<x/>', headers: { 'Content-Type': 'text/xml' }, fixed: null },
    { path: '/api/v1/orders', method: 'POST', body: anOrder({ currency: 5 }), fixed: null },
    { path: '/api/v1/orders/status/no-uuid', fixed: `/api/v1/orders/status/${id}` },
    { path: '/api/v1/orders/no-uuid', fixed: `/api/v1/orders/${id}` },
    { path: `/api/v1/orders/${id}?size=0`, fixed: `/api/v1/orders/${id}` },
    { path: '/api/v1/reports/teams/activity?page=-1', fixed: null },
    { path: '/api/v1/reports/members/last-recognized?size=x', fixed: null },
  ];
  for (const { path, fixed, ...call } of worst) {
    const unknown = `${path.split('?')[0]}/and/more?page=x`;
    assert.equal((await service.call(unknown, { ...call, token: null, workspace: null })).status, 404);
    assert.equal((await service.call(path, { ...call, method: 'DELETE', token: null, workspace: null })).status, 405);
    assert.equal((await service.call(path, { ...call, token: null, workspace: null })).status, 401);
    assert.equal((await service.call(path, { ...call, token: makeSecret('test'), workspace: 'x' })).status, 401);
    const noWorkspace = await service.call(path, { ...call, token: powerless, workspace: null });
    assert.equal(noWorkspace.status, 400);
    assert.match(String(noWorkspace.body.message), /X-Workspace-id/);
    assert.equal((await service.call(path, { ...call, workspace: nowhere })).status, 403);
    assert.equal((await service.call(path, { ...call, token: powerless })).status, 403);
    assert.ok([400, 415].includes((await service.call(path, call)).status));
    if (fixed) assert.equal((await service.call(fixed, call)).status, 404);
  }
});

test('a token for two workspaces works in both, and keeps their data apart', async () => {
  const one = await service.addWorkspace({ name: 'One' });
  const two = await service.addWorkspace({ name: 'Two' });
  const { token } = await service.addToken({ name: null, workspaces: [one, two] });
  for (const [workspace, other, name] of [
    [one, two, 'One'],
    [two, one, 'Two'],
  ] as const) {
    const { body } = await run(operations[0], { token, workspace });
    const path = `/api/v1/orders/${body.requestId}`;
    const found = await eventually(
      () => service.call<{ state: string; certificates: { senderName: string }[] }>(path, { token, workspace }),
      (answer) => answer.body.state === 'COMPLETED',
    );
    assert.deepEqual(
      found.body.certificates.map(({ senderName }) => senderName),
      [name],
    );
    assert.equal((await service.call(path, { token, workspace: other })).status, 404);
  }
  assert.equal((await run(operations[0], { token })).status, 403);
});

test("another workspace's order is the same 404 as one that does not exist", async () => {
  const foreign = await service.addWorkspace();
  const { token } = await service.addToken({ workspaces: [foreign] });
  const { requestId } = (await service.create(anOrder())).body;
  await service.finished(requestId);
  for (const path of ['/api/v1/orders/status/', '/api/v1/orders/']) {
    const theirs = await service.call(path + requestId, { token, workspace: foreign });
    const nobodys = await service.call(path + randomUUID(), { token, workspace: foreign });
    assertProblem(theirs, 404, 'invalid_field');
    assert.deepEqual(theirs.body, nobodys.body);
    assert.deepEqual([...theirs.headers.keys()].sort(), [...nobodys.headers.keys()].sort());
  }
});

test('a token over its rate limit gets a 429 with Retry-After, and other tokens are not slowed down', async () => {
  const { token } = await service.addToken({ rateLimitPerMinute: 3 });
  for (const operation of operations.slice(0, 3)) assert.equal((await run(operation, { token })).status, operation.ok);
  for (const operation of operations) {
    const answer = await run(operation, { token });
    assertProblem(answer, 429, 'security_error');
    const seconds = answer.headers.get('retry-after');
    assert.match(seconds ?? '', /^[1-9]\d?$/);
    assert.ok(Number(seconds) <= 60);
  }
  assert.equal((await run(operations[3])).status, 200);
});

test('every response to a token with a rate limit says what is left of it, and no other one does', async () => {
  const { token } = await service.addToken({ rateLimitPerMinute: 3, scopes: ['orders:read'] });
  const left = async (path: string, call: Call = {}) => {
    const { status, headers } = await service.call(path, { token, ...call });
    const reset = Number(headers.get('RateLimit-Reset'));
    assert.ok(reset > 0 && reset <= 60, `RateLimit-Reset is ${reset}`);
    return [status, headers.get('RateLimit-Limit'), headers.get('RateLimit-Remaining')];
  };
  assert.deepEqual(await left('/api/v1/members'), [403, '3', '3']);
  assert.deepEqual(await left('/api/v1/orders', { workspace: null }), [400, '3', '3']);
  assert.deepEqual(await left('/api/v1/orders'), [200, '3', '2']);
  assert.deepEqual(await left('/api/v1/orders?size=0'), [400, '3', '1']);
  assert.deepEqual(await left(`/api/v1/orders/${randomUUID()}`), [404, '3', '0']);
  assert.deepEqual(await left('/api/v1/orders'), [429, '3', '0']);
  assert.deepEqual(await left('/api/v1/members'), [403, '3', '0']);
  assert.equal((await service.call('/api/v1/orders')).headers.get('RateLimit-Limit'), null);
});

test('secrets are stored as hashes only, and never logged', async () => {
  const tokens = [service.token, (await service.addToken()).token];
  const rotated = await service.addToken();
  tokens.push(
    rotated.token,
    (await service.database.transaction((tx) => rotateToken(tx, theService, 'test', rotated.id, 0))).token,
  );
  for (const token of tokens) {
    await status(token);
    await service.call(`/api/v1/orders/${token}?token=${token}`, { token });
    await service.call(`/${token}`, { token });
  }
  const kept = { database: await dumpTables(service.database), log: JSON.stringify(service.logLines()) };
  assert.match(kept.database, /Payroll/);
  assert.match(kept.log, /answered/);
  for (const token of tokens) {
    const random = token.slice('gw_test_'.length);
    for (const part of [random, random.slice(0, 12), Buffer.from(token).toString('hex'), btoa(random)])
      for (const [where, text] of Object.entries(kept)) assert.ok(!text.includes(part), `a token is in the ${where}`);
  }
});

test('of several rotations of a token at once, one gives it a new secret and the others are told that it has ended', async () => {
  const { id } = await service.addToken();
  const rotations = await Promise.all(
    Array.from({ length: 5 }, () => service.call(`/api/v1/tokens/${id}/rotate`, { method: 'POST' })),
  );
  const [done, ...refused] = rotations.sort((one, other) => one.status - other.status);
  assert.equal(done?.status, 200);
  for (const answer of refused) assert.match(refusal(answer, 409), /has ended: make a new one/);
});
