import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { beginDuePeriods } from '../../src/giving/budgets/allowances.ts';
import { readBudget } from '../../src/giving/budgets/read.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import type { NewBudget } from '../../src/ground/contract/budget.ts';
import type { LedgerEntryPage } from '../../src/ground/contract/ledger-entry.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { sealAsIs } from '../support/seals.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const year = new Date().getUTCFullYear() + 1;

async function open(timeZone: string, moment: string, budget: Partial<NewBudget>) {
  const workspace = await openWorkspace(service);
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone } });
  await advanceTo(workspace, moment);
  const { id } = await setBudget(database, workspace.id, budget);
  return { workspace, id };
}

async function advanceTo({ id }: TestWorkspace, moment: string): Promise<void> {
  await database.transaction(async (tx) => {
    const now = Date.parse(await lockWorkspace(tx, id));
    await advanceClock(tx, id, (Date.parse(moment) - now) / 1_000);
  });
}

/** Lets the period of all budgets have ended at the start of this year, while no worker ran. */
async function endPeriods({ id }: TestWorkspace): Promise<void> {
  await database.query(`update budgets set lapses_at = date_trunc('year', now()) where workspace_id = $1`, [id]);
  await sealAsIs(database, id);
}

/** Type, note and amount of the entries about periods, the oldest first. */
async function periodsOf(workspace: TestWorkspace, id: number): Promise<string[]> {
  const { entries } = await workspace.read<LedgerEntryPage>(`/api/v1/budgets/${id}/entries?size=100`);
  return entries
    .filter(({ type }) => type === 'LAPSED' || type === 'ALLOTTED')
    .map(({ type, note, amount }) => `${type} ${note} ${amount}`)
    .reverse();
}

test('what is available lapses at the end of the month where the workspace is, once, and what is reserved stays', async () => {
  // Clocks go forward in this month: it ends an hour earlier than it began, in UTC.
  const { workspace, id } = await open('Europe/Berlin', `${year}-03-10T12:00:00Z`, { amount: 100, lapses: 'MONTH' });
  await workspace.finished(await workspace.submit([aGift({ amount: 30 })]));
  assert.equal((await readBudget(database, workspace.id, id)).lapsesAt, `${year}-03-31T22:00:00.000Z`);
  await advanceTo(workspace, `${year}-03-31T21:59:59Z`);
  await beginDuePeriods(database);
  assert.deepEqual(await periodsOf(workspace, id), []);
  await advanceTo(workspace, `${year}-03-31T22:00:01Z`);
  await Promise.all([beginDuePeriods(database), beginDuePeriods(database)]);
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-03 70`]);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 30, 0]);
  const { entries } = await workspace.read<LedgerEntryPage>(`/api/v1/budgets/${id}/entries`);
  assert.equal(entries[0]?.at, `${year}-03-31T22:00:00.000000Z`);
  const events = await database.query<{ data: object }>(
    `select data from events where workspace_id = $1 and type = 'budget.lapsed'`,
    [workspace.id],
  );
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ budgetId: id, memberId: null, currency: 'CAD', available: 0, amount: 70, period: `${year}-03` }],
  );
  await checkLedger(database);
});

test('periods that no node saw end lapse one after the other, each before its next allowance', async () => {
  const { workspace, id } = await open('America/Toronto', `${year}-11-10T12:00:00Z`, {
    amount: 5,
    allowance: { amount: 50, every: 'MONTH' },
    lapses: 'MONTH',
  });
  await advanceTo(workspace, `${year + 1}-01-02T12:00:00Z`);
  await Promise.all([beginDuePeriods(database), beginDuePeriods(database)]);
  assert.deepEqual(await periodsOf(workspace, id), [
    `ALLOTTED ${year}-11 50`,
    `LAPSED ${year}-11 55`,
    `ALLOTTED ${year}-12 50`,
    `LAPSED ${year}-12 50`,
    `ALLOTTED ${year + 1}-01 50`,
  ]);
  await checkLedger(database);
});

test('monthly allowances that lapse at the end of the year add up until then', async () => {
  const { workspace, id } = await open('Pacific/Auckland', `${year}-10-10T12:00:00Z`, {
    amount: 1,
    allowance: { amount: 10, every: 'MONTH' },
    lapses: 'YEAR',
  });
  await advanceTo(workspace, `${year}-12-31T11:00:01Z`);
  await beginDuePeriods(database);
  assert.deepEqual((await periodsOf(workspace, id)).slice(-3), [
    `ALLOTTED ${year}-12 10`,
    `LAPSED ${year} 31`,
    `ALLOTTED ${year + 1}-01 10`,
  ]);
  await checkLedger(database);
});

test('money that returns after its period has lapsed can be used until the end of the period in which it returns', async () => {
  const { workspace, id } = await open('UTC', `${year}-05-10T12:00:00Z`, { amount: 40, lapses: 'MONTH' });
  const { certificates } = await workspace.outcome(await workspace.submit([aGift({ amount: 40 })]));
  await advanceTo(workspace, `${year}-06-05T00:00:00Z`);
  await beginDuePeriods(database);
  await workspace.cancelGift(certificates[0]?.id);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [40, 0, 0, 0]);
  await advanceTo(workspace, `${year}-07-01T00:00:00Z`);
  await beginDuePeriods(database);
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-06 40`]);
  await checkLedger(database);
});

