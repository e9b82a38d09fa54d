import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import { openGate } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const tokenKey = 'a key that both nodes of this test have';
const service = await startService({ tokenKey });
const other = await startService({ database: service.database, tokenKey });
const { database } = service;

type Gate = Awaited<ReturnType<typeof openGate>>;

const batch = (id: string, orders: number) => ({ batch: { id, orders, name: `${id}.csv` } });

const to = (email: string, amount = 150) => ({ orderItems: [aGift({ amount, recipient: { email } })] });

/** Sends the orders of a batch, each for another person. */
async function sendBatch(gate: Gate, id: string, count: number, changes: object = {}): Promise<string[]> {
  const sent: string[] = [];
  for (let nth = 0; nth < count; nth++)
    sent.push(await gate.send(null, { ...to(`${id}-${nth}@example.com`), ...batch(id, count), ...changes }));
  return sent;
}

/** What waits for Lucie, when there is so much of it. */
const waiting = (gate: Gate, count: number) =>
  eventually(
    () => gate.listed(gate.users.lucie),
    ({ totalElements }) => totalElements === count,
  );

/** As if a minute had passed since the last order of each batch came. */
const passQuietMinute = ({ workspace }: Gate) =>
  database.query(`update approval_requests set last_at = last_at - interval '61 seconds' where workspace_id = $1`, [
    workspace.id,
  ]);

test('the orders of a batch are one request: approvers are asked when all are here, and decide them together', async () => {
  const gate = await openGate(service);
  const { users } = gate;
  const first = await gate.send(null, { ...to('a@example.com'), ...batch('year-end', 3) });
  const second = await gate.send(null, { ...to('b@example.com', 250), ...batch('year-end', 3) });
  const alone = await gate.send(null, to('c@example.com'));
  await waiting(gate, 1);
  assert.match(refusal(await gate.decide(users.lucie, [first], 'APPROVED'), 409), /one of 3 that are being sent/);
  assert.equal((await gate.details(first)).approval?.batch?.isComplete, false);
  const third = await gate.send(null, { ...to('d@example.com'), ...batch('year-end', 3) });
  const { approvals } = await waiting(gate, 2);
  const listed = approvals.find(({ order }) => order?.requestId !== alone)?.order;
  assert.deepEqual(
    [listed?.batch?.name, listed?.batch?.gifts, listed?.batch?.total, listed?.batch?.isComplete, listed?.requestId],
    ['year-end.csv', 3, 550, true, first],
  );
  assert.deepEqual(listed?.batch?.requestIds.toSorted(), [first, second, third].toSorted());
  assert.equal((await gate.listed(users.olga, '?mine=false')).totalElements, 2);
  const decided = await gate.decided(users.lucie, second, 'APPROVED', 'For the year.');
  assert.deepEqual(decided.map(({ requestId }) => requestId).toSorted(), [first, second, third].toSorted());
  for (const id of [first, second, third]) assert.equal((await gate.workspace.finished(id)).requestStatus, 'COMPLETED');
  assert.equal((await gate.details(alone)).approval?.state, 'WAITING');
  assert.equal((await gate.listed(users.lucie, '?state=APPROVED')).totalElements, 1);
  assert.equal((await gate.listed(users.olga, '?state=APPROVED&mine=false')).totalElements, 1);
  assert.deepEqual(await gate.decided(users.lucie, second, 'APPROVED', 'For the year.'), decided, 'repeated');
  const { entries } = await gate.workspace.read<AuditPage>('/api/v1/audit?action=order.approved');
  assert.deepEqual(entries.map(({ subjectId }) => subjectId).toSorted(), [first, second, third].toSorted());
});

