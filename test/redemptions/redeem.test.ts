import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { decline, fulfil, reverse } from '../../src/spending/redemptions/finish.ts';
import { listRedemptions, readRedemptionsOfGift } from '../../src/spending/redemptions/read.ts';
import { optionsFor } from '../../src/spending/redemptions/spending-options.ts';
import { balancesOf, checkLedger, setBudget, tamper } from '../support/budgets.ts';
import { followEvents } from '../support/events.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, offerSpendingOption, readGift, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

/** A workspace with a budget and one claimed gift of 25 CAD. */
async function openSpending() {
  const { workspace, issue, gift } = await giftsOf(service);
  const { id: budgetId } = await setBudget(database, workspace.id, { amount: 100 });
  const [giftId] = (await issue({ email: 'ada@example.com' })) as [number];
  await claim(database, workspace.id, giftId);
  const finish = (work: typeof reverse, ids: number[]) =>
    inWorkspace(database, workspace.id, (tx) => work(tx, theService, workspace.id, ids));
  return {
    workspace,
    giftId,
    gift: () => gift(giftId),
    balances: () => balancesOf(database, workspace.id, budgetId),
    spend: (option: string, spending = {}) => spend(database, workspace.id, giftId, option, spending),
    finish,
  };
}

test('a gift is spent in parts, and its state and its budget follow', async () => {
  const { workspace, gift, balances, spend, finish } = await openSpending();
  const { next } = followEvents(workspace);
  await next();
  const { redemption: first } = await spend('payroll', { amount: 10.1 });
  assert.deepEqual([first.state, first.amount, first.left, first.taxType], ['DONE', 10.1, 14.9, 'CASH']);
  assert.deepEqual([(await gift()).state, (await gift()).redeemed], ['PARTLY_REDEEMED', 10.1]);
  assert.deepEqual(await balances(), [75, 0, 14.9, 10.1]);
  const { redemption: rest } = await spend('payroll');
  assert.deepEqual([rest.amount, (await gift()).state], [14.9, 'REDEEMED']);
  assert.deepEqual(await balances(), [75, 0, 0, 25]);
  await assert.rejects(spend('payroll'), /Nothing is left/);
  await finish(reverse, [first.id, rest.id]);
  assert.deepEqual(await finish(reverse, [first.id]), [], 'once more changes nothing');
  const { state, redeemed, timeline } = await gift();
  assert.deepEqual([state, redeemed], ['CLAIMED', 0]);
  assert.deepEqual(
    timeline.map(({ type }) => type).filter((type) => type.startsWith('RE')),
    ['REDEEMED', 'REDEEMED', 'REVERSED', 'REVERSED'],
  );
  assert.deepEqual(await balances(), [75, 0, 25, 0]);
  const told = await next();
  assert.deepEqual(
    told.map(({ type, data }) => `${type} ${data.spendingOption} ${data.amount} ${data.currency}`),
    [
      'gift.redeemed payroll 10.1 CAD',
      'gift.redeemed payroll 14.9 CAD',
      'gift.redemption_reversed payroll 10.1 CAD',
      'gift.redemption_reversed payroll 14.9 CAD',
    ],
  );
  await checkLedger(database);
});

test('what somebody has to fulfil is requested, then fulfilled or declined, and declined ones give the balance back', async () => {
  const { workspace, gift, spend, finish } = await openSpending();
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Food bank' });
  const { next } = followEvents(workspace);
  await next();
  const { redemption: one } = await spend('charity', { amount: 5 });
  const { redemption: other } = await spend('charity', { amount: 6 });
  assert.deepEqual(
    [one.state, one.finishedAt, one.taxType, one.retailer],
    ['REQUESTED', null, 'NON_CASH', 'Food bank'],
  );
  await assert.rejects(finish(reverse, [one.id]), /is REQUESTED: only what is DONE can be reversed/);
  assert.deepEqual(await finish(fulfil, [one.id]), [one.id]);
  await assert.rejects(finish(decline, [one.id]), /is DONE: only what is REQUESTED can be declined/);
  assert.deepEqual(await finish(decline, [other.id]), [other.id]);
  assert.deepEqual([(await gift()).state, (await gift()).redeemed], ['PARTLY_REDEEMED', 5]);
  const told = (await next()).map(({ type }) => type);
  assert.deepEqual(told, [
    ...['gift.redeemed', 'redemption.requested', 'gift.redeemed', 'redemption.requested', 'redemption.fulfilled'],
    ...['gift.redemption_reversed', 'redemption.declined'],
  ]);
  await assert.rejects(finish(fulfil, [one.id, 999_999_999]), /no redemption with this id/);
  await checkLedger(database);
});

