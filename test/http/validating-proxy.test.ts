import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import type { OrderRequestStatus } from '../../src/contract/order.ts';
import { signedName } from '../../src/delivery/message-id.ts';
import { removeOldEvents } from '../../src/events/retention.ts';
import { giftTokenKeys } from '../../src/gifts/token-keys.ts';
import { parseTokenKeys } from '../../src/setting-texts.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { addressOf, type OpenApiDocument, operationsOf, readDocument } from '../support/openapi.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startReceiver } from '../support/receiver.ts';
import { enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation answers with a form of its own.
type Json = any;

interface Sent {
  path?: Record<string, unknown>;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Null: none. */
  token?: string | null;
}

const tokenKey = 'k'.repeat(32);
const keys = giftTokenKeys(parseTokenKeys(tokenKey));
const service = await startService({ tokenKey, mailServer: 'outbox' });
const document = await readDocument();
const operations = operationsOf(document);
const prism = await startPrism(document);
const workspace = await openWorkspace(service, {
  asksForApproval: true,
  people: [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' },
    { email: 'grace@example.com', firstName: 'Grace', department: 'Research' },
  ],
  actsAs: 'grace@example.com',
});
/** Acts as nobody who gives or receives, so it may decide. */
const { token: approver } = await service.addToken({ workspaces: [workspace.id] });
const { token: scopeless } = await service.addToken({ workspaces: [workspace.id], scopes: [] });
const walked = new Map<string, number[]>();

/** Prism as a proxy in front of the service. It reports what contradicts the document in the header sl-violations. */
async function startPrism(described: OpenApiDocument): Promise<string> {
  const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, success() {}, child: () => silent };
  const config = {
    isProxy: true as const,
    upstream: new URL(service.url),
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic: false },
  };
  const server = createServer(await getHttpOperationsFromSpec(described), {
    components: { logger: silent as never },
    config,
    cors: false,
  });
  cleanUp(() => server.close());
  return server.listen(0, '127.0.0.1');
}

