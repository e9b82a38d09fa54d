import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { checkLedger, setBudget } from '../support/budgets.ts';
import { whileBusy } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { startService, type TestService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const tokenKey = 'the-key-that-both-nodes-of-this-file-share';
const node = await startService({ tokenKey });
const other = await startService({ tokenKey, database: node.database });
const { database } = node;

const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' },
  { email: 'bo@example.com', firstName: 'Bo', employeeNumber: '2' },
];

async function openCapped(amount = 100): Promise<TestWorkspace> {
  const workspace = await openWorkspace(node, { people });
  await setCaps(workspace, [{ currency: 'CAD', amount }]);
  return workspace;
}

async function setCaps(workspace: TestWorkspace, recipientCaps: object[]): Promise<void> {
  const { status, body } = await workspace.call('/api/v1/settings', { method: 'PATCH', body: { recipientCaps } });
  assert.equal(status, 200, JSON.stringify(body));
  // The other node keeps grants in memory, and hears of the change.
  await other.call('/api/v1/settings', { token: workspace.token, workspace: workspace.id });
}

type Line = [recipient: object, amount: number];

function send({ id, token }: TestWorkspace, lines: Line[], { currency = 'CAD', via = node, order = {} } = {}) {
  const orderItems = lines.map(([recipient, amount]) => aGift({ recipient, amount }));
  const call = { method: 'POST', token, workspace: id, body: anOrder({ currency, orderItems, ...order }) };
  return whileBusy(() => via.call<{ requestId: string }>('/api/v1/orders', call));
}

const ada = { email: 'ada@example.com' };
const bo = { employeeNumber: '2' };

test('an order that gives a person more than the yearly limit is rejected, and says what is left', async () => {
  const workspace = await openCapped();
  const first = await send(workspace, [[ada, 60]]);
  assert.equal(first.status, 201);
  const year = new Date().getFullYear();
  assert.equal(
    refusal(await send(workspace, [[{ employeeNumber: '1' }, 40.01]]), 402),
    `The workspace's limit is 100.00 CAD for one person in ${year}, and 40.00 CAD is left for Ada Lovelace: send gifts for less, or have the limit raised.`,
  );
  await workspace.finished(first.body.requestId);
  refusal(
    await send(workspace, [
      [ada, 20],
      [{ employeeNumber: '1' }, 20.01],
    ]),
    402,
  );
  assert.equal((await send(workspace, [[ada, 40]])).status, 201);
  refusal(await send(workspace, [[ada, 1]]), 402);
  assert.equal((await send(workspace, [[bo, 100]])).status, 201);
  assert.equal((await send(workspace, [[ada, 500]], { currency: 'USD' })).status, 201, 'other currencies do not count');
  await setCaps(workspace, []);
  assert.equal((await send(workspace, [[ada, 500]])).status, 201);
});

test('a person who is new counts by each of their addresses and numbers, before and after they are added', async () => {
  const workspace = await openCapped();
  const both = { email: 'new@example.com', employeeNumber: '9' };
  assert.equal((await send(workspace, [[both, 70]])).status, 201);
  refusal(await send(workspace, [[{ employeeNumber: '9' }, 31]]), 402);
  const second = await send(workspace, [[{ email: 'NEW@example.com' }, 30]]);
  await workspace.finished(second.body.requestId);
  refusal(await send(workspace, [[{ employeeNumber: '9' }, 1]]), 402);
});

test('merged records of a person count together, and a cancelled gift gives its amount back', async () => {
  const workspace = await openCapped();
  const [adaId, boId] = workspace.memberIds as [number, number];
  const orders = [await send(workspace, [[ada, 60]]), await send(workspace, [[bo, 30]])];
  const [certificate] = (await workspace.outcome(orders[0]?.body.requestId as string)).certificates;
  await workspace.finished(orders[1]?.body.requestId as string);
  await workspace.merge(boId, adaId);
  refusal(await send(workspace, [[ada, 11]]), 402);
  const cancelled = await workspace.call(`/api/v1/gifts/${certificate?.id}/cancel`, { method: 'POST' });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.equal((await send(workspace, [[ada, 70]])).status, 201);
  refusal(await send(workspace, [[ada, 1]]), 402);
});

test('an order that has failed gives its amount back, and a retry counts once', async () => {
  const workspace = await openCapped();
  await database.pool.query(`
    create or replace function curse() returns trigger language plpgsql as
      $$ begin if new.message = 'poison' then raise exception 'cursed'; end if; return new; end $$;
    create trigger curse before insert on certificates for each row execute function curse()`);
  const orderItems = [aGift({ amount: 80, recipient: ada, message: 'poison' })];
  const { body } = await send(workspace, [], { order: { orderItems } });
  assert.equal((await workspace.finished(body.requestId)).requestStatus, 'FAILED');
  await database.pool.query('drop trigger curse on certificates');
  assert.equal((await send(workspace, [[ada, 30]])).status, 201);
  const retry = () => workspace.call(`/api/v1/orders/${body.requestId}/retry`, { method: 'POST' });
  refusal(await retry(), 402);
  await setCaps(workspace, [{ currency: 'CAD', amount: 110 }]);
  assert.equal((await retry()).status, 200);
  refusal(await send(workspace, [[ada, 1]]), 402);
});

