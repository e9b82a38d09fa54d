import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGate } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually, whileBusy } from '../support/eventually.ts';
import { countWaiting } from '../support/held-locks.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import type { Browser } from '../support/sign-in.ts';

const service = await startService();
const { database } = service;

/**
 * Two budgets, and orders that wait: one of Olga's has drawn on the second budget, one of Priya's draws on the first when it is approved, because she has changed her
 * department meanwhile.
 */
async function openTwoBudgets() {
  const gate = await openGate(service);
  const { workspace, users, ids } = gate;
  const first = await setBudget(database, workspace.id, { department: 'Later', amount: 100_000 });
  const second = await setBudget(database, workspace.id, { department: 'Support', amount: 100_000 });
  await workspace.change(ids.olga, { department: 'Support' });
  const hold = async () => {
    await workspace.change(ids.priya, { department: 'Before' });
    const held = [await gate.send(users.olga), await gate.send(users.priya)];
    await workspace.change(ids.priya, { department: 'Later' });
    return held;
  };
  return { ...gate, first: first.id, second: second.id, hold };
}

test('a decision about several orders locks their budgets in the order in which acceptance locks them', async () => {
  const { workspace, users, first, second, hold, decide } = await openTwoBudgets();
  const held = await hold();
  const { decision } = await database.transaction(async (tx) => {
    const lock = (id: number) =>
      tx.query('select from budgets where workspace_id = $1 and id = $2 for update', [workspace.id, id]);
    await lock(first);
    const decision = decide(users.lucie, held, 'APPROVED');
    await eventually(
      () => countWaiting(database, 'people'),
      (waiting) => waiting > 0,
    );
    await lock(second);
    return { decision };
  });
  assert.equal((await decision).status, 200);
  for (const requestId of held) assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  for (const id of [first, second]) assert.deepEqual((await balancesOf(database, workspace.id, id))[2], 150);
  await checkLedger(database);
});

test('decisions and orders over the same budgets at once never fail because of each other', async () => {
  const { workspace, users, first, second, hold, decide } = await openTwoBudgets();
  const orders: string[] = [];
  for (let round = 0; round < 6; round++) orders.push(...(await hold()));
  const order = { method: 'POST', body: anOrder({ orderItems: [aGift({ amount: 5 })] }) };
  const send = (by: Browser) => whileBusy(() => by.call('/api/v1/orders', order));
  const decisions = Array.from({ length: 6 }, async (_, nth) => {
    const pair = orders.slice(2 * nth, 2 * nth + 2);
    if (nth % 2) pair.reverse();
    return whileBusy(() =>
      nth % 3 === 2 ? decide(users.elena, pair, 'DECLINED', 'No.') : decide(users.lucie, pair, 'APPROVED'),
    );
  });
  const sent = Array.from({ length: 60 }, (_, nth) => send(nth % 2 ? users.priya : users.olga));
  for (const { status, body } of await Promise.all(decisions)) assert.equal(status, 200, JSON.stringify(body));
  for (const { status } of await Promise.all(sent)) assert.equal(status, 201);
  for (const id of [first, second]) {
    const [available] = await balancesOf(database, workspace.id, id);
    assert.equal(available, 100_000 - 4 * 150 - 30 * 5);
  }
  await checkLedger(database);
});
