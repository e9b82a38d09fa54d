import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOrders } from '../../src/giving/approvals/decide.ts';
import type { OrderApproval } from '../../src/ground/contract/approval.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import { acceptSteps } from '../../src/steps.ts';
import { openGate } from '../support/approvals.ts';
import { followEvents } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { aShoutout, refusal } from '../support/workspace.ts';

const tokenKey = 'a key that both nodes of this test have';
const service = await startService({ tokenKey });
const other = await startService({ database: service.database, tokenKey });

const twoLevels = (first: object, second: object) => ({
  levels: [{ approvers: [first] }, { approvers: [second] }] as never,
});

test('of two approvers on two nodes one decides, and the other learns who did', async () => {
  const gate = await openGate(service);
  const elena = await signIn(other, { role: 'APPROVER', email: 'elena@example.com', workspace: gate.workspace.id });
  for (let nth = 0; nth < 5; nth++) {
    const requestId = await gate.send(null);
    const answers = await Promise.all([
      gate.decide(gate.users.lucie, requestId, 'APPROVED'),
      gate.decide(elena, requestId, 'DECLINED', 'No.'),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const late = answers.find(({ status }) => status === 409);
    assert.match(refusal(late as never, 409), /^(Lucie Gagnon approved|Elena Brandt declined) order .* at 20/);
    const { approval } = await gate.details(requestId);
    assert.equal(approval?.decisions.length, 1);
    const expected = approval?.state === 'APPROVED' ? 'COMPLETED' : 'FAILED';
    assert.equal((await gate.workspace.finished(requestId)).requestStatus, expected);
  }
});

test('the same decision again changes nothing', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  const first = await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'No.');
  assert.deepEqual(await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'No.'), first);
  refusal(await gate.decide(gate.users.lucie, requestId, 'APPROVED'), 409);
  refusal(await gate.decide(gate.users.lucie, requestId, 'DECLINED', 'Other words.'), 409);
});

test('a second level is asked after the first, and another person decides there', async () => {
  const gate = await openGate(service, [twoLevels({ is: 'ROLE', role: 'APPROVER' }, { is: 'ROLE', role: 'APPROVER' })]);
  const { users } = gate;
  const requestId = await gate.send(null);
  const [halfway] = await gate.decided(users.lucie, requestId, 'APPROVED');
  assert.deepEqual(
    [halfway?.state, halfway?.level, halfway?.asked.map(({ name }) => name)],
    ['WAITING', 2, ['Elena Brandt']],
  );
  assert.equal((await gate.workspace.status(requestId)).requestStatus, 'ACCEPTED');
  assert.deepEqual(await gate.decided(users.lucie, requestId, 'APPROVED'), [halfway], 'repeated, not a second level');
  assert.match(
    refusal(await gate.decide(users.lucie, requestId, 'APPROVED', 'Again.'), 403),
    /approved order .* already/,
  );
  await gate.decided(users.elena, requestId, 'APPROVED');
  assert.equal((await gate.workspace.finished(requestId)).requestStatus, 'COMPLETED');
});

test('a decision that names a level is about this level alone', async () => {
  const gate = await openGate(service, [twoLevels({ is: 'ROLE', role: 'APPROVER' }, { is: 'ROLE', role: 'APPROVER' })]);
  const { lucie, elena } = gate.users;
  const requestId = await gate.send(null);
  const approve = ({ call }: Browser, level: number) =>
    call('/api/v1/approvals/decisions', {
      method: 'POST',
      body: { requestIds: [requestId], decision: 'APPROVED', level },
    });
  assert.match(refusal(await approve(lucie, 2), 409), /waits at level 1 of 2 now, not at level 2/);
  assert.equal((await approve(lucie, 1)).status, 200);
  assert.equal((await approve(lucie, 1)).status, 200);
  refusal(await approve(lucie, 2), 403);
  assert.match(refusal(await approve(elena, 1), 409), /waits at level 2 of 2 now, not at level 1/);
  assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');
  assert.equal((await approve(elena, 2)).status, 200);
});

test('a decision about an order that was tried again since is not taken', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const requestId = await gate.send(null);
  const grant = { workspaceId: workspace.id, onlyReportsOf: null, memberId: gate.ids.lucie, scopes: [] } as never;
  const decide = (since: Date) =>
    decideOrders(
      service.database,
      { accept: acceptSteps, decline: [] },
      grant,
      { is: 'USER', id: users.lucie.user.id, name: 'Lucie Gagnon' },
      { requestIds: [requestId], decision: 'APPROVED' },
      'EMAIL',
      new Map([[requestId, since]]),
    );
  await assert.rejects(decide(new Date(0)), /was tried again since/);
  const { askedAt } = (await gate.details(requestId)).approval as OrderApproval;
  await decide(new Date(askedAt));
});

