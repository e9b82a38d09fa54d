import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { readActions } from '../../src/company/access/read-traces.ts';
import { setRule } from '../support/approvals.ts';
import { anAutomation } from '../support/automations.ts';
import { aboutOneMember } from '../support/erasure-walk.ts';
import { eventually } from '../support/eventually.ts';
import { tryRecognition } from '../support/examples-of-recognition.ts';
import { addressOf, type Operation, operationsOf, readDocument, resolve } from '../support/openapi.ts';
import { anOrder } from '../support/orders.ts';
import { type Answer, type Call, startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation answers with a form of its own.
type Json = any;

const demoWorkspace = 1;
const service = await startService({ demo: true, mailServer: 'outbox' });
const { token } = await service.addToken({ workspaces: [demoWorkspace] });
const document = await readDocument();
const operations = operationsOf(document);
const tried = new Set<string>();

/** Sends what the reference page has filled in. Ids that have no example are those that a reader types. */
async function attempt(operationId: string, typed: Record<string, unknown> = {}, chosen = {}): Promise<Json> {
  const operation = operations.get(operationId) as Operation;
  const filled = operation.parameters.map((one) => ({ ...one, value: one.example ?? one.schema.default }));
  const inPlace = (place: string) =>
    Object.fromEntries(
      filled.flatMap(({ in: where, name, value }) => (where === place && value !== undefined ? [[name, value]] : [])),
    );
  const [[mediaType = '', { schema, example: own }] = ['', { schema: null, example: null }]] = Object.entries(
    operation.requestBody?.content ?? {},
  );
  const example = own ?? resolve(document, schema)?.examples?.[0];

  const query = new URLSearchParams({ ...inPlace('query'), ...chosen }).toString();
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const address = `${addressOf(operation.path, { ...inPlace('path'), ...typed })}?${query}`;
  const call = {
    method: operation.method,
    token,
    workspace: null,
    headers: {
      ...inPlace('header'),
      ...(mediaType && { 'Content-Type': mediaType }),
      ...(takesKey && { 'Idempotency-Key': randomUUID() }),
    },
    ...(schema && { body: example ?? {} }),
  };
  const first = await service.call<Json>(address, call);
  const { status, body } = first;
  if (takesKey && status < 300) await repeat(operationId, address, call, first);
  const answer = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : body;
  assert.ok(status >= 200 && status < 300, `${operationId}: ${status} ${JSON.stringify(answer)}`);
  tried.add(operationId);
  return answer;
}

/** The examples name what is not there, or what this caller may not do. */
async function attemptInVain(operationIds: readonly string[], reason: RegExp, typed = {}): Promise<void> {
  for (const operationId of operationIds) {
    await assert.rejects(attempt(operationId, typed), reason);
    tried.add(operationId);
  }
}

/** What keeps its key itself answers with its record as it is now. */
const withRecords = [
  'createOrder',
  'createBulkAction',
  'giveShoutout',
  'resendGift',
  'grantMoney',
  'withdrawMoney',
  'closePayrollExport',
];
const secrets = new Map<string, string>();

/** Sends a request with its Idempotency-Key once more: the response is the same, and nothing happens. */
async function repeat(operationId: string, address: string, call: Call, first: Answer<Json>): Promise<void> {
  const before = await countAudited();
  const again = await service.call<Json>(address, call);
  assert.equal(await countAudited(), before, `${operationId} was carried out twice`);
  const { secret = first.body.token ?? first.body.link ?? first.body.code } = first.body;
  if (secret !== undefined) {
    assert.equal(again.status, 409, operationId);
    assert.match(again.body.message, /had a secret, which is not stored/);
    secrets.set(operationId, secret);
    return;
  }
  assert.equal(again.status, first.status, `${operationId}: ${JSON.stringify(again.body)}`);
  assert.equal(again.headers.get('Idempotent-Replayed'), 'true', operationId);
  if (!withRecords.includes(operationId)) assert.deepEqual(again.body, first.body, operationId);
}

/** Without reads: their entries are written once a minute, and so during any request. */
async function countAudited(): Promise<number> {
  const [found] = await service.database.query<{ count: number }>(
    `select count(*) from audit_log where action <> all ($1)`,
    // A worker ends bulk actions while other operations are tried.
    [[...readActions, 'bulk_action.completed']],
  );
  return found?.count as number;
}

test('the reference page sends no Idempotency-Key that nobody typed', () => {
  const keys = [...operations.values()].flatMap(({ parameters }) =>
    parameters.filter(({ name }) => name === 'Idempotency-Key'),
  );
  assert.ok(keys.length > 0);
  for (const { example, schema } of keys)
    assert.deepEqual([example, schema.default, schema.examples], [undefined, undefined, undefined]);
});

test('the examples of the API work in the demo company', async () => {
  assert.equal((await attempt('validateOrder')).valid, true);
  const { requestId } = await attempt('createOrder');
  assert.notEqual((await attempt('createOrder')).requestId, requestId);
  await attempt('getOrderStatus', { requestId });
  await attempt('findOrder', { requestId });
  assert.ok((await attempt('listOrders')).orders.length > 0);
  await attempt('getOrderDetails', { requestId });
  await attemptInVain(['retryOrder'], /409 .*has not failed/, { requestId });
  assert.ok((await attempt('getTeamActivity')).activities.length > 0);
  assert.ok((await attempt('getLastRecognized')).teamMembers.length > 0);
  assert.ok((await attempt('getOverview')).before.people > 0);
  assert.ok((await attempt('getSeries')).points.length > 0);
  assert.ok((await attempt('getCoverage')).groups.length > 0);
  assert.ok((await attempt('getFairness')).managers.length > 0);
  assert.ok((await attempt('getNotRecognized')).members.length > 0);
  assert.ok((await attempt('listMembers')).members.length > 0);
  assert.ok((await attempt('suggestMembers')).members.length > 0);
  for (const id of ['getMember', 'createKioskCode', 'getKioskCode', 'revokeKioskCode']) await attempt(id);
  await attempt('listMemberActivities');
  const member = await attempt('addMember');
  for (const operationId of aboutOneMember) await attempt(operationId, { id: member.id });
  await attempt('listErasures');
  await assert.rejects(attempt('confirmErasure'), /403 .*A token cannot/).then(() => tried.add('confirmErasure'));
  assert.equal((await attempt('importMembers')).added, 1);
  await tryRecognition(attempt, attemptInVain);
  const field = await attempt('addCustomField');
  assert.equal((await attempt('listCustomFields')).customFields.length, 1);
  for (const operationId of ['getCustomField', 'changeCustomField', 'removeCustomField'])
    await attempt(operationId, field);
  const reason = await attempt('addReason');
  assert.ok((await attempt('listReasons')).reasons.length > 1);
  await attempt('changeReason', reason);
  await attempt('retireReason', reason);
  const [{ id: undoable }] = (await attempt('listUndos')).changes;
  await attempt('undo', { id: undoable });
  assert.equal((await attempt('changeSettings')).colour, '#0F5C5C');
  for (const id of ['getSettings', 'changeEmployeeSettings', 'getEmployeeSettings']) await attempt(id);
  for (const id of ['changeRetention', 'getRetention', 'previewRetention']) await attempt(id);
  await attempt('removeLogo');
  // There is no picture that could stand in the document.
  tried.add('setLogo');
  await attempt('getMail');
  assert.equal((await attempt('testMail')).delivery, 'KEPT');
});

test('the examples of gifts work in the demo company', async () => {
  const { requestId } = await attempt('createOrder');
  const { gifts } = await eventually(
    () => attempt('listGifts'),
    (page) => page.gifts.some((gift: Json) => gift.requestId === requestId),
  );
  const gift = gifts.find((one: Json) => one.requestId === requestId);
  // A mail may be on its way: then the sender says so, and to try again.
  for (const operationId of ['getGift', 'resendGift', 'correctGift', 'extendGift', 'cancelGift'])
    await eventually(
      () => attempt(operationId, gift).catch((error: Error) => error),
      (answer) => !(answer instanceof Error && answer.message.includes('at this moment')),
    );
  await attempt('countGifts');
  const bulkAction = await attempt('createBulkAction');
  for (const operationId of ['getBulkAction', 'listBulkGifts']) await attempt(operationId, bulkAction);
  assert.equal((await attempt('listBulkActions')).bulkActions[0].id, bulkAction.id);
  await attempt('listOutbox');
  // The example names the mail of another gift.
  await attemptInVain(['getOutboxMail'], /404 .*There is no email/);
  assert.match((await attempt('previewGift')).mail, /^<!doctype html>/);
  await attemptInVain(['testGift'], /409 .*use the token of a person/);
  // The example names a mail that only its own gift has.
  await attemptInVain(['reportBounce'], /404 .*No email of this workspace has this name/);
  await attempt(
    'printGifts',
    {},
    { ids: gifts.find(({ state, id }: Json) => state === 'ISSUED' && id !== gift.id).id },
  );
});

test('the examples of spending options and redemptions work in the demo company', async () => {
  assert.equal((await attempt('setSpendingOption')).kind, 'PAYROLL');
  assert.ok((await attempt('listSpendingOptions')).spendingOptions.length > 0);
  assert.ok((await attempt('listRedemptions')).redemptions);
  await attemptInVain(
    ['checkGift', 'redeemGift'],
    /404 .*No gift of this workspace has this code|400 .*Idempotency-Key/,
  );
  await attemptInVain(['voidRedemption', 'reverseRedemption'], /404 .*no redemption with this id/);
  const { waiting } = await attempt('listPayrollExports');
  assert.equal((await attempt('previewPayrollExport')).waiting, waiting);
  assert.equal((await attempt('closePayrollExport')).lines, waiting);
  assert.equal((await attempt('getPayrollExport')).number, 1);
  assert.ok((await attempt('getTaxLog')).lines.length > 0);
  assert.ok((await attempt('getTaxTotals')).sums.length > 0);
});

test('the examples of own gifts work for a caller who has none', async () => {
  assert.deepEqual((await attempt('listMyGifts')).gifts, []);
  assert.equal((await attempt('listMySpendingOptions', {}, { currency: 'CAD' })).left, 0);
  await attemptInVain(['getMyGift', 'openMyGift', 'claimMyGift', 'thankForMyGift'], /404 .*You have no gift/);
  await attemptInVain(['getMySpending', 'reverseMySpending', 'sendMyVerificationCode'], /404 .*You have (no|spent)/);
  await attemptInVain(['previewMySpending', 'spendMyGifts'], /402 .*Nothing was spent/);
  await attemptInVain(['readMyGiftCode', 'readMyCard'], /403 .*people who are signed in/);
});

test('the examples of budgets work in the demo company', async () => {
  const budget = await attempt('addBudget');
  const call = { method: 'POST', token, workspace: demoWorkspace };
  const { body: own } = await service.call<Json>('/api/v1/members?employeeNumber=1007', { ...call, method: 'GET' });
  await service.call('/api/v1/budgets', { ...call, body: { currency: 'CAD', memberId: own.members[0].id, amount: 5 } });
  for (const operationId of ['grantMoney', 'withdrawMoney', 'getBudget', 'changeBudget', 'listLedgerEntries'])
    await attempt(operationId, budget);
  await attempt('getLedgerEntry', budget);
  assert.ok((await attempt('listBudgets')).budgets.length > 0);
  await attempt('getWorkspaceBalance');
  await attempt('getMemberBalance');
  assert.equal((await attempt('listMemberBalances')).memberBalanceResponses.length, 2);
  await attempt('closeBudget', budget);
  assert.ok((await attempt('verifyLedger')).entries > 0);
  await attempt('startLedgerVerification');
  await attempt('listLedgerVerifications');
});

test('the examples of requests work in the demo company', async () => {
  const [request] = await service.database.query<Json>(
    `select id from redemptions where workspace_id = $1 and state = 'REQUESTED'`,
    [demoWorkspace],
  );
  assert.equal((await attempt('fulfilSpendingRequest', request)).state, 'DONE');
  await attemptInVain(['declineSpendingRequest'], /409 .*is DONE/, request);
});

test('the examples of pools work in the demo company', async () => {
  const pool = await attempt('addPool');
  for (const operationId of ['getPool', 'changePool']) await attempt(operationId, pool);
  assert.equal((await attempt('addCodes', pool)).added, 1);
  assert.equal((await attempt('removeCodes', pool)).removed, 1);
  assert.ok((await attempt('listPools')).pools.length > 0);
});

test('the examples of events and webhooks work in the demo company', async () => {
  const { events } = await eventually(
    () => attempt('listEvents'),
    ({ latest }) => latest > 0,
  );
  await attempt('getEvent', events[0]);
  const webhook = await attempt('addWebhook');
  assert.ok((await attempt('listWebhooks')).webhooks.length > 0);
  const beforeRotation = 'getWebhook changeWebhook testWebhook replayWebhook listWebhookAttempts';
  const later = 'rotateWebhookSecret disableWebhook enableWebhook deleteWebhook';
  for (const operationId of `${beforeRotation} ${later}`.split(' ')) await attempt(operationId, webhook);
});

test('the examples of people who sign in, tokens and the audit log work in the demo company', async () => {
  const user = await attempt('addUser');
  assert.ok((await attempt('listUsers')).users.length > 1);
  for (const operationId of ['getUser', 'changeUser', 'makeSignInLink', 'endSessions', 'removeUser'])
    await attempt(operationId, user);
  const made = await attempt('makeToken');
  assert.ok((await attempt('listTokens')).tokens.length > 1);
  await attempt('revokeToken', await attempt('rotateToken', made));
  assert.ok((await attempt('readAuditLog')).entries.length > 5);
  await attempt('verifyAuditLog');
});

test('the example of the caller works in the demo company', async () => {
  assert.equal((await attempt('getMe')).workspaces[0].id, demoWorkspace);
  await attemptInVain('changeMe getMyAccount changeMyPassword endMySession'.split(' '), /403 .*for people/, { id: 1 });
  await attemptInVain(['getMyData'], /403 .*device of their own/);
  await attemptInVain(['getMyPreferences', 'changeMyPreferences'], /404 .*no person/);
});

test('the examples of SCIM work in the demo company', async () => {
  await attempt('scimGetServiceProviderConfig');
  for (const name of ['Schemas', 'ResourceTypes']) {
    assert.ok((await attempt(`scimGet${name}`)).Resources.length > 0);
    await attempt(`scimGet${name}ById`);
  }
  assert.ok((await attempt('scimSearchAll')).Resources.length > 0);
  for (const kind of ['User', 'Group']) {
    const created = await attempt(`scimCreate${kind}`);
    assert.ok((await attempt(`scimGet${kind}s`)).Resources.length > 0, `the filter finds no ${kind}`);
    assert.ok((await attempt(`scimSearch${kind}s`)).Resources.length > 0, `the search finds no ${kind}`);
    for (const verb of ['Get', 'Replace', 'Change', 'Remove']) await attempt(`scim${verb}${kind}`, created);
  }
});

test('the examples of rules and approvals work', async () => {
  const { id } = await attempt('addRule');
  assert.ok((await attempt('listRules')).rules.length > 0);
  await attempt('getRule', { id });
  await attempt('changeRule', { id });
  await attempt('deleteRule', { id });
  const levels = [{ approvers: [{ is: 'ROLE' as const, role: 'OWNER' as const }] }];
  await setRule(service.database, demoWorkspace, { currency: 'CHF', above: 0, levels });
  const requestId = await eventually(async () => {
    const asked = { token, workspace: demoWorkspace };
    const body = anOrder({ currency: 'CHF' });
    const { body: sent } = await service.call<Json>('/api/v1/orders', { method: 'POST', ...asked, body });
    const { status } = await service.call(`/api/v1/approvals/orders/${sent.requestId}`, asked);
    return status === 200 && String(sent.requestId);
  });
  await attempt('listApprovals');
  await attempt('getApproval', { requestId });
  // The examples of these name an order and a member that the demo company does not have, and only a person who signs in may send them.
  const owner = await signIn(service, { workspace: demoWorkspace, email: 'olga@example.com' });
  const { user } = await signIn(service, { workspace: demoWorkspace, role: 'APPROVER', email: 'lucie@example.com' });
  const [deputy] = await service.database.query<{ id: number }>(
    'select member_id as id from user_roles where workspace_id = $1 and user_id = $2',
    [demoWorkspace, user.id],
  );
  const asPerson = async (operationId: string, changes?: object) => {
    const { method, path, requestBody } = operations.get(operationId) as Operation;
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema && { ...resolve(document, schema).examples[0], ...changes };
    const said = await owner.call(path, { method, ...(body && { body }) });
    assert.ok(said.status < 300, `${operationId}: ${JSON.stringify(said.body)}`);
    tried.add(operationId);
  };
  await asPerson('decideOrders', { requestIds: [requestId] });
  await asPerson('nameDeputy', { memberId: deputy?.id });
  await asPerson('getDeputy');
  await asPerson('removeDeputy');
});

test('the examples of automations and of the clock work', async () => {
  const { id } = await attempt('addAutomation');
  assert.ok((await attempt('listAutomations')).automations.length > 0);
  for (const operationId of ['getAutomation', 'changeAutomation', 'deleteAutomation'])
    await attempt(operationId, { id });
  for (const operationId of ['getAutomationOutlook', 'pauseAutomations', 'resumeAutomations', 'getClock'])
    await attempt(operationId);
  // The examples of these name people and days that depend on the automation.
  const day = '2027-03-13';
  const terms = anAutomation({ trigger: { is: 'ONCE', day }, action: { is: 'SHOUTOUT' } });
  const send = async (operationId: string, typed: Record<string, unknown>, body?: object): Promise<Json> => {
    const { method, path } = operations.get(operationId) as Operation;
    const asked = { method, token, workspace: demoWorkspace, ...(body && { body }) };
    const said = await service.call<Json>(addressOf(path, typed), asked);
    tried.add(operationId);
    return said;
  };
  const once = (await send('addAutomation', {}, terms)).body;
  assert.equal((await send('planAutomation', {}, { terms, automationId: once.id })).status, 200);
  assert.equal((await send('changeAutomation', once, { state: 'ON' })).status, 200);
  const people = await service.database.query<{ id: number }>(
    'select id from members where workspace_id = $1 and not is_integration and merged_into is null and left_at is null order by id limit 2',
    [demoWorkspace],
  );
  const [one, other] = people.map((person) => ({ memberId: person.id, forDay: day }));
  assert.equal((await send('skipOccurrence', once, one)).body.state, 'SKIPPED');
  assert.equal((await send('unskipOccurrence', once, one)).status, 204);
  const ran = (await send('runAutomation', once, other)).body;
  assert.equal(ran.memberId, other?.memberId, JSON.stringify(ran));
  await attempt('listOccurrences');
  await attempt('getOccurrence', ran);
  await eventually(
    async () => (await send('listOccurrences', {})).body,
    ({ content }) => content.some((row: Json) => row.id === ran.id && row.state === 'SENT'),
  );
  assert.equal((await send('changeOccurrence', ran, { line: 'Hello' })).status, 409);
  assert.equal((await send('sendOccurrence', ran)).status, 409);
  await attempt('advanceClock');
});

test('no secret of a response is stored with its Idempotency-Key', async () => {
  const withSecrets =
    'addUser addWebhook createFeedScreen createKioskCode makeSignInLink makeToken rotateToken rotateWebhookSecret';
  assert.equal([...secrets.keys()].sort().join(' '), withSecrets);
  const [stored] = await service.database.query<{ text: string; rows: number }>(
    `select count(*) as rows, string_agg(k::text, '') as text from request_keys k`,
  );
  assert.ok(stored && stored.rows > 20);
  for (const [operationId, secret] of secrets) assert.ok(!stored.text.includes(secret), operationId);
});

test('every operation was tried', () => {
  assert.deepEqual(
    [...operations].filter(([id, { deprecated }]) => !deprecated && !tried.has(id)).map(([id]) => id),
    [],
  );
});
