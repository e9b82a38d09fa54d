import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { OrderDetails, OrderPage } from '../../src/ground/contract/order-list.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { isReplay, openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ mailServer: 'outbox', tokenKey });
const { database } = service;
const ada = { email: 'ada@example.com', employeeNumber: '1', firstName: 'Ada', lastName: 'Okafor' };
const bob = { email: 'bob@example.com', employeeNumber: '2', firstName: 'Bob' };
const left = { email: 'left@example.com', employeeNumber: 'L', active: false };
const recipient = { email: 'mei@example.com', firstName: 'Mei' };
const toMei = (changes: Record<string, unknown> = {}) => anOrder({ orderItems: [aGift({ recipient })], ...changes });

async function openCompany(via = service) {
  const workspace = await openWorkspace(via, { people: [ada, bob, left], tokenName: 'Bot' });
  const send = (changes: Record<string, unknown>, asked = {}) =>
    workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: toMei(changes), ...asked });
  const sent = async (changes: Record<string, unknown>) => {
    const { status, body } = await send(changes);
    assert.equal(status, 201, JSON.stringify(body));
    return body.requestId;
  };
  const validate = async (changes: Record<string, unknown>) => {
    const asked = { method: 'POST', body: toMei(changes) };
    return (await workspace.call<OrderValidation>('/api/v1/orders/validate', asked)).body;
  };
  const [adaId = 0, bobId = 0] = workspace.memberIds;
  return { workspace, send, sent, validate, adaId, bobId };
}

test('an order in the name of a member is theirs: gift, email, page, details, list, audit log, activity and report', async () => {
  const { workspace, sent, adaId } = await openCompany();
  const requestId = await sent({ sender: { email: 'ADA@example.com' } });
  const { certificates } = await workspace.outcome(requestId);
  const { id, longToken, senderName } = certificates[0] as (typeof certificates)[number];
  const details = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
  const { orders } = await workspace.read<OrderPage>('/api/v1/orders');
  const gift = await eventually(
    () => workspace.read<{ senderName: string; delivery: string }>(`/api/v1/gifts/${id}`),
    ({ delivery }) => delivery === 'SENT',
  );
  const names = [senderName, details.senderName, orders[0]?.senderName, gift.senderName];
  assert.deepEqual(names, Array(4).fill('Ada Okafor'));
  const { mails } = await workspace.read<{ mails: { id: string; to: string; subject: string }[] }>('/api/v1/outbox');
  assert.match(mails.find(({ to }) => to.includes('mei@'))?.subject ?? '', /Ada Okafor/);
  const body = new URLSearchParams({ token: longToken });
  const page = await (await fetch(`${service.url}/g/look`, { method: 'POST', body })).text();
  assert.match(page, /Ada Okafor/);
  const { activities } = await workspace.activity();
  assert.deepEqual([activities[0]?.sender.id, activities[0]?.sender.firstName], [adaId, 'Ada']);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=order.created');
  assert.deepEqual(
    entries.map(({ actor, actorName, subjectId, detail }) => [actor, actorName, subjectId, detail]),
    [['TOKEN', 'Bot', requestId, { gifts: 1, currency: 'CAD', senderId: adaId }]],
  );
  // The recipient's thanks go to the person, not to the token.
  await fetch(`${service.url}/g/claim`, { method: 'POST', body });
  await fetch(`${service.url}/g/thanks`, {
    method: 'POST',
    body: new URLSearchParams({ token: longToken, thanks: 'Thank you, Ada!' }),
  });
  await eventually(
    () => workspace.read<{ mails: { to: string }[] }>('/api/v1/outbox'),
    (outbox) => outbox.mails.some(({ to }) => to.includes('ada@example.com')),
  );
});

test('it draws on the budget of that member, else on the workspace’s, and a trial says which', async () => {
  const { workspace, send, sent, validate, adaId } = await openCompany();
  const shared = await setBudget(database, workspace.id, { amount: 1_000 });
  const own = await setBudget(database, workspace.id, { amount: 40, memberId: adaId });
  const asAda = { sender: { employeeNumber: ' 1 ' } };
  const asBob = { sender: { email: bob.email } };
  const trials = [await validate(asAda), await validate(asBob), await validate({})];
  assert.deepEqual(
    trials.map(({ budget, ignored }) => [budget?.available, budget?.isOwn, ignored]),
    [
      [40, true, []],
      [1_000, false, []],
      [1_000, false, []],
    ],
  );
  await workspace.finished(await sent(asAda));
  await workspace.finished(await sent(asBob));
  assert.deepEqual(await balancesOf(database, workspace.id, own.id), [15, 0, 25, 0]);
  assert.deepEqual(await balancesOf(database, workspace.id, shared.id), [975, 0, 25, 0]);
  assert.match(refusal(await send(asAda), 402), /15\.00.* is left in the budget of Ada Okafor/);
  const { valid, faults } = await validate(asAda);
  assert.equal(valid, false);
  assert.match(faults[0]?.problem ?? '', /budget of Ada Okafor/);
  await checkLedger(database);
});

