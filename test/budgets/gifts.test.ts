import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { readBudget } from '../../src/giving/budgets/read.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import { retryOrder } from '../../src/giving/orders/retry.ts';
import { acceptSteps } from '../../src/steps.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { followEvents } from '../support/events.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
await database.pool.query(`
  create function curse() returns trigger language plpgsql as
    $$ begin if new.message = 'poison' then raise exception 'cursed'; end if; return new; end $$;
  create trigger curse before insert on certificates for each row execute function curse()`);

const past = new Date(Date.now() - 1_000);
const recipients = (count: number) => Array.from({ length: count }, (_, nth) => ({ email: `g${nth}@example.com` }));

test('what gifts cost goes back to their budget when they are cancelled or expire, once', async () => {
  const { workspace, issue, repaired, setExpiry } = await giftsOf(service);
  const { id } = await setBudget(database, workspace.id, { amount: 100 });
  const [cancelled, expired, both, kept] = await issue(...recipients(4));
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 100, 0]);
  await repaired(cancelled as number, 'cancel');
  await repaired(cancelled as number, 'cancel');
  for (const gift of [expired, both]) await setExpiry(gift as number, past);
  await expireGifts(database);
  await repaired(both as number, 'cancel');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [75, 0, 25, 0]);
  await repaired(kept as number, 'extend', { expiresOn: null });
  assert.deepEqual(await balancesOf(database, workspace.id, id), [75, 0, 25, 0]);
  await checkLedger(database);
});

test('a gift that comes back to life is paid again, if its budget still has what it costs', async () => {
  const { workspace, issue, repair, repaired, setExpiry } = await giftsOf(service);
  const { id } = await setBudget(database, workspace.id, { amount: 50 });
  const [first, second] = (await issue(...recipients(2))) as [number, number];
  for (const gift of [first, second]) await setExpiry(gift, past);
  await expireGifts(database);
  await repaired(first, 'extend', { expiresOn: null });
  assert.deepEqual(await balancesOf(database, workspace.id, id), [25, 0, 25, 0]);
  await issue({ email: 'new@example.com' });
  assert.match(
    refusal(await repair(second, 'extend', { expiresOn: null }), 402),
    /costs 25\.00 CAD.* 0\.00 CAD is left/,
  );
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 50, 0]);
  await checkLedger(database);
});

test('an order that fails gives back what it has reserved, and reserves it again when it is retried', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(database, workspace.id, { amount: 30 });
  const requestId = await workspace.submit([aGift({ message: 'poison' })]);
  assert.equal((await workspace.finished(requestId)).requestStatus, 'FAILED');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [30, 0, 0, 0]);
  await workspace.submit([aGift({ amount: 10 })]);
  await assert.rejects(
    retryOrder(database, theService, requestId, acceptSteps),
    /costs 25\.00 CAD, and 20\.00 CAD is left/,
  );
  await setBudget(database, workspace.id, { currency: 'USD', amount: 5 });
  await database.query('update order_requests set body = body || $2::jsonb where request_id = $1', [
    requestId,
    JSON.stringify(anOrder({ orderItems: [aGift({ amount: 20 })] })),
  ]);
  await retryOrder(database, theService, requestId, acceptSteps);
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 30, 0]);
});

test('an order draws on its sender, else on the workspace, and in another currency on nothing', async () => {
  const people = [{ email: 'ada@example.com', firstName: 'Ada' }, { email: 'merged@example.com' }];
  const workspace = await openWorkspace(service, { people, actsAs: 'ada@example.com' });
  const [ada, merged] = workspace.memberIds as [number, number];
  const { id: ofWorkspace } = await setBudget(database, workspace.id, { amount: 40 });
  await workspace.outcome(await workspace.submit([aGift()]));
  const { id: own } = await setBudget(database, workspace.id, { amount: 30, memberId: merged });
  await workspace.outcome(await workspace.submit([aGift({ amount: 5 })]));
  await workspace.merge(merged, ada);
  await workspace.outcome(await workspace.submit([aGift()]));
  assert.deepEqual(await balancesOf(database, workspace.id, ofWorkspace), [10, 0, 30, 0]);
  assert.deepEqual(await balancesOf(database, workspace.id, own), [5, 0, 25, 0]);
  const order = { method: 'POST', body: anOrder() };
  assert.match(refusal(await workspace.call('/api/v1/orders', order), 402), /5\.00 CAD is left in the budget of/);
  const dollars = { method: 'POST', body: anOrder({ currency: 'USD' }) };
  assert.equal((await workspace.call('/api/v1/orders', dollars)).status, 201);
  await checkLedger(database);
});

test('a gift over the limit is refused, and so is a trial of its order', async () => {
  const workspace = await openWorkspace(service);
  await setBudget(database, workspace.id, { amount: 500, giftLimit: 20 });
  const order = (...amounts: number[]) => ({
    method: 'POST',
    body: anOrder({ orderItems: amounts.map((amount) => aGift({ amount })) }),
  });
  assert.equal((await workspace.call('/api/v1/orders', order(20, 20))).status, 201);
  assert.match(
    refusal(await workspace.call('/api/v1/orders', order(5, 20.01)), 402),
    /^A gift of 20\.01 CAD is over the limit of 20\.00 CAD for one gift in the workspace's budget/,
  );
  const trial = async (gifts: number) =>
    (
      await workspace.call<{ valid: boolean; faults: { problem: string }[] }>(
        '/api/v1/orders/validate',
        order(...Array.from({ length: gifts }, () => 20)),
      )
    ).body.faults.map(({ problem }) => problem);
  assert.match((await trial(24)).join(), /^The order costs 480\.00 CAD, and 460\.00 CAD is left/);
  assert.deepEqual(await trial(23), [], 'all that is left can be spent');
});

test('events say what was granted, and when a budget is low or exhausted', async () => {
  const workspace = await openWorkspace(service);
  const { next } = followEvents(workspace);
  const { id } = await setBudget(database, workspace.id, { amount: 100, lowPercents: [50, 20] });
  const send = async (amount: number) => {
    await workspace.finished(await workspace.submit([aGift({ amount })]));
    return (await next())
      .filter(({ type }) => type.startsWith('budget.'))
      .map(({ type, data }) => `${type} ${data.threshold ?? data.available}`);
  };
  const told = [];
  for (const amount of [40, 10, 20, 10.5, 19, 0.5 + 0.5]) told.push(await send(amount).catch(() => ['refused']));
  assert.deepEqual(told, [
    ['budget.granted 100'],
    ['budget.low 50'],
    [],
    ['budget.low 20'],
    ['budget.exhausted 0.5'],
    ['refused'],
  ]);
  assert.equal((await readBudget(database, workspace.id, id)).available, 0.5);
});