test('a key makes a retry safe, and another request under it is refused', async () => {
  const { workspace, gift, spend } = await openSpending();
  await offerSpendingOption(database, workspace.id, 'shop');
  const first = await spend('shop', { amount: 10, idempotencyKey: 'one' });
  const again = await spend('shop', { amount: 10, idempotencyKey: 'one' });
  assert.deepEqual([first.replayed, again.replayed, again.redemption.id], [false, true, first.redemption.id]);
  await assert.rejects(spend('shop', { amount: 11, idempotencyKey: 'one' }), /differs in amount/);
  await spend('payroll', { amount: 10, idempotencyKey: 'one' });
  assert.equal((await gift()).redeemed, 20);
});

test('a spending option takes what its limits and its currencies allow, and recipients are offered no other', async () => {
  const { workspace, giftId, spend } = await openSpending();
  const offered = async () =>
    (await optionsFor(database, await readGift(database, workspace.id, giftId))).map(
      ({ id, least, most }) => `${id} ${least}–${most}`,
    );
  assert.deepEqual(await offered(), ['payroll 0.01–25']);
  await offerSpendingOption(database, workspace.id, 'limits', { minAmount: 5, maxAmount: 20, position: 1 });
  await offerSpendingOption(database, workspace.id, 'whole', { allowsParts: false, position: 2 });
  await offerSpendingOption(database, workspace.id, 'too-much', { minAmount: 26 });
  await offerSpendingOption(database, workspace.id, 'dollars', { currencies: ['USD'] });
  await offerSpendingOption(database, workspace.id, 'off', { isOn: false });
  assert.deepEqual(await offered(), ['payroll 0.01–25', 'limits 5–20', 'whole 25–25']);
  await assert.rejects(spend('limits', { amount: 4 }), /takes 5\.00 CAD at least/);
  await assert.rejects(spend('limits', { amount: 21 }), /takes 20\.00 CAD at most/);
  await assert.rejects(spend('whole', { amount: 20 }), /no parts of a gift: spend all that is left, 25\.00 CAD/);
  await assert.rejects(spend('payroll', { amount: 25.01 }), /25\.01 CAD is more than the gift has: 25\.00 CAD is left/);
  await assert.rejects(spend('payroll', { amount: 0.001 }), /at most 2 decimals/);
  for (const option of ['dollars', 'off'])
    await assert.rejects(spend(option), /cannot be spent with the spending option/);
  await offerSpendingOption(database, workspace.id, 'payroll', { kind: 'PAYROLL', name: 'Salary', isOn: false });
  assert.deepEqual(await offered(), ['limits 5–20', 'whole 25–25']);
});

test('a spending option that makes no sense is refused, with every fault', async () => {
  const { workspace } = await openSpending();
  const refused = (id: string, setting: object, message: RegExp) =>
    assert.rejects(offerSpendingOption(database, workspace.id, id, setting), message);
  await refused(
    'salary',
    { kind: 'PAYROLL' },
    /kind must be PAYROLL for the spending option "payroll", and for no other/,
  );
  await refused('payroll', { kind: 'TILL' }, /is of the kind PAYROLL: choose another id/);
  await refused('pool', { kind: 'POOL' }, /poolId is required/);
  await refused('shop', { minAmount: 3, maxAmount: 2, link: 'http://x', poolId: 1 }, /poolId.*maxAmount.*link must be/);
  await refused('yen', { currencies: ['JPY'], minAmount: 0.5 }, /minAmount must be a whole number in JPY/);
});