test('a sender who is unknown, has left, is elsewhere or contradicts itself is rejected, and nothing changes', async () => {
  const { workspace, send, validate } = await openCompany();
  await openWorkspace(service, { people: [{ email: 'far@example.com', employeeNumber: 'F' }] });
  const count = async () =>
    (await database.query('select from order_requests where workspace_id = $1', [workspace.id])).length;
  for (const [sender, says] of [
    [{ email: 'nobody@example.com' }, /sender is not known in this workspace/],
    [{ email: 'far@example.com' }, /sender is not known in this workspace/],
    [{ employeeNumber: 'F' }, /sender is not known in this workspace/],
    [{ email: left.email }, /sender has left the workspace/],
    [{ email: ada.email, employeeNumber: '2' }, /sender has the email address of one member/],
    [{}, /sender must have an email or an employeeNumber/],
    [{ email: 'no address' }, /sender\.email/],
    ['ada@example.com', /sender/],
  ] as const) {
    assert.match(refusal(await send({ sender }), 400), says);
    const { valid, faults } = await validate({ sender });
    assert.equal(valid, false);
    assert.match(`${faults[0]?.path} ${faults[0]?.problem}`, says);
  }
  assert.equal(await count(), 0);
  assert.equal((await send({ sender: { email: ada.email, employeeNumber: '1' } })).status, 201);
  assert.equal((await send({ sender: null })).status, 201);
});

test('only a token with the scope orders:delegate names a sender, whether they exist or not, and a person never does', async () => {
  const { workspace, send } = await openCompany();
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['orders:write'] });
  for (const sender of [{ email: ada.email }, { email: 'nobody@example.com' }])
    for (const path of ['/api/v1/orders', '/api/v1/orders/validate']) {
      const asked = { method: 'POST', body: toMei({ sender }), token };
      assert.match(refusal(await workspace.call(path, asked), 403), /lacks the scope orders:delegate/);
    }
  assert.equal((await send({ sender: null }, { token })).status, 201);
  const owner = await signIn(service, { role: 'OWNER', email: 'owner@example.com', workspace: workspace.id });
  for (const path of ['/api/v1/orders', '/api/v1/orders/validate']) {
    const asked = { method: 'POST', body: toMei({ sender: { email: ada.email } }) };
    assert.match(refusal(await owner.call(path, asked), 403), /People send gifts in their own name/);
  }
  const { body } = await owner.call<{ scopes: string[] }>('/api/v1/tokens', {
    method: 'POST',
    body: { name: 'usual' },
  });
  assert.ok(!body.scopes.includes('orders:delegate'), 'a token gets it only if it is named');
  const named = { name: 'bot', scopes: ['orders:write', 'orders:delegate'] };
  const made = await owner.call<{ scopes: string[] }>('/api/v1/tokens', { method: 'POST', body: named });
  assert.deepEqual([made.status, made.body.scopes], [201, named.scopes]);
});

test('the sender belongs to the body that a retry must repeat, and a retry is answered though they have left', async () => {
  const { workspace, send, bobId } = await openCompany();
  const headers = { 'Idempotency-Key': 'sender' };
  const first = await send({ sender: { email: bob.email } }, { headers });
  assert.equal(first.status, 201);
  assert.match(refusal(await send({ sender: { email: ada.email } }, { headers }), 422), /differs in sender\.email/);
  assert.match(refusal(await send({}, { headers }), 422), /differs in sender/);
  await workspace.change(bobId, { active: false });
  const again = await send({ sender: { email: bob.email } }, { headers });
  assert.deepEqual([again.status, isReplay(again), again.body.requestId], [201, true, first.body.requestId]);
});

test('a sender who is merged or leaves while the order waits stays its sender, and the money is counted once', async () => {
  const api = await startService({ role: 'api', tokenKey });
  const { workspace, sent, adaId, bobId } = await openCompany(api);
  const budget = await setBudget(api.database, workspace.id, { amount: 100, memberId: bobId });
  const requestId = await sent({ sender: { email: bob.email } });
  await workspace.merge(bobId, adaId);
  const later = await sent({ sender: { email: bob.email } });
  await workspace.change(adaId, { active: false });
  const worker = await startService({ role: 'worker', tokenKey, database: api.database });
  assert.deepEqual(
    (await workspace.outcome(requestId)).certificates.map(({ senderName }) => senderName),
    ['Bob'],
  );
  assert.deepEqual(
    (await workspace.outcome(later)).certificates.map(({ senderName }) => senderName),
    ['Ada Okafor'],
  );
  const { activities } = await workspace.activity();
  assert.deepEqual(
    activities.map(({ sender }) => sender.id),
    [adaId, adaId],
  );
  assert.deepEqual(await balancesOf(api.database, workspace.id, budget.id), [50, 0, 50, 0]);
  await checkLedger(api.database);
  await worker.stop();
});

test('a manager follows an order that a token has sent in their name, and no order of others', async () => {
  const { workspace, sent } = await openCompany();
  const manager = await signIn(service, { role: 'MANAGER', email: ada.email, workspace: workspace.id });
  const statusOf = async (requestId: string) => (await manager.call(`/api/v1/orders/status/${requestId}`)).status;
  assert.equal(await statusOf(await sent({ sender: { email: ada.email } })), 200);
  assert.equal(await statusOf(await sent({ sender: { email: bob.email } })), 404);
  assert.equal(await statusOf(await sent({})), 404);
});

test('the command send sends in the name of a member', async () => {
  const { workspace } = await openCompany();
  const env = {
    GIFTWIRE_URL: service.url,
    GIFTWIRE_TOKEN: workspace.token,
    GIFTWIRE_WORKSPACE: String(workspace.id),
  };
  const gift = ['send', '--to', recipient.email, '--amount', '25', '--message', 'Thank you!', '--json'];
  for (const who of [ada.email, '1']) {
    const { stdout, stderr } = await giftwire([...gift, '--sender', who, '--note', 'Launch'], env);
    assert.match(stdout, /"senderName": ?"Ada Okafor"/, stderr);
  }
});