test('what a recipient approved at the first level is not approved at the second', async () => {
  const gate = await openGate(service, [twoLevels({ is: 'ROLE', role: 'APPROVER' }, { is: 'ROLE', role: 'APPROVER' })]);
  const { workspace, users, ids } = gate;
  const requestId = await gate.send(null, {
    orderItems: [aGift({ amount: 150, recipient: { email: 'new@example.com' } })],
  });
  await gate.decided(users.lucie, requestId, 'APPROVED');
  await workspace.change(ids.lucie, { email: 'new@example.com' });
  assert.match(refusal(await gate.decide(users.elena, requestId, 'APPROVED'), 409), /approved order .* at an earlier/);
  await gate.decided(users.elena, requestId, 'DECLINED', 'Ask again.');
});

test('a second level can decline what the first approved', async () => {
  const gate = await openGate(service);
  const { lucie, elena } = gate.ids;
  await gate.changeRule(twoLevels({ is: 'MEMBER', memberId: lucie }, { is: 'MEMBER', memberId: elena }));
  const requestId = await gate.send(null);
  await gate.decided(gate.users.lucie, requestId, 'APPROVED');
  await gate.decided(gate.users.elena, requestId, 'DECLINED', 'Too late in the year.');
  const { approval, requestStatus } = await gate.details(requestId);
  assert.deepEqual(
    [requestStatus, approval?.decisions.map(({ decision }) => decision)],
    ['FAILED', ['APPROVED', 'DECLINED']],
  );
});

test('the sender, the person who requested the order and its recipients cannot decide, at any level', async () => {
  const gate = await openGate(service, [
    {
      levels: [
        {
          approvers: [
            { is: 'ROLE', role: 'APPROVER' },
            { is: 'ROLE', role: 'PEOPLE_TEAM' },
          ],
        },
      ],
    },
  ]);
  const { users } = gate;
  const sent = await gate.send(users.priya, {
    orderItems: [aGift({ amount: 150, recipient: { employeeNumber: '2' } })],
  });
  assert.deepEqual(await gate.asked(sent), ['Lucie Gagnon']);
  assert.match(refusal(await gate.decide(users.priya, sent, 'APPROVED'), 403), /You sent or requested/);
  // Elena does not even learn of it.
  refusal(await gate.decide(users.elena, sent, 'APPROVED'), 404);
  assert.equal((await gate.listed(users.elena)).totalElements, 0);
  await gate.decided(users.lucie, sent, 'APPROVED');
});

test('a recipient cannot decide after records were merged or the address became theirs', async () => {
  const gate = await openGate(service);
  const { users, workspace, ids } = gate;
  const [alias] = await workspace.addPeople([{ email: 'l.gagnon@example.com' }]);
  const requestId = await gate.send(null, {
    orderItems: [
      aGift({ amount: 150, recipient: { email: 'l.gagnon@example.com' } }),
      aGift({ amount: 150, recipient: { email: 'new@example.com' } }),
    ],
  });
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt', 'Lucie Gagnon']);
  await workspace.merge(alias as number, ids.lucie);
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt']);
  await workspace.change(ids.elena, { email: 'new@example.com' });
  assert.deepEqual(await gate.asked(requestId), ['Olga Owner']);
  refusal(await gate.decide(users.elena, requestId, 'APPROVED'), 404);
  await gate.decided(users.olga, requestId, 'APPROVED');
});

test('owners are asked, and told why, if no approver remains', async () => {
  const gate = await openGate(service, [{ levels: [{ approvers: [{ is: 'MANAGER' }] }] }]);
  const { users, workspace, ids } = gate;
  const requestId = await gate.send(users.priya);
  assert.deepEqual(await gate.asked(requestId), ['Lucie Gagnon']);
  await workspace.call(`/api/v1/members/${ids.lucie}/leave`, { method: 'POST', body: {} });
  const { approval } = await gate.details(requestId);
  assert.deepEqual([approval?.asked.map(({ name }) => name), approval?.ownersAsked], [['Olga Owner'], true]);
  await gate.decided(users.olga, requestId, 'APPROVED');
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
});

test('if every approver and owner is a party, no person can decide', async () => {
  const gate = await openGate(service, [{ levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }] }] }]);
  const requestId = await gate.send(gate.users.olga);
  const { approval } = await gate.details(requestId);
  assert.deepEqual([approval?.asked, approval?.ownersAsked], [[], true]);
  assert.match(refusal(await gate.decide(gate.users.priya, requestId, 'APPROVED'), 403), /No person can decide/);
});

test('a deputy decides while the approver is away, and after the approver has left', async () => {
  const gate = await openGate(service);
  const { users, workspace, ids } = gate;
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: ids.lucie }] }] });
  const requestId = await gate.send(null);
  const name = (from: string, to: string) =>
    users.lucie.call('/api/v1/approvals/deputy', { method: 'PUT', body: { memberId: ids.elena, from, to } });
  assert.equal((await name('2020-01-01', '2020-01-02')).status, 200);
  assert.deepEqual(await gate.asked(requestId), ['Lucie Gagnon']);
  await name('2020-01-01', '2100-01-01');
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt', 'Lucie Gagnon']);
  await name('2020-01-01', '2020-01-02');
  await workspace.call(`/api/v1/members/${ids.lucie}/leave`, { method: 'POST', body: {} });
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt']);
  await gate.decided(users.elena, requestId, 'APPROVED');
});