test('an order that comes after the end of a period draws on nothing of it, also if no worker ran', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(database, workspace.id, { amount: 40, lapses: 'YEAR' });
  await endPeriods(workspace);
  assert.match(refusal(await workspace.order([{ email: 'ada@example.com' }]), 402), /and 0.00 CAD is left/);
  const [lapsed] = await periodsOf(workspace, id);
  assert.equal(lapsed, `LAPSED ${new Date().getUTCFullYear() - 1} 40`);
  await checkLedger(database);
});

test('an order draws on nothing of a period that has ended by the test clock, which is ahead', async () => {
  const { workspace, id } = await open('UTC', `${year}-11-10T12:00:00Z`, { amount: 70, lapses: 'MONTH' });
  await workspace.finished(await workspace.submit([aGift({ amount: 30 })]));
  await advanceTo(workspace, `${year}-12-01T00:00:03Z`);
  assert.match(refusal(await workspace.order([{ email: 'ada@example.com' }]), 402), /and 0.00 CAD is left/);
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-11 40`]);
  await checkLedger(database);
});

test('an order lets only the budget lapse on which it draws', async () => {
  const people = [{ email: 'ada@example.com' }];
  const workspace = await openWorkspace(service, { people, actsAs: 'ada@example.com' });
  const { id: ofWorkspace } = await setBudget(database, workspace.id, { amount: 60, lapses: 'YEAR' });
  const { id: own } = await setBudget(database, workspace.id, {
    amount: 40,
    lapses: 'YEAR',
    memberId: workspace.memberIds[0] as number,
  });
  await endPeriods(workspace);
  const order = { method: 'POST', body: anOrder() };
  assert.match(refusal(await workspace.call('/api/v1/orders', order), 402), /0\.00 CAD is left in the budget of/);
  const lastYear = new Date().getUTCFullYear() - 1;
  assert.deepEqual(await periodsOf(workspace, own), [`LAPSED ${lastYear} 40`]);
  assert.deepEqual(await periodsOf(workspace, ofWorkspace), []);
  await beginDuePeriods(database);
  assert.deepEqual(await periodsOf(workspace, ofWorkspace), [`LAPSED ${lastYear} 60`]);
  await checkLedger(database);
});

test('money that is granted just after the end of a period is kept, and the rest lapses, also if no worker ran', async () => {
  const { workspace, id } = await open('UTC', `${year}-11-10T12:00:00Z`, { amount: 70, lapses: 'MONTH' });
  await advanceTo(workspace, `${year}-12-01T00:00:03Z`);
  const change = (verb: string, amount: number) =>
    workspace.call(`/api/v1/budgets/${id}/${verb}`, { method: 'POST', body: { amount } });
  assert.match(refusal(await change('withdrawals', 10), 409), /0\.00 CAD can be withdrawn/);
  assert.equal((await change('grants', 500)).status, 201);
  await beginDuePeriods(database);
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-11 70`]);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [500, 0, 0, 0]);
  await checkLedger(database);
});

