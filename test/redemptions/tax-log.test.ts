import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaxLogPage } from '../../src/ground/contract/tax-log.ts';
import type { TaxTotalsPage } from '../../src/ground/contract/tax-totals.ts';
import { giftsOf } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const year = new Date().getUTCFullYear();
const today = new Date().toISOString().slice(0, 10);

async function openLog() {
  const gifts = await giftsOf(service);
  const { workspace } = gifts;
  await database.query(`update workspaces set time_zone = 'UTC' where id = $1`, [workspace.id]);
  const path = `/api/v1/reports/tax-log?year=${year}`;
  return {
    ...gifts,
    spend: (gift: number, option: string, amount?: number) => spend(database, workspace.id, gift, option, { amount }),
    path,
    log: (query = '') => workspace.read<TaxLogPage>(`${path}${query}`),
  };
}

test('the log has each gift of the year with name, date, reason, type, amount and retailer', async () => {
  const { workspace, issue, repaired, setExpiry, spend, log } = await openLog();
  const ada = { email: 'ada@example.com', employeeNumber: 'A-1', firstName: 'Ada', lastName: 'Lovelace' };
  const [spent, unclaimed, cancelled, expired] = (await issue(ada, { email: 'ida@example.com' }, ada, ada)) as number[];
  await offerSpendingOption(database, workspace.id, 'shop');
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Food bank', position: 1 });
  await claim(database, workspace.id, spent as number);
  await spend(spent as number, 'payroll', 10);
  await spend(spent as number, 'shop', 5);
  await spend(spent as number, 'charity', 4);
  const { redemption } = await spend(spent as number, 'shop', 1);
  await workspace.call(`/api/v1/gifts/redemptions/${redemption.id}/void`, { method: 'POST' });
  await repaired(cancelled as number, 'cancel');
  await setExpiry(expired as number, new Date(Date.now() - 1_000));
  await offerSpendingOption(database, workspace.id, 'shop', { name: 'Renamed', taxType: 'NON_CASH' });
  const { lines } = await log();
  assert.deepEqual(
    lines.map(({ giftId, firstName, date, type, spendingOptionName, retailer, amount, spentOn }) =>
      [
        giftId === spent ? 'spent' : giftId === unclaimed,
        firstName,
        date,
        type,
        spendingOptionName,
        retailer,
        amount,
        spentOn,
      ].join(' | '),
    ),
    [
      `spent | Ada | ${today} | UNSPENT |  |  | 6 | `,
      `spent | Ada | ${today} | CASH | With the next salary |  | 10 | ${today}`,
      `spent | Ada | ${today} | NEAR_CASH | Book shop | Book shop | 5 | ${today}`,
      `spent | Ada | ${today} | NON_CASH | Food bank | Food bank | 4 | ${today}`,
      `true |  | ${today} | UNSPENT |  |  | 25 | `,
    ],
  );
  assert.ok(lines.every(({ reason }) => reason !== ''));
  assert.deepEqual((await workspace.read<TaxLogPage>(`/api/v1/reports/tax-log?year=${year - 1}`)).lines, []);
});

async function readPages(log: (query: string) => Promise<TaxLogPage>, size: number) {
  const paged = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: TaxLogPage = await log(`&size=${size}${next && `&after=${next}`}`);
    paged.push(...page.lines);
    next = page.next;
  }
  return paged;
}