test('the orders of one file are one decision: all of them, or none', async () => {
  const gate = await openGate(service);
  const { users } = gate;
  const reference = { headers: { 'X-Customer-Request-Id': 'year-end.csv' } };
  const requestIds = [await gate.send(null, {}, reference), await gate.send(null, {}, reference)];
  const single = await gate.send(null, { orderItems: [aGift({ amount: 150, recipient: { employeeNumber: '1' } })] });
  refusal(await gate.decide(users.lucie, [...requestIds, single], 'APPROVED'), 404);
  assert.equal((await gate.listed(users.lucie)).totalElements, 2);
  const decided = await gate.decided(users.lucie, requestIds, 'APPROVED');
  assert.deepEqual(
    decided.map(({ requestId, customerRequestId }) => [requestId, customerRequestId]),
    requestIds.map((id) => [id, 'year-end.csv']),
  );
  assert.equal((await gate.listed(users.lucie)).totalElements, 0);
  const past = await gate.listed(users.lucie, '?state=APPROVED');
  assert.deepEqual(
    past.approvals.map(({ order }) => order?.requestId),
    requestIds.toReversed(),
    'the newest first',
  );
  assert.equal((await gate.listed(users.elena, '?state=APPROVED')).totalElements, 0);
  assert.equal((await gate.listed(users.olga, '?state=APPROVED&mine=false')).totalElements, 2);
});

test('orders and shoutouts that wait are one list, the oldest first', async () => {
  const gate = await openGate(service);
  await gate.workspace.call('/api/v1/settings', { method: 'PATCH', body: { asksForApproval: true } });
  const first = await gate.send(null);
  const shoutout = await eventually(
    () => gate.workspace.given(aShoutout()),
    ({ status }) => status === 'PENDING',
  );
  const { approvals } = await gate.listed(gate.users.lucie);
  assert.deepEqual(
    approvals.map(({ kind, order, shoutout: one }) => [kind, order?.requestId ?? one?.id]),
    [
      ['ORDER', first],
      ['SHOUTOUT', shoutout.id],
    ],
  );
});

test('the sender reads the comment, and a stranger does not', async () => {
  const gate = await openGate(service);
  await gate.workspace.addPeople([{ email: 'manager@example.com' }]);
  const manager = await signIn(service, {
    role: 'MANAGER',
    email: 'manager@example.com',
    workspace: gate.workspace.id,
  });
  const requestId = await gate.send(null);
  await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'Not this year.');
  refusal(await manager.call(`/api/v1/approvals/orders/${requestId}`), 404);
  const own = await gate.users.priya.call<OrderApproval>(`/api/v1/approvals/orders/${requestId}`);
  assert.equal(own.body.decisions[0]?.comment, 'Not this year.');
});

test('each step has its event and its entry in the audit log', async () => {
  const gate = await openGate(service, [twoLevels({ is: 'ROLE', role: 'APPROVER' }, { is: 'ROLE', role: 'OWNER' })]);
  const { workspace, users, ids, rules } = gate;
  const requestId = await gate.send(users.priya);
  await gate.decided(users.lucie, requestId, 'APPROVED', 'Fine.');
  await gate.decided(users.olga, requestId, 'DECLINED', 'No.');
  const data = { requestId, customerRequestId: null };
  const events = (await followEvents(workspace).next()).filter(({ type }) => type.startsWith('order.'));
  assert.deepEqual(
    events.map(({ type, data: { decideBy: _decideBy, ...rest } }) => [type, rest]),
    [
      ['order.waiting', { ...data, ruleId: rules[0]?.id, level: 1 }],
      ['order.waiting', { ...data, ruleId: rules[0]?.id, level: 2 }],
      ['order.declined', { ...data, decidedBy: ids.olga }],
      ['order.failed', data],
    ],
  );
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=order');
  const rule = { rule: 'Large gifts', ruleId: rules[0]?.id };
  assert.deepEqual(
    entries
      .filter(({ action }) => action !== 'order.created')
      .map(({ action, actorName, detail }) => [action, actorName, detail]),
    [
      ['order.declined', 'Olga Owner', { ...rule, level: 2, levels: 2, comment: 'No.' }],
      ['order.approved', 'Lucie Gagnon', { ...rule, level: 1, levels: 2, comment: 'Fine.' }],
      ['order.held', 'Priya Nair', rule],
    ],
  );
});

test('an order that waits is announced though it was not decided', async () => {
  const gate = await openGate(service);
  const { next } = followEvents(gate.workspace);
  const requestId = await gate.send(null);
  await eventually(next, (events) =>
    events.some(({ type, data }) => type === 'order.waiting' && data.requestId === requestId),
  );
});