test('a gift that returns just after the end of a period is kept, and the rest lapses, also if no worker ran', async () => {
  const { workspace, id } = await open('UTC', `${year}-11-10T12:00:00Z`, { amount: 100, lapses: 'MONTH' });
  const { certificates } = await workspace.outcome(await workspace.submit([aGift({ amount: 30 })]));
  await advanceTo(workspace, `${year}-12-01T00:00:03Z`);
  await workspace.cancelGift(certificates[0]?.id);
  await beginDuePeriods(database);
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-11 70`]);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [30, 0, 0, 0]);
  await checkLedger(database);
});

test('an expired gift is not extended with money of a period that has ended', async () => {
  const { workspace, issue, repair, setExpiry } = await giftsOf(service);
  const { id } = await setBudget(database, workspace.id, { amount: 50, lapses: 'YEAR' });
  const [gift] = (await issue({ email: 'ada@example.com' })) as [number];
  await setExpiry(gift, new Date(Date.now() - 1_000));
  await expireGifts(database);
  await endPeriods(workspace);
  assert.match(refusal(await repair(gift, 'extend', { expiresOn: null }), 402), /0\.00 CAD is left/);
  await beginDuePeriods(database);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 0, 0]);
  await checkLedger(database);
});

test('what is due lapses before the terms of a budget change or it is closed', async () => {
  for (const lapses of ['YEAR', null]) {
    const { workspace, id } = await open('UTC', `${year}-11-10T12:00:00Z`, { amount: 70, lapses: 'MONTH' });
    await advanceTo(workspace, `${year}-12-01T00:00:03Z`);
    const { status } = await workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { lapses } });
    assert.equal(status, 200);
    assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-11 70`]);
    assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 0, 0]);
  }
  const { workspace, id } = await open('UTC', `${year}-11-10T12:00:00Z`, { amount: 70, lapses: 'MONTH' });
  await advanceTo(workspace, `${year}-12-01T00:00:03Z`);
  await workspace.call(`/api/v1/budgets/${id}`, { method: 'DELETE' });
  assert.deepEqual(await periodsOf(workspace, id), [`LAPSED ${year}-11 70`]);
  await checkLedger(database);
});

test('a yearly allowance cannot lapse each month, and a budget that stays keeps its money', async () => {
  const { workspace, id } = await open('UTC', `${year}-05-10T12:00:00Z`, {
    amount: 40,
    allowance: { amount: 5, every: 'YEAR' },
  });
  const patch = (body: object) => workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body });
  assert.match(refusal(await patch({ lapses: 'MONTH' }), 400), /lapses must be YEAR/);
  assert.equal((await patch({ lapses: 'YEAR' })).status, 200);
  assert.match(refusal(await patch({ lapses: 'MONTH', allowance: { amount: 6, every: 'YEAR' } }), 400), /lapses must/);
  assert.equal((await patch({ lapses: null })).status, 200);
  await advanceTo(workspace, `${year + 1}-01-01T00:00:01Z`);
  await beginDuePeriods(database);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [50, 0, 0, 0]);
  assert.equal((await patch({ lapses: 'MONTH', allowance: { amount: 7, every: 'MONTH' } })).status, 200);
  assert.equal((await patch({ allowance: null, lapses: null })).status, 200);
  await checkLedger(database);
});