test('the database itself refuses to spend a gift beyond its amount', async () => {
  const { workspace, giftId } = await openSpending();
  const tooMuch = database.query('update certificates set redeemed = 25.01 where workspace_id = $1 and id = $2', [
    workspace.id,
    giftId,
  ]);
  await assert.rejects(tooMuch, /certificates_redeemed/);
});

test('redemptions are listed by spending option, state, gift and day, page by page', async () => {
  const { workspace, giftId, spend, finish } = await openSpending();
  await offerSpendingOption(database, workspace.id, 'shop');
  const ids: number[] = [];
  for (const option of ['shop', 'payroll', 'shop', 'shop', 'payroll'])
    ids.unshift((await spend(option, { amount: 1 })).redemption.id);
  await finish(reverse, [ids[0] as number]);
  const list = async (query: object) => {
    const seen: number[] = [];
    for (let after: number | null | undefined; after !== null; ) {
      const page = await listRedemptions(database, workspace.id, { size: 2, ...query, ...(after && { after }) });
      seen.push(...page.redemptions.map(({ id }) => id));
      after = page.next;
    }
    return seen;
  };
  assert.deepEqual(await list({}), ids);
  assert.deepEqual(await list({ gift: giftId, size: 5 }), ids);
  assert.deepEqual(await list({ spendingOption: 'shop' }), [ids[1], ids[2], ids[4]]);
  assert.deepEqual(await list({ kind: 'PAYROLL', state: 'DONE' }), [ids[3]]);
  assert.deepEqual(await list({ to: '2020-01-01' }), []);
  assert.deepEqual(await list({ from: '2020-01-01', to: '2099-01-01T00:00:00Z' }), ids);
  const gift = await readGift(database, workspace.id, giftId);
  const ofGift = await readRedemptionsOfGift(database, workspace.id, gift);
  assert.deepEqual(
    ofGift.map(({ id }) => id),
    ids,
  );
});

test('ledger verify names a redemption, a gift or an entry that was changed by one cent', async () => {
  const { giftId, spend, finish } = await openSpending();
  const { redemption: first } = await spend('payroll', { amount: 10 });
  const { redemption: other } = await spend('payroll', { amount: 5 });
  await finish(reverse, [other.id]);
  const wrongs: [string, RegExp][] = [
    [`update redemptions set amount = amount + 0.01 where id = ${first.id}`, /^Redemption \d+ of 10\.0100 is DONE/],
    [`update redemptions set amount = amount + 0.01 where id = ${other.id}`, /^Redemption \d+ of 5\.0100 is REVERSED/],
    [`update redemptions set state = 'DONE' where id = ${other.id}`, /^Redemption \d+ of 5\.0000 is DONE/],
    [`update redemptions set position = 7 where id = ${first.id}`, /is of another gift than its entry says/],
    [`delete from redemptions where id = ${first.id}`, /^Redemption \d+ is not there/],
    [
      `update certificates set redeemed = redeemed + 0.01 where id = ${giftId}`,
      /^10\.0100 of gift 0 .* its entries say 10/,
    ],
    [`update certificates set state = 'REDEEMED' where id = ${giftId}`, /^Gift 0 .* is REDEEMED, and 10\.0000 of 25/],
    [
      `insert into redemptions select workspace_id, 999999999, request_id, position, spending_option, kind, spending_option_name, tax_type, retailer, amount, state,
                                      null, body, at, finished_at, detail from redemptions where id = ${first.id}`,
      /^Redemption 999999999 has no entry/,
    ],
    [
      `update ledger_entries set amount = amount + 0.01, amounts = '{10.01}' where type = 'REDEEMED' and amount = 10`,
      /do not have its hash/,
    ],
  ];
  for (const [sql, named] of wrongs) {
    const said = await tamper(database, sql);
    assert.ok(
      said.some((line) => named.test(line.slice(line.indexOf(': ') + 2))),
      `${sql}: ${said.join(' ')}`,
    );
  }
  await checkLedger(database);
});
