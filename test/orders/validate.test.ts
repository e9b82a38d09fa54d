import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderTrial } from '../../src/giving/orders/validate.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' },
  { employeeNumber: '2', firstName: 'Bo' },
  { email: 'gone@example.com', active: false },
];

async function tried(workspace: TestWorkspace, order: unknown): Promise<OrderValidation> {
  const { status, body } = await workspace.call<OrderValidation>('/api/v1/orders/validate', {
    method: 'POST',
    body: order,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const to = (...recipients: object[]) => anOrder({ orderItems: recipients.map((recipient) => aGift({ recipient })) });

test('a trial says who gets the gifts, who is added, and what it costs, and stores nothing', async () => {
  const workspace = await openWorkspace(service, { people });
  const order = to(
    { email: 'ADA@example.com' },
    { employeeNumber: '2' },
    { email: 'new@example.com', firstName: 'New' },
    { employeeNumber: '1' },
    { email: 'new@EXAMPLE.com' },
    { employeeNumber: '77' },
  );
  const { items, ...rest } = await tried(workspace, order);
  assert.deepEqual(
    items.map(({ outcome, address, sameAs }) => [outcome, address, sameAs]),
    [
      ['FOUND', 'ada@example.com', null],
      ['FOUND', null, null],
      ['NEW', 'new@example.com', null],
      ['FOUND', 'ada@example.com', 0],
      ['NEW', 'new@example.com', 2],
      ['NEW', null, null],
    ],
  );
  assert.deepEqual(items[0]?.member, {
    id: workspace.memberIds[0],
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    employeeNumber: '1',
  });
  const counts = { atFault: 0, found: 3, added: 2, left: 0, repeated: 2, twins: 0, withoutAddress: 2 };
  const told = {
    valid: true,
    gifts: 6,
    currency: 'CAD',
    total: 150,
    budget: null,
    rule: null,
    faults: [],
    ignored: [],
    counts,
  };
  assert.deepEqual(rest, told);
  assert.equal((await workspace.members()).totalElements, 2);
  assert.equal((await workspace.activity()).totalElements, 0);
});

test('a number that a spreadsheet has damaged names the member whom it probably means, and no gift goes there', async () => {
  const numbered = ['0077', '77', '00088', '123456789012', '123999999999', '0000055', '055'].map((employeeNumber) => ({
    employeeNumber,
    firstName: `Number ${employeeNumber}`,
  }));
  const workspace = await openWorkspace(service, { people: numbered });
  const asked = ['77', '88', '1.23457E+11', '1,24E+11', '1.9E+11', '0077', '55', '99'];
  const { items } = await tried(workspace, to(...asked.map((employeeNumber) => ({ employeeNumber }))));
  assert.deepEqual(
    items.map(({ outcome, probably }) => [outcome, probably?.employeeNumber ?? null]),
    [
      ['FOUND', '0077'],
      ['NEW', '00088'],
      ['NEW', '123456789012'],
      ['NEW', '123999999999'],
      ['NEW', null],
      ['FOUND', null],
      ['NEW', null],
      ['NEW', null],
    ],
  );
  const beside = await tried(workspace, to({ email: 'new@example.com', employeeNumber: '88' }));
  assert.equal(beside.items[0]?.probably, null);
});

test('every fault is named with its gift, and the rest of the order is looked at all the same', async () => {
  const workspace = await openWorkspace(service, { people });
  const { valid, faults, items, counts, total } = await tried(workspace, {
    currency: 'CAD',
    deliverAt: '2020-01-01T00:00:00Z',
    orderItems: [
      aGift({ amount: 0.5 }),
      aGift({ recipient: { email: 'jonas.weber.example.com' } }),
      aGift({ recipient: {} }),
      aGift({ recipient: { email: 'gone@example.com' } }),
      aGift({ message: ' ', amount: 10.005 }),
      aGift({ reasonId: 999_999 }),
      'a gift',
      aGift({ amount: 12.5 }),
    ],
  });
  assert.equal(valid, false);
  assert.deepEqual(
    faults.map(({ path, item }) => [path, item]),
    [
      ['orderItems[0].amount', 0],
      ['orderItems[1].recipient.email', 1],
      ['orderItems[2].recipient', 2],
      ['orderItems[4].message', 4],
      ['orderItems[6]', 6],
      ['orderItems[4].amount', 4],
      ['orderItems[5].reasonId', 5],
      ['deliverAt', null],
      ['orderItems[3].recipient', 3],
    ],
  );
  assert.match(faults.at(-1)?.problem ?? '', /has left/);
  assert.deepEqual(
    items.map(({ outcome }) => outcome),
    ['FOUND', 'INVALID', 'INVALID', 'LEFT', 'FOUND', 'FOUND', 'INVALID', 'FOUND'],
  );
  assert.deepEqual([counts.atFault, counts.left, counts.repeated], [7, 1, 3]);
  assert.equal(total, 112.5);
});

test('a workspace that refuses unknown employee numbers names them', async () => {
  const workspace = await openWorkspace(service, { people, refusesUnknownEmployeeNumbers: true });
  const { items, faults, counts } = await tried(workspace, to({ employeeNumber: '1' }, { employeeNumber: '99' }));
  assert.deepEqual(
    items.map(({ outcome }) => outcome),
    ['FOUND', 'UNKNOWN'],
  );
  assert.deepEqual(
    faults.map(({ path }) => path),
    ['orderItems[1].recipient.employeeNumber'],
  );
  assert.equal(counts.added, 0);
});

test('an order that is no order has its faults, and a body that is no object is refused', async () => {
  const workspace = await openWorkspace(service);
  const { valid, gifts, currency, total, faults } = await tried(workspace, { orderItems: [] });
  assert.deepEqual([valid, gifts, currency, total], [false, 0, null, 0]);
  assert.deepEqual(faults.map(({ path }) => path).sort(), ['currency', 'orderItems']);
  const many = await tried(workspace, anOrder({ orderItems: Array.from({ length: 1_001 }, () => aGift()) }));
  assert.deepEqual([many.gifts, many.faults.length], [0, 1]);
  const asked = { method: 'POST', body: [] };
  assert.match(refusal(await workspace.call('/api/v1/orders/validate', asked), 400), /must be a JSON object/);
});

test('a twin is a gift of the same amount, currency and person in the last 30 days that was not cancelled', async () => {
  const workspace = await openWorkspace(service, { people: [...people, { email: 'lovelace@example.com' }] });
  const order = to({ email: 'ada@example.com' });
  const before = Date.now();
  const { certificates } = await workspace.outcome(await workspace.submit(order.orderItems as object[]));
  const [certificate] = certificates;
  const twinOf = async (changes: object) => (await tried(workspace, { ...order, ...changes })).items[0]?.twin ?? null;
  const twin = await twinOf({});
  assert.equal(twin?.id, certificate?.id);
  assert.ok(Date.parse(twin?.issuedAt ?? '') >= before);
  assert.equal(await twinOf({ currency: 'USD' }), null);
  assert.equal(await twinOf({ orderItems: [aGift({ amount: 26 })] }), null);
  assert.equal(await twinOf({ orderItems: [aGift({ recipient: { employeeNumber: '2' } })] }), null);
  // A gift to a record that was merged is the surviving person's.
  await workspace.merge(workspace.memberIds[0] as number, workspace.memberIds[3] as number);
  assert.equal((await twinOf({}))?.id, certificate?.id);
  await workspace.cancelGift(certificate?.id);
  assert.equal(await twinOf({}), null);
});

test('the gifts of an order are for the reasons that it names', async () => {
  const workspace = await openWorkspace(service, { people });
  const { body } = await workspace.call<{ id: number }>('/api/v1/reasons', {
    method: 'POST',
    body: { description: 'Mentoring' },
  });
  await workspace.outcome(await workspace.submit([aGift({ reasonId: body.id }), aGift({ reasonId: null })]));
  const { activities } = await workspace.activity();
  assert.deepEqual(activities.map(({ reason }) => reason.description).sort(), ['Mentoring', 'Thank you']);
  const gifts = await workspace.read<{ gifts: { reason: string }[] }>('/api/v1/gifts');
  assert.deepEqual(gifts.gifts.map(({ reason }) => reason).sort(), ['Mentoring', 'Thank you']);
  await workspace.call(`/api/v1/reasons/${body.id}`, { method: 'DELETE' });
  const late = anOrder({ orderItems: [aGift({ reasonId: body.id })] });
  const refused = await workspace.call('/api/v1/orders', { method: 'POST', body: late });
  assert.match(refusal(refused, 400), /^orderItems\[0\]\.reasonId is not one of the workspace's reasons$/);
});

test('a trial needs the right to order', async () => {
  const workspace = await openWorkspace(service);
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['orders:read'] });
  const asked = { method: 'POST', body: anOrder(), token };
  refusal(await workspace.call('/api/v1/orders/validate', asked), 403);
});

test('a manager learns of people who are none of their reports what the order says', async () => {
  const unseen = { employeeNumber: '0044', firstName: 'Cy' };
  const workspace = await openWorkspace(service, { people: [...people, unseen] });
  const [ada = 0] = workspace.memberIds;
  const grant = { ...(await createGrant(service.database)), workspaceId: workspace.id, onlyReportsOf: ada };
  const order = { currency: 'CAD', orderItems: [aGift(), aGift({ recipient: { employeeNumber: '2' } })] };
  order.orderItems.push(aGift({ recipient: { employeeNumber: '44' } }));
  await workspace.gift({ email: 'ada@example.com' });
  await workspace.change(workspace.memberIds[1] as number, { managerId: ada });
  const { items } = await new OrderTrial(service.database, []).validate({
    workspace: grant,
    tokenId: 1,
    order,
    faults: [],
  });
  assert.deepEqual(
    items.map(({ outcome, member, address, twin, probably }) => [
      ...[outcome, member?.firstName ?? null, address, twin, probably],
    ]),
    [
      ['UNSEEN', null, 'ada@example.com', null, null],
      ['FOUND', 'Bo', null, null, null],
      ['UNKNOWN', null, null, null, null],
    ],
  );
});

test('a trial says what the budget has and what the order leaves, and names each gift over its limit', async () => {
  const workspace = await openWorkspace(service, { people });
  assert.equal((await tried(workspace, to({ email: 'ada@example.com' }))).budget, null);
  const { id } = await setBudget(service.database, workspace.id, { amount: 60, giftLimit: 30 });
  const fits = await eventually(
    () => tried(workspace, to({ email: 'ada@example.com' }, { employeeNumber: '2' })),
    ({ budget }) => budget !== null,
  );
  assert.deepEqual(
    [fits.valid, fits.budget],
    [
      true,
      { available: 60, left: 10, giftLimit: 30, isOwn: false, id, kind: 'WORKSPACE', name: null, personLeft: null },
    ],
  );
  const { valid, budget, faults } = await tried(
    workspace,
    to({ email: 'ada@example.com' }, { employeeNumber: '2' }, { email: 'new@example.com' }),
  );
  assert.deepEqual([valid, budget?.left, faults[0]?.path], [false, -15, null]);
  assert.match(faults[0]?.problem ?? '', /^The order costs 75\.00 CAD, and 60\.00 CAD is left/);
  const large = anOrder({ orderItems: [aGift(), aGift({ amount: 30.01 })] });
  assert.deepEqual(
    (await tried(workspace, large)).faults.map(({ path, item }) => [path, item]),
    [['orderItems[1].amount', 1]],
  );
  const empty = await tried(workspace, { currency: 'CAD', orderItems: [] });
  assert.deepEqual([empty.valid, empty.budget?.left], [false, 60], 'what is left can be asked without gifts');
});