test('the year begins in the time zone of the workspace, and gifts of the last year do not count', async () => {
  const workspace = await openCapped();
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone: 'Pacific/Auckland' } });
  const advanceTo = (moment: string) =>
    database.transaction(async (tx) => {
      const now = Date.parse(await lockWorkspace(tx, workspace.id));
      await advanceClock(tx, workspace.id, (Date.parse(moment) - now) / 1_000);
    });
  const year = new Date().getUTCFullYear() + 2;
  await advanceTo(`${year}-12-31T10:30:00Z`);
  const { body } = await send(workspace, [[ada, 100]]);
  await workspace.finished(body.requestId);
  refusal(await send(workspace, [[ada, 1]]), 402);
  await advanceTo(`${year}-12-31T11:00:01Z`);
  assert.equal((await send(workspace, [[ada, 100]])).status, 201);
  assert.match(refusal(await send(workspace, [[ada, 1]]), 402), new RegExp(`in ${year + 1}, and 0.00 CAD`));
});

test('a manager learns what is left for their reports alone', async () => {
  const workspace = await openCapped();
  const [managerId, reportId] = await workspace.addPeople([
    { email: 'mel@example.com', firstName: 'Mel' },
    { email: 'rae@example.com', firstName: 'Rae' },
  ]);
  await database.query('update members set manager_id = $3 where workspace_id = $1 and id = $2', [
    workspace.id,
    reportId,
    managerId,
  ]);
  const manager = await signIn(node, { workspace: workspace.id, role: 'MANAGER', email: 'mel@example.com' });
  const order = (email: string) => ({
    method: 'POST',
    body: anOrder({ orderItems: [aGift({ amount: 101, recipient: { email } })] }),
  });
  assert.match(
    refusal(await manager.call('/api/v1/orders', order('rae@example.com')), 402),
    /100.00 CAD is left for Rae/,
  );
  const hidden = refusal(await manager.call('/api/v1/orders', order('ada@example.com')), 402);
  assert.equal(
    hidden,
    "A recipient would get more than the workspace's limit for one person in a year: send gifts for less, or ask the people team.",
  );
  const trial = await manager.call<OrderValidation>('/api/v1/orders/validate', order('ada@example.com'));
  assert.deepEqual(trial.body.faults, [
    { path: 'orderItems[0].amount', item: 0, problem: "exceeds the workspace's limit for one person in a year" },
  ]);
  const seen = await manager.call<OrderValidation>('/api/v1/orders/validate', order('rae@example.com'));
  assert.match(seen.body.faults[0]?.problem ?? '', /: 100.00 CAD is left for this person$/);
});

test('a token that cannot read gifts learns that the limit is exceeded, and no amount', async () => {
  const workspace = await openCapped();
  const { token } = await node.addToken({ workspaces: [workspace.id], scopes: ['orders:write'] });
  const order = { method: 'POST', token, body: anOrder({ orderItems: [aGift({ amount: 101, recipient: ada })] }) };
  assert.equal(
    refusal(await workspace.call('/api/v1/orders', order), 402),
    "A recipient would get more than the workspace's limit for one person in a year: send gifts for less, or ask the people team.",
  );
  const trial = await workspace.call<OrderValidation>('/api/v1/orders/validate', order);
  assert.deepEqual(
    trial.body.faults.map(({ problem }) => problem),
    ["exceeds the workspace's limit for one person in a year"],
  );
});

test('random orders at once over two nodes never give a person more than the limit, and the ledger agrees', async () => {
  const line = fc.tuple(
    fc.constantFrom(
      ada,
      bo,
      { employeeNumber: '1' },
      { email: 'new@example.com', employeeNumber: '7' },
      { employeeNumber: '7' },
    ),
    fc.integer({ min: 100, max: 5_000 }).map((cents) => cents / 100),
  );
  const orders = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(orders, async (all) => {
      const workspace = await openCapped();
      await setBudget(database, workspace.id, { amount: 250 });
      const answers = await Promise.all(
        all.map((lines, nth) => send(workspace, lines as Line[], { via: [node, other][nth % 2] as TestService })),
      );
      const accepted = answers.filter(({ status }) => status === 201);
      assert.ok(accepted.length > 0 && answers.every(({ status }) => status === 201 || status === 402));
      for (const { body } of accepted) await workspace.finished(body.requestId);
      const totals = await database.query<{ total: number }>(
        'select sum(amount) as total from certificates where workspace_id = $1 group by member_id',
        [workspace.id],
      );
      assert.ok(
        totals.every(({ total }) => total <= 100),
        JSON.stringify(totals),
      );
    }),
    { numRuns: runs(12) },
  );
  await checkLedger(database);
});
