import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { deleteRule } from '../../src/giving/approvals/rules.ts';
import { addEarlierOrders } from '../../src/giving/approvals/sender-months.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { heard, openGate, setRule } from '../support/approvals.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';

const tokenKey = 'a key that both nodes of this test have';
const service = await startService({ tokenKey });
const other = await startService({ database: service.database, tokenKey });
const { database } = service;

type Gate = Awaited<ReturnType<typeof openGate>>;
const monthly = { measure: 'SENDER_MONTH' as const, above: 100 };
const yearly = { measure: 'RECIPIENT_YEAR' as const, above: 100 };

/** Sends a gift, and says whether it waits. */
async function waits(gate: Gate, by: Browser | null, amount: number, recipient: object = { employeeNumber: '4' }) {
  const requestId = await gate.send(by, { orderItems: [aGift({ amount, recipient })] });
  return (await gate.details(requestId)).approval?.state === 'WAITING' ? requestId : null;
}

test("a rule by the sender's month counts what they send from any source, and takes back what fails", async () => {
  const gate = await openGate(service, [{ ...monthly, from: { role: 'PEOPLE_TEAM' } }]);
  const { priya, lucie } = gate.users;
  const { token } = await service.addToken({ workspaces: [gate.workspace.id], actsAs: 'priya@example.com' });
  // A token's orders count, and the rule does not fit them.
  const [sent] = [await gate.send(null, { orderItems: [aGift({ amount: 60 })] }, { token })];
  assert.equal((await gate.details(sent)).approval, null);
  assert.equal(await waits(gate, priya, 40), null, '100.00 is not above 100.00');
  const held = await waits(gate, priya, 0.01 + 1);
  assert.ok(held);
  await gate.decided(lucie, held, 'DECLINED', 'No.');
  const again = await waits(gate, priya, 5);
  assert.ok(again, 'the total is above without the declined order too');
  await gate.decided(lucie, again, 'DECLINED', 'No.');
  const [row] = await database.query<{ total: number }>(
    'select sum(counted + earlier) as total from sender_months where workspace_id = $1',
    [gate.workspace.id],
  );
  assert.equal(row?.total, 100);
  // Each sender has a total of their own.
  assert.equal(await waits(gate, gate.users.olga, 90), null);
});

test('records that are merged count together, and a new month begins at nothing', async () => {
  const gate = await openGate(service, [monthly]);
  const { workspace, ids, users } = gate;
  const [alias] = await workspace.addPeople([{ email: 'p.nair@example.com' }]);
  const { token } = await service.addToken({ workspaces: [workspace.id], actsAs: 'p.nair@example.com' });
  await gate.send(null, { orderItems: [aGift({ amount: 70 })] }, { token });
  assert.equal(await waits(gate, users.priya, 20), null);
  await workspace.merge(alias as number, ids.priya);
  assert.ok(await waits(gate, users.priya, 20));
  await database.transaction((tx) => advanceClock(tx, workspace.id, 32 * 86_400));
  assert.equal(await waits(gate, users.priya, 100), null);
  assert.ok(await waits(gate, users.priya, 1));
});

test('orders that two nodes accept at the same time do not exceed the total unseen', async () => {
  const gate = await openGate(service, [monthly]);
  await heard(other, gate.workspace);
  const priya = await signIn(other, { role: 'PEOPLE_TEAM', email: 'priya@example.com', workspace: gate.workspace.id });
  const both = [gate.users.priya, priya];
  const answers = await Promise.all(Array.from({ length: 12 }, (_, nth) => waits(gate, both[nth % 2] as Browser, 20)));
  assert.equal(answers.filter((one) => one === null).length, 5);
});

test('what was sent in the month before a rule was added counts once every node knows the rule', async () => {
  const gate = await openGate(service, []);
  const { workspace, users } = gate;
  const [completed, open] = [
    await gate.send(users.priya, { orderItems: [aGift({ amount: 50 })] }),
    await gate.send(users.priya, { orderItems: [aGift({ amount: 40 })] }),
  ];
  await workspace.finished(completed);
  await workspace.finished(open);
  await setRule(database, workspace.id, monthly);
  await heard(service, workspace);
  const counted = await gate.send(users.priya, { orderItems: [aGift({ amount: 5 })] });
  await addEarlierOrders(database, 0);
  await addEarlierOrders(database, 0);
  assert.equal(await waits(gate, users.priya, 5), null);
  assert.ok(await waits(gate, users.priya, 1));
  assert.equal((await gate.details(counted)).approval, null);
});

