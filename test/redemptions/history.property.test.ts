import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { RedemptionState } from '../../src/ground/contract/redemption.ts';
import { decline, fulfil, reverse } from '../../src/spending/redemptions/finish.ts';
import { closePayroll } from '../../src/spending/redemptions/payroll.ts';
import { payrollFile } from '../../src/spending/redemptions/payroll-read.ts';
import { listRedemptions } from '../../src/spending/redemptions/read.ts';
import { checkLedger } from '../support/budgets.ts';
import fc from '../support/fast-check.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, offerSpendingOption, readGift, spend } from '../support/redemptions.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { SpendingModel, type SpendingStep } from '../support/spending-model.ts';

const { database, ...service } = await startService();
const columns = ['redemptionId', 'amount'].map((field) => ({ header: field, field: field as 'amount' }));
const gifts = 2;

const amount: fc.Arbitrary<number | null> = fc.option(fc.integer({ min: 1, max: 1_500 }).map((cents) => cents / 100));
const key: fc.Arbitrary<number | null> = fc.option(fc.integer({ min: 0, max: 2 }));
const redeemed: fc.Arbitrary<SpendingStep> = fc.record({
  do: fc.constant('redeem' as const),
  gift: fc.integer({ min: 0, max: gifts - 1 }),
  option: fc.constantFrom<'payroll' | 'shop' | 'charity'>('payroll', 'payroll', 'shop', 'charity'),
  amount,
  key,
});
const step = fc.oneof(
  { weight: 5, arbitrary: redeemed },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('fulfil' as const, 'decline' as const, 'reverse' as const, 'reverse' as const),
      redemption: fc.integer({ min: 0, max: 7 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('export' as const) }) },
);

/** A workspace with all spending options and claimed gifts of 25 CAD. */
async function openHistory() {
  const { workspace, issue } = await giftsOf({ database, ...service });
  const { id: workspaceId } = workspace;
  await offerSpendingOption(database, workspaceId, 'shop');
  await offerSpendingOption(database, workspaceId, 'charity', { kind: 'HAND' });
  await offerSpendingOption(database, workspaceId, 'payroll', { kind: 'PAYROLL', columns });
  const giftIds = await issue(...Array.from({ length: gifts }, () => ({ email: 'ada@example.com' })));
  for (const gift of giftIds) await claim(database, workspaceId, gift);
  /** The ids of redemptions, in the sequence of the model's. */
  return { workspaceId, giftIds, ids: [] as number[] };
}
type History = Awaited<ReturnType<typeof openHistory>>;

const endings = { fulfil, decline, reverse };

async function play(history: History, one: SpendingStep): Promise<string> {
  const { workspaceId, ids } = history;
  if (one.do === 'export') {
    const { payroll } = await database.transaction((tx) => closePayroll(tx, atTheCommandLine, workspaceId));
    return `exported ${payroll.number}`;
  }
  if (one.do === 'redeem') return playRedeem(history, one);
  const id = ids[one.redemption] ?? 999_999_999;
  await inWorkspace(database, workspaceId, (tx) => endings[one.do](tx, atTheCommandLine, workspaceId, [id]));
  return 'done';
}

async function playRedeem(
  { workspaceId, giftIds, ids }: History,
  { gift, option, amount, key }: Extract<SpendingStep, { do: 'redeem' }>,
): Promise<string> {
  const asked = { amount: amount ?? undefined, idempotencyKey: key === null ? null : `key ${key}` };
  const { redemption, replayed } = await spend(database, workspaceId, giftIds[gift] as number, option, asked);
  return replayed ? `replayed ${ids.indexOf(redemption.id)}` : `redeemed ${ids.push(redemption.id) - 1}`;
}

async function compare({ workspaceId, giftIds, ids }: History, model: SpendingModel): Promise<void> {
  for (const [nth, id] of giftIds.entries()) {
    const { redeemed: spent, state } = await readGift(database, workspaceId, id);
    assert.deepEqual([spent, state], model.gift(nth));
  }
  const states: [number, RedemptionState][] = [];
  for (let after: number | null | undefined; after !== null; ) {
    const page = await listRedemptions(database, workspaceId, { size: 3, ...(after && { after }) });
    states.unshift(
      ...page.redemptions.map(({ id, state }): [number, RedemptionState] => [ids.indexOf(id), state]).reverse(),
    );
    after = page.next;
  }
  assert.deepEqual(
    states,
    model.redemptions.map(({ state }, nth) => [nth, state]),
  );
  for (const [index, lines] of model.exports.entries()) {
    const [, ...written] = (await Array.fromAsync(payrollFile(database, workspaceId, index + 1)))
      .join('')
      .trim()
      .split('\n');
    assert.deepEqual(
      written.map((line) => line.split(',')).map(([id, amount]) => `${ids.indexOf(Number(id))} ${amount}`),
      lines,
    );
  }
}

test('random histories of redemptions, reversals and exports end as a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const history = await openHistory();
      const model = new SpendingModel(2_500);
      for (const one of steps) {
        const outcome = await play(history, one).catch((error) => error.kind ?? Promise.reject(error));
        assert.equal(outcome, model.play(one), JSON.stringify(one));
      }
      await compare(history, model);
    }),
    { numRuns: runs(30) },
  );
  await checkLedger(database);
});