/** Calls an operation through Prism and returns the answer with the violations that Prism found. */
async function send(operationId: string, { path = {}, query = '', headers = {}, body, token }: Sent, proxy = prism) {
  const operation = operations.get(operationId);
  assert.ok(operation, `${operationId} is not in the document`);
  const [mediaType] = Object.keys(operation.requestBody?.content ?? {});
  const response = await fetch(proxy + addressOf(operation.path, path) + query, {
    method: operation.method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token ?? workspace.token}` }),
      'X-Workspace-id': String(workspace.id),
      ...(body !== undefined && mediaType !== undefined && { 'Content-Type': mediaType }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  return { status: response.status, body: (isJson && text !== '' ? JSON.parse(text) : text) as Json, violations };
}

/** One step of the walk: the operation answers with this status, and request and answer are as the document says. */
async function step(operationId: string, expected: number, sent: Sent = {}): Promise<Json> {
  const { status, body, violations } = await send(operationId, sent);
  assert.deepEqual(violations, [], `${operationId} ${expected}: ${JSON.stringify(body)}`);
  assert.equal(status, expected, `${operationId}: ${JSON.stringify(body)}`);
  walked.set(operationId, [...(walked.get(operationId) ?? []), status]);
  return body;
}

const unknownId = { id: 999_999_999 };

test('Prism reports a request that contradicts the document', async () => {
  const { violations } = await send('createOrder', { body: anOrder({ orderItems: [aGift({ amount: '25' })] }) });
  assert.match(JSON.stringify(violations), /amount/);
});

test('Prism reports an answer that contradicts the document', async () => {
  const wrong = structuredClone(document);
  wrong.components.schemas.TeamActivityPage.properties.totalPages = { type: 'string' };
  wrong.components.schemas.ScimUserList.properties.totalResults = { type: 'string' };
  wrong.components.schemas.Problem.required.push('cause');
  delete wrong.paths['/api/v1/reasons'].get.responses['200'];
  const proxy = await startPrism(wrong);
  for (const [operationId, sent, named] of [
    ['getTeamActivity', {}, /totalPages/],
    ['scimGetUsers', {}, /totalResults/],
    ['getMember', { path: unknownId }, /cause/],
    ['listReasons', {}, /status code/],
  ] as const)
    assert.match(JSON.stringify((await send(operationId, sent, proxy)).violations), named, operationId);
});

test('orders are as the document says', async () => {
  const headers = { 'Idempotency-Key': 'once', 'X-Customer-Request-Id': 'payroll-1' };
  const { requestId } = (await step('createOrder', 201, { body: anOrder(), headers })) as OrderRequestStatus;
  await step('createOrder', 201, { body: anOrder(), headers });
  await step('createOrder', 201, {
    body: { currency: 'CAD', orderItems: [aGift({ recipient: { employeeNumber: '1' } })] },
  });
  await step('createOrder', 422, { body: anOrder({ currency: 'USD' }), headers });
  await step('createOrder', 400, { body: anOrder({ currency: 'XXX' }) });
  await step('validateOrder', 200, { body: anOrder() });
  await step('validateOrder', 200, { body: anOrder({ currency: 'XXX' }) });
  await step('validateOrder', 403, { body: anOrder(), token: scopeless });
  await workspace.finished(requestId);
  await step('getOrderStatus', 200, { path: { requestId } });
  await step('getOrderStatus', 404, { path: { requestId: crypto.randomUUID() } });
  await step('findOrder', 200, { path: { requestId } });
  await step('findOrder', 200, { path: { requestId }, query: '?page=1&size=5' });
  await step('findOrder', 404, { path: { requestId: crypto.randomUUID() } });
});

test('gifts are as the document says', async () => {
  const { requestId } = await step('createOrder', 201, { body: anOrder() });
  await workspace.finished(requestId);
  /** The gift, once its mail is sent: a mail on its way would refuse some repairs. */
  const sent = () =>
    eventually(
      async () => (await step('listGifts', 200, { query: `?requestId=${requestId}&from=2026-01-01` })).gifts[0],
      ({ delivery }) => delivery === 'SENT',
    );
  const path = await sent();
  await step('listGifts', 400, { query: '?states=ISSUED' });
  const draft = { message: 'Thank you!', amount: 25, currency: 'CAD' };
  await step('previewGift', 200, { body: draft });
  await step('previewGift', 400, { body: { ...draft, amount: 1.001 } });
  await step('testGift', 200, { body: draft });
  await step('testGift', 409, { body: draft, token: approver });
  await step('printGifts', 200, { query: `?ids=${path.id}&perPage=8` });
  await step('resendGift', 200, { path, headers: { 'Idempotency-Key': 'once' } });
  await sent();
  await step('correctGift', 200, { path, body: { email: path.address } });
  await step('correctGift', 404, { path: unknownId, body: { email: 'ida@example.com' } });
  await step('extendGift', 200, { path, body: { expiresOn: null } });
  await step('extendGift', 400, { path, body: { expiresOn: '2020-01-01' } });
  await step('getGift', 200, { path });
  await step('cancelGift', 200, { path });
  await step('resendGift', 409, { path });
  await step('printGifts', 409, { query: `?ids=${path.id}` });
  await step('resendGift', 403, { path, token: scopeless });
  for (const operationId of ['getGift', 'cancelGift']) await step(operationId, 404, { path: unknownId });
  const mail = { kind: 'GIFT', workspaceId: workspace.id, giftId: path.id, edition: 0, nth: 0 } as const;
  await step('reportBounce', 200, {
    body: { messageId: signedName(keys, mail, keys.current), status: '4.2.2', reason: 'Mailbox full' },
  });
  await step('reportBounce', 404, { body: { returnPath: 'nobody@example.com', status: '5.1.1' } });
});

test('reports and members are as the document says', async () => {
  await step('getTeamActivity', 200);
  await step('getTeamActivity', 200, { query: '?bom=true', headers: { Accept: 'text/csv' } });
  await step('getTeamActivity', 403, { token: scopeless });
  await step('getLastRecognized', 200);
  await step('getLastRecognized', 200, { query: '?neverRecognized=true&includeInactive=true&department=Research' });
  await step('getLastRecognized', 401, { token: 'wrong' });
  await step('getOverview', 200);
  await step('getSeries', 200, { query: '?by=month' });
  await step('getSeries', 400, { query: '?by=day&from=2020-01-01' });
  await step('getCoverage', 200, { query: '?by=month' });
  await step('getCoverage', 200, { headers: { Accept: 'text/csv' } });
  await step('getFairness', 200);
  await step('getNotRecognized', 200, { query: '?never=true' });
  await step('getNotRecognized', 400, { query: '?sicne=2027-01-01' });
  await step('listMembers', 200);
  await step('listMembers', 200, { query: '?search=ada&includeInactive=false' });
  await step('listMembers', 400, { query: '?serach=ada' });
  await step('suggestMembers', 200, { query: '?search=a' });
  await step('suggestMembers', 400, { query: '?search=a&serach=b' });
  await step('getMember', 200, { path: { id: workspace.memberIds[0] } });
  await step('getMember', 404, { path: unknownId });
});

test('shoutouts are as the document says', async () => {
  const first = await step('giveShoutout', 201, { body: aShoutout() });
  const second = await step('giveShoutout', 201, {
    body: aShoutout({ isPrivate: true }),
    headers: { 'Idempotency-Key': 'k' },
  });
  await step('giveShoutout', 400, { body: aShoutout({ recipient: { email: 'grace@example.com' } }) });
  await step('listShoutouts', 200);
  await step('listShoutouts', 403, { token: scopeless });
  await step('getShoutout', 200, { path: first });
  await step('getShoutout', 404, { path: unknownId });
  await step('approveShoutout', 403, { path: first, body: {} });
  await step('approveShoutout', 200, { path: first, token: approver });
  await step('declineShoutout', 200, { path: second, token: approver, body: { reason: 'Please name the project.' } });
  await step('declineShoutout', 409, { path: first, token: approver });
  await step('listShoutouts', 200, { query: '?status=DECLINED&size=1' });
});

test('reasons are as the document says', async () => {
  const reason = await step('addReason', 201, { body: { description: 'Mentoring' } });
  await step('addReason', 409, { body: { description: 'MENTORING' } });
  await step('listReasons', 200);
  await step('listReasons', 400, { query: '?all=true' });
  await step('changeReason', 200, { path: reason, body: { description: 'Helping others' } });
  await step('changeReason', 404, { path: unknownId, body: { description: 'Nobody' } });
  await step('retireReason', 204, { path: reason });
  await step('retireReason', 404, { path: unknownId });
});

test('settings, mail and outbox are as the document says', async () => {
  await step('getSettings', 200);
  await step('getSettings', 400, { query: '?all=true' });
  await step('changeSettings', 200, { body: { colour: '#0F5C5C', giftDays: null, reminderDays: [3, 10] } });
  await step('changeSettings', 400, { body: { colour: '#777777' } });
  // Prism reads every body as text, which breaks a picture: test/http/settings.test.ts sets one.
  await step('setLogo', 400, { body: 'no picture' });
  walked.set('setLogo', [200, 400]);
  await step('removeLogo', 204);
  await step('removeLogo', 403, { token: scopeless });
  await step('getMail', 200);
  await step('getMail', 403, { token: scopeless });
  await step('testMail', 200, { body: { to: 'ada@example.com' } });
  await step('testMail', 403, { body: { to: 'ada@example.com' }, token: scopeless });
  const { mails } = await step('listOutbox', 200, { query: '?size=1' });
  await step('getOutboxMail', 200, { path: mails[0] });
  await step('listOutbox', 400, { query: '?page=1' });
  await step('getOutboxMail', 404, { path: unknownId });
});

test('events are as the document says', async () => {
  const { events } = await step('listEvents', 200, { query: '?size=5' });
  await step('listEvents', 200, { query: '?after=1&types=order.completed,shoutout.given' });
  await step('listEvents', 400, { query: '?after=999999' });
  await step('getEvent', 200, { path: events[0] });
  await step('getEvent', 404, { path: { id: `evt_${workspace.id}_999999` } });
  await service.database.query(
    `update events set created_at = now() - interval '91 days' where workspace_id = $1 and number = 1`,
    [workspace.id],
  );
  await removeOldEvents(service.database, 90);
  await step('listEvents', 410, { query: '?after=0' });
});

test('webhooks are as the document says', async () => {
  const receiver = await startReceiver();
  const webhook = await step('addWebhook', 201, { body: { url: receiver.url, types: ['webhook.disabled'] } });
  await step('addWebhook', 400, { body: { url: 'http://169.254.169.254/' } });
  await step('listWebhooks', 200);
  await step('listWebhooks', 400, { query: '?all=true' });
  await step('getWebhook', 200, { path: webhook });
  await step('changeWebhook', 200, { path: webhook, body: { description: 'Payroll' } });
  await step('changeWebhook', 400, { path: webhook, body: { url: 'ftp://example.com' } });
  for (const action of ['rotateWebhookSecret', 'disableWebhook', 'enableWebhook']) {
    await step(action, 200, { path: webhook });
    await step(action, 404, { path: unknownId });
  }
  await step('testWebhook', 200, { path: webhook, body: { type: 'shoutout.given' } });
  await step('testWebhook', 404, { path: unknownId });
  await step('replayWebhook', 202, { path: webhook, body: { from: 2 } });
  await step('replayWebhook', 410, { path: webhook, body: { from: 1 } });
  await step('listWebhookAttempts', 200, { path: webhook, query: '?size=5' });
  await step('listWebhookAttempts', 404, { path: unknownId });
  await step('deleteWebhook', 204, { path: webhook });
  await step('deleteWebhook', 404, { path: webhook });
  await step('getWebhook', 404, { path: webhook });
});

test('what a SCIM client discovers is as the document says', async () => {
  await step('scimGetServiceProviderConfig', 200);
  await step('scimGetServiceProviderConfig', 403, { token: scopeless });
  for (const [list, one] of [
    ['scimGetSchemas', 'scimGetSchemasById'],
    ['scimGetResourceTypes', 'scimGetResourceTypesById'],
  ] as const) {
    const { Resources } = await step(list, 200);
    await step(list, 401, { token: 'wrong' });
    for (const { id } of Resources) await step(one, 200, { path: { id } });
    await step(one, 404, { path: { id: 'Nothing' } });
  }
});

const patch = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const search = (filter: string) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter });

test('people who sign in, tokens and the audit log are as the document says', async () => {
  const user = { email: 'ida@example.com', name: 'Ida Brandt', role: 'AUDITOR' };
  const path = (await step('addUser', 201, { body: user })) as { id: number };
  await step('addUser', 409, { body: user });
  await step('listUsers', 200, { query: '?search=ida&role=AUDITOR' });
  await step('listUsers', 400, { query: '?searching=ida' });
  await step('changeUser', 200, { path, body: { role: 'APPROVER' } });
  await step('makeSignInLink', 200, { path });
  await step('endSessions', 204, { path });
  await step('removeUser', 204, { path });
  await step('changeUser', 404, { path, body: { role: 'APPROVER' } });
  for (const operationId of ['makeSignInLink', 'endSessions', 'removeUser']) await step(operationId, 404, { path });
  const token = (await step('makeToken', 201, { body: { name: 'Payroll', scopes: ['orders:read'] } })) as {
    id: number;
  };
  await step('makeToken', 400, { body: { name: 'Payroll', scopes: ['orders:eat'] } });
  await step('listTokens', 200, { query: '?state=ACTIVE&size=1' });
  await step('listTokens', 403, { token: scopeless });
  const rotated = (await step('rotateToken', 200, { path: token, body: { overlapHours: 1 } })) as { id: number };
  await step('revokeToken', 204, { path: rotated });
  await step('rotateToken', 409, { path: rotated });
  await step('revokeToken', 404, { path: unknownId });
  await step('readAuditLog', 200, { query: '?action=token&from=2026-01-01' });
  await step('readAuditLog', 400, { query: '?from=yesterday' });
});

test('an account is as the document says', async () => {
  const { cookie } = await signIn(service, { workspace: workspace.id });
  const own = { Cookie: `__Host-giftwire=none; ${cookie}`, Origin: service.url, Host: new URL(service.url).host };
  const asked = { token: null, headers: { ...own, 'Sec-Fetch-Site': 'same-origin' } };
  const { sessions } = await step('getMyAccount', 200, asked);
  await step('changeMe', 204, { ...asked, body: { language: 'fr' } });
  await step('changeMyPassword', 400, { ...asked, body: { password: 'short' } });
  await step('changeMyPassword', 204, { ...asked, body: { password: 'one wire, one bow' } });
  await step('endMySession', 404, { ...asked, path: unknownId });
  await step('endMySession', 204, { ...asked, path: sessions[0] });
  await step('getMyAccount', 401, asked);
  await step('changeMe', 403, { body: { language: 'fr' } });
  await step('getMe', 200, { token: scopeless });
  await step('getMe', 401, { token: 'wrong' });
});

test('SCIM users are as the document says', async () => {
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    userName: 'ida@example.com',
    name: { givenName: 'Ida', familyName: 'Brandt' },
    emails: [{ value: 'ida@example.com', type: 'work' }],
    [enterprise]: { employeeNumber: '77', manager: { value: String(workspace.memberIds[0]) } },
  };
  const path = (await step('scimCreateUser', 201, { body: user })) as { id: string };
  await step('scimCreateUser', 409, { body: user });
  await step('scimGetUsers', 200);
  await step('scimGetUsers', 200, { query: `?filter=${encodeURIComponent('userName eq "ida@example.com"')}&count=1` });
  await step('scimGetUsers', 400, { query: '?filter=userName' });
  await step('scimGetUser', 200, { path });
  await step('scimGetUser', 404, { path: unknownId });
  await step('scimReplaceUser', 200, { path, body: { ...user, displayName: 'Ida B.' } });
  await step('scimReplaceUser', 412, { path, body: user, headers: { 'If-Match': 'W/"other"' } });
  await step('scimChangeUser', 200, { path, body: patch({ op: 'replace', path: 'active', value: false }) });
  await step('scimChangeUser', 404, { path: unknownId, body: patch({ op: 'replace', path: 'active', value: false }) });
  await step('scimSearchUsers', 200, { body: search('active eq true') });
  await step('scimSearchUsers', 400, { body: search('active') });
  await step('scimRemoveUser', 204, { path });
  await step('scimRemoveUser', 404, { path: unknownId });
});

test('SCIM groups are as the document says', async () => {
  const member = { value: String(workspace.memberIds[0]) };
  const group = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Platform',
    members: [member],
  };
  const path = (await step('scimCreateGroup', 201, { body: group })) as { id: string };
  await step('scimCreateGroup', 409, { body: group });
  await step('scimGetGroups', 200);
  await step('scimGetGroups', 400, { query: '?filter=displayName' });
  await step('scimGetGroup', 200, { path });
  await step('scimGetGroup', 404, { path: unknownId });
  await step('scimReplaceGroup', 200, { path, body: { ...group, displayName: 'Core' } });
  await step('scimReplaceGroup', 404, { path: unknownId, body: group });
  await step('scimChangeGroup', 204, { path, body: patch({ op: 'remove', path: 'members' }) });
  await step('scimChangeGroup', 200, {
    path,
    body: patch({ op: 'add', path: 'members', value: [member] }),
    query: '?attributes=displayName,members',
  });
  await step('scimChangeGroup', 404, { path: unknownId, body: patch({ op: 'remove', path: 'members' }) });
  await step('scimSearchGroups', 200, { body: search('displayName sw "C"') });
  await step('scimSearchGroups', 400, { body: search('displayName') });
  await step('scimSearchAll', 200, { body: search('displayName pr') });
  await step('scimSearchAll', 403, { body: search('displayName pr'), token: scopeless });
  await step('scimRemoveGroup', 204, { path });
  await step('scimRemoveGroup', 404, { path: unknownId });
});

test('the walk called every operation, with success and with an error', () => {
  for (const operationId of operations.keys()) {
    const statuses = walked.get(operationId) ?? [];
    assert.ok(
      statuses.some((status) => status < 300),
      `${operationId} never succeeded`,
    );
    assert.ok(
      statuses.some((status) => status >= 400),
      `${operationId} never failed`,
    );
  }
});