test('pages of any size and the CSV file have the same lines, also of one person with two records', async () => {
  const { workspace, issue, spend, log, path } = await openLog();
  const people = ['ada', 'ida', 'eva'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  for (const gift of await issue(...people, ...people, ...people)) {
    await claim(database, workspace.id, gift);
    for (const amount of [1, 2]) await spend(gift, 'payroll', amount);
  }
  const all = (await log('&size=1000')).lines;
  assert.equal(all.length, 27);
  for (const size of [1, 4, 26]) assert.deepEqual(await readPages(log, size), all);
  const { body } = await workspace.call<string>(path, { headers: { Accept: 'text/csv' } });
  const rows = body.trim().split('\n');
  assert.equal(
    rows[0],
    'memberId,employeeNumber,firstName,lastName,date,reason,type,spendingOptionName,retailer,amount,currency,spentOn,giftId,redemptionId',
  );
  assert.deepEqual(
    rows.slice(1).map((row) => row.split(',').slice(-2).join()),
    all.map(({ giftId, redemptionId }) => `${giftId},${redemptionId ?? ''}`),
  );
  const [ada, ida, eva] = [...new Set(all.map(({ memberId }) => memberId))] as [number, number, number];
  await workspace.merge(eva, ada);
  const owners = (await log('&size=1000')).lines.map(({ memberId }) => memberId);
  assert.deepEqual(
    [...owners].sort((a, b) => a - b),
    owners,
    'the lines of a person stand together',
  );
  assert.deepEqual(await readPages(log, 2), (await log('&size=1000')).lines);
  await workspace.merge(ada, ida);
  const { lines } = await log(`&size=1000&member=${ida}`);
  assert.deepEqual([lines.length, new Set(lines.map(({ memberId }) => memberId))], [27, new Set([ida])]);
});

test('the totals say what each person got by type, and who is over or near a limit of the workspace', async () => {
  const { workspace, issue, repaired, spend } = await openLog();
  const ada = { email: 'ada@example.com', employeeNumber: 'A-1', firstName: 'Ada', lastName: 'Lovelace' };
  const mei = { email: 'mei@example.com', firstName: 'Mei' };
  const ids = (await issue(ada, ada, mei, ada)) as [number, number, number, number];
  await repaired(ids[3], 'cancel');
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Food bank' });
  await claim(database, workspace.id, ids[0]);
  await spend(ids[0], 'payroll', 10);
  await spend(ids[0], 'charity', 4);
  const taxLimits = [{ currency: 'CAD', amount: 30 }];
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { taxLimits } });
  const totals = (query = '') => workspace.read<TaxTotalsPage>(`/api/v1/reports/tax-log/totals?year=${year}${query}`);
  const { people, sums } = await totals();
  assert.deepEqual(
    people.map(({ firstName, gifts, cash, nearCash, nonCash, unspent, total, limit, standing }) =>
      [firstName, gifts, cash, nearCash, nonCash, unspent, total, limit, standing].join(' '),
    ),
    ['Ada 2 10 0 4 36 50 30 OVER', 'Mei 1 0 0 0 25 25 30 NEAR'],
  );
  assert.deepEqual(sums, [
    {
      ...{ currency: 'CAD', people: 2, gifts: 3, cash: 10, nearCash: 0, nonCash: 4, unspent: 61, total: 75 },
      ...{ limit: 30, over: 1, near: 1 },
    },
  ]);
  assert.deepEqual(
    (await totals('&show=NEAR')).people.map(({ firstName }) => firstName),
    ['Mei'],
  );
  const found = await totals('&search=lovel&size=1');
  assert.deepEqual([found.totalElements, found.people[0]?.firstName], [1, 'Ada']);
  // A larger number of another currency is not a larger sum.
  const inYen = anOrder({ currency: 'JPY', orderItems: [aGift({ recipient: mei, amount: 5_000 })] });
  const { body } = await workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: inYen });
  await workspace.outcome(body.requestId);
  const both = await totals();
  assert.deepEqual(
    both.people.map(({ firstName, currency, total }) => `${firstName} ${total} ${currency}`),
    ['Ada 50 CAD', 'Mei 25 CAD', 'Mei 5000 JPY'],
  );
  assert.deepEqual(
    both.sums.map(({ currency }) => currency),
    ['CAD', 'JPY'],
  );
});

test('a limit has each currency once, with an amount that it can have', async () => {
  const { workspace } = await openLog();
  for (const taxLimits of [
    [{ currency: 'XYZ', amount: 5 }],
    [{ currency: 'JPY', amount: 0.5 }],
    [{ currency: 'CAD', amount: 0 }],
    [
      { currency: 'CAD', amount: 5 },
      { currency: 'CAD', amount: 6 },
    ],
  ]) {
    const { status, body } = await workspace.call<{ message: string }>('/api/v1/settings', {
      method: 'PATCH',
      body: { taxLimits },
    });
    assert.equal(status, 400);
    assert.match(body.message, /taxLimits/);
  }
});