const without = ({ workspace }: Gate, { id }: { id: number }) =>
  inWorkspace(database, workspace.id, (tx) => deleteRule(tx, theService, workspace.id, id));

test('a rule in another currency that is added and deleted does not change a total', async () => {
  const gate = await openGate(service, [monthly]);
  assert.equal(await waits(gate, gate.users.priya, 100), null);
  const counts = () =>
    database.query(`select * from sender_month_counts where workspace_id = $1 and currency = 'CAD'`, [
      gate.workspace.id,
    ]);
  const before = await counts();
  const euros = await setRule(database, gate.workspace.id, { ...monthly, currency: 'EUR' });
  assert.ok(await waits(gate, gate.users.priya, 1), 'after the rule was added');
  await without(gate, euros);
  assert.ok(await waits(gate, gate.users.priya, 1), 'after the rule was deleted');
  assert.deepEqual(await counts(), before);
});

test('the delete of a rule removes no row of its totals, and a rule after it begins with the orders of the month', async () => {
  const gate = await openGate(service, []);
  const { workspace, users } = gate;
  const rule = await setRule(database, workspace.id, { ...monthly, from: { role: 'PEOPLE_TEAM' } });
  await heard(service, workspace);
  assert.equal(await waits(gate, users.priya, 60), null);
  const held = await waits(gate, users.priya, 70);
  assert.ok(held);
  const rows = async () =>
    (
      await database.query(
        `select currency, month, member_id, amount from sender_month_orders where workspace_id = $1
         union all select currency, month, member_id, counted from sender_months where workspace_id = $1`,
        [workspace.id],
      )
    ).length;
  assert.equal(await rows(), 3);
  await without(gate, rule);
  assert.equal(await rows(), 3);
  await workspace.finished(await gate.send(users.priya, { orderItems: [aGift({ amount: 30 })] }));
  assert.equal(await rows(), 3, 'without a rule nothing is counted');

  await setRule(database, workspace.id, monthly);
  await heard(service, workspace);
  await addEarlierOrders(database, 0);
  await gate.decided(users.lucie, held, 'DECLINED', 'No.');
  assert.equal(await waits(gate, users.priya, 10), null, '60.00 and 30.00 were sent before, and 70.00 was declined');
  assert.ok(await waits(gate, users.priya, 1));
});

test("a rule by a recipient's year counts all senders, waiting orders and every name of the person", async () => {
  const gate = await openGate(service, [yearly]);
  const { users, workspace } = gate;
  const byNumber = { employeeNumber: '4' };
  const byAddress = { email: 'owner@example.com' };
  assert.equal(await waits(gate, users.priya, 60, byNumber), null);
  assert.equal(await waits(gate, null, 40, byAddress), null);
  const held = await waits(gate, users.priya, 1, byAddress);
  assert.ok(held);
  assert.equal(await waits(gate, users.priya, 99, { employeeNumber: '1' }), null, 'another person');
  const body = anOrder({ orderItems: [aGift({ amount: 1, recipient: byNumber })] });
  const tried = await workspace.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body });
  assert.equal(tried.body.rule?.name, 'Large gifts');
  // Otherwise a worker declines it when the clock has moved.
  await database.query(`update order_approvals set due_at = due_at + interval '2 years' where workspace_id = $1`, [
    workspace.id,
  ]);
  await database.transaction((tx) => advanceClock(tx, workspace.id, 366 * 86_400));
  // The order that waits counts in the year in which it may be fulfilled.
  assert.equal(await waits(gate, null, 99, byNumber), null);
  assert.ok(await waits(gate, null, 1, byNumber));
});

test('two gifts of one order to the same person count together, and a trial counts nothing', async () => {
  const gate = await openGate(service, [yearly]);
  const body = anOrder({ orderItems: [aGift({ amount: 60 }), aGift({ amount: 60 })] });
  const validate = async () =>
    (await gate.workspace.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body })).body.rule;
  assert.equal((await validate())?.outcome, 'ASK');
  assert.equal((await validate())?.outcome, 'ASK');
  assert.equal(await waits(gate, null, 60), null);
});