test('of approvers on two nodes who decide a batch at once, by any of its orders, one decides all of it', async () => {
  const gate = await openGate(service);
  const elena = await signIn(other, { role: 'APPROVER', email: 'elena@example.com', workspace: gate.workspace.id });
  for (let nth = 0; nth < 5; nth++) {
    const ids = await sendBatch(gate, `race-${nth}`, 4);
    await waiting(gate, 1);
    const answers = await Promise.all([
      gate.decide(gate.users.lucie, [ids[nth % 4] ?? ''], 'APPROVED'),
      gate.decide(elena, [ids[(nth + 1) % 4] ?? ''], 'DECLINED', 'No.'),
      gate.decide(gate.users.lucie, ids, 'DECLINED', 'No, sorry.'),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
    const decided = await Promise.all(ids.map((id) => gate.details(id)));
    assert.deepEqual(new Set(decided.map(({ approval }) => approval?.state)).size, 1);
    assert.deepEqual(new Set(decided.map(({ approval }) => approval?.decisions[0]?.by?.name)).size, 1);
    assert.deepEqual(
      decided.map(({ approval }) => approval?.decisions.length),
      [1, 1, 1, 1],
    );
  }
});

test('who receives a gift of one order decides about none of its batch', async () => {
  const gate = await openGate(service);
  const first = await gate.send(null, { ...to('a@example.com'), ...batch('with-lucie', 2) });
  await gate.send(null, { ...to('lucie@example.com'), ...batch('with-lucie', 2) });
  await eventually(
    () => gate.listed(gate.users.elena),
    ({ totalElements }) => totalElements === 1,
  );
  assert.deepEqual(await gate.asked(first), ['Elena Brandt']);
  assert.equal((await gate.listed(gate.users.lucie)).totalElements, 0);
  refusal(await gate.decide(gate.users.lucie, first, 'APPROVED'), 404);
  await gate.decided(gate.users.elena, first, 'APPROVED');
});

test('an order of a batch is not declined before approvers are asked about it', async () => {
  const gate = await openGate(service);
  const ids = await sendBatch(gate, 'slow', 2);
  const first = await gate.send(null, { ...to('later@example.com'), ...batch('slower', 2) });
  await waiting(gate, 1);
  await database.transaction((tx) => advanceClock(tx, gate.workspace.id, 8 * 86_400));
  for (const id of ids) assert.equal((await gate.workspace.finished(id)).requestStatus, 'FAILED');
  assert.equal((await gate.details(first)).approval?.state, 'WAITING');
  await passQuietMinute(gate);
  assert.equal((await gate.workspace.finished(first)).requestStatus, 'FAILED');
  const { events } = await gate.workspace.read<{ events: { type: string; data: { requestId?: string } }[] }>(
    '/api/v1/events?size=1000',
  );
  const types = events.flatMap(({ type, data }) => (data.requestId === first ? type : []));
  assert.deepEqual(types, ['order.waiting', 'order.declined', 'order.failed']);
});

test('a batch that stops half way is asked about after a minute, and what comes later is another request', async () => {
  const gate = await openGate(service);
  const early = [
    await gate.send(null, { ...to('a@example.com'), ...batch('cut', 4) }),
    await gate.send(null, { ...to('b@example.com'), ...batch('cut', 4) }),
  ];
  await passQuietMinute(gate);
  await waiting(gate, 1);
  const late = await gate.send(null, { ...to('c@example.com'), ...batch('cut', 4) });
  await gate.decided(gate.users.lucie, early[0] ?? '', 'APPROVED');
  for (const id of early) assert.equal((await gate.workspace.finished(id)).requestStatus, 'COMPLETED');
  assert.equal((await gate.details(late)).approval?.state, 'WAITING');
  await passQuietMinute(gate);
  const { approvals } = await waiting(gate, 1);
  assert.deepEqual(approvals[0]?.order?.batch?.requestIds, [late]);
});

test('orders that ask for another reason, or of another batch, are requests of their own', async () => {
  const gate = await openGate(service);
  await gate.send(null, { ...to('a@example.com'), ...batch('one', 2), note: 'For the launch.' });
  await gate.send(null, { ...to('b@example.com'), ...batch('one', 2), note: 'For the winter.' });
  await gate.send(null, { ...to('c@example.com'), ...batch('two', 2), note: 'For the launch.' });
  await gate.changeRule({ days: 3 });
  await gate.send(null, { ...to('d@example.com'), ...batch('two', 2), note: 'For the launch.' });
  await passQuietMinute(gate);
  const { approvals } = await waiting(gate, 4);
  assert.deepEqual(
    approvals.map(({ order }) => order?.batch?.requestIds.length),
    [1, 1, 1, 1],
  );
});

test('a batch on which nobody decides is declined as a whole, and an order of it that is tried again waits alone', async () => {
  const gate = await openGate(service);
  const ids = await sendBatch(gate, 'late', 3);
  await waiting(gate, 1);
  const { approval } = await gate.details(ids[0] ?? '');
  const days = await Promise.all(ids.map((id) => gate.details(id)));
  assert.deepEqual(new Set(days.map((one) => one.approval?.decideBy)), new Set([approval?.decideBy]));
  await database.transaction((tx) => advanceClock(tx, gate.workspace.id, 8 * 86_400));
  for (const id of ids) assert.equal((await gate.workspace.finished(id)).requestStatus, 'FAILED');
  assert.equal((await gate.listed(gate.users.olga, '?state=EXPIRED&mine=false')).totalElements, 1);
  const again = ids[0] ?? '';
  const { status } = await gate.workspace.call(`/api/v1/orders/${again}/retry`, { method: 'POST', body: {} });
  assert.equal(status, 200);
  const { approvals } = await waiting(gate, 1);
  assert.deepEqual([approvals[0]?.order?.requestId, approvals[0]?.order?.batch], [again, null]);
});

test('ten thousand gifts in ten orders are one decision', async () => {
  const gate = await openGate(service);
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      gate.send(null, {
        orderItems: Array.from({ length: 1_000 }, (_, item) =>
          aGift({ amount: 101, recipient: { email: `p${nth}-${item}@example.com` } }),
        ),
        ...batch('everybody', 10),
      }),
    ),
  );
  const { approvals } = await waiting(gate, 1);
  assert.deepEqual(
    [approvals[0]?.order?.batch?.gifts, approvals[0]?.order?.batch?.total, approvals[0]?.order?.batch?.orders],
    [10_000, 1_010_000, 10],
  );
  const decided = await gate.decided(gate.users.lucie, ids[3] ?? '', 'DECLINED', 'Next year.');
  assert.deepEqual([decided.length, new Set(decided.map(({ state }) => state))], [10, new Set(['DECLINED'])]);
  for (const id of ids) assert.equal((await gate.workspace.finished(id)).requestStatus, 'FAILED');
});
