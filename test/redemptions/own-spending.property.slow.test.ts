import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import type { Spending } from '../../src/ground/contract/my-spending.ts';
import { closePayroll } from '../../src/spending/redemptions/payroll.ts';
import { checkLedger } from '../support/budgets.ts';
import fc from '../support/fast-check.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { type ModelPart, OwnGiftsModel, type OwnStep, type Spend } from '../support/own-gifts-model.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { runs } from '../support/runs.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'a-key-that-both-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const other = await startService({ tokenKey, role: 'api', database: service.database });
const { database } = service;
const daySeconds = 86_400;

const nth = fc.integer({ min: 0, max: 5 });
const amount = fc.integer({ min: 1, max: 40 });
const days: fc.Arbitrary<number | null> = fc.option(fc.integer({ min: 1, max: 3 }));
const spend: fc.Arbitrary<Spend> = fc.record({
  do: fc.constant('spend' as const),
  amount,
  option: fc.constantFrom('payroll' as const, 'charity' as const),
});
const weighted = (weight: number, arbitrary: fc.Arbitrary<OwnStep>) => ({ weight, arbitrary });
const step: fc.Arbitrary<OwnStep> = fc.oneof(
  weighted(4, fc.record({ do: fc.constant('issue' as const), amount, days })),
  weighted(
    4,
    fc.record({
      do: fc.constantFrom('open' as const, 'open' as const, 'claim' as const, 'cancel' as const),
      gift: nth,
    }),
  ),
  weighted(2, fc.record({ do: fc.constant('till' as const), gift: nth, amount })),
  weighted(5, spend),
  weighted(2, fc.record({ do: fc.constant('both' as const), one: spend, two: spend })),
  weighted(
    4,
    fc.record({
      do: fc.constantFrom('fulfil' as const, 'decline' as const, 'reverse' as const, 'company' as const),
      spending: nth,
    }),
  ),
  weighted(2, fc.record({ do: fc.constantFrom('pass' as const, 'export' as const) })),
);

async function openHistory() {
  const opened = await openRecipients(service);
  const { id } = opened.workspace;
  await offerSpendingOption(database, id, 'shop');
  await offerSpendingOption(database, id, 'charity', { kind: 'HAND', name: 'Charity' });
  return { ...opened, model: new OwnGiftsModel(), ids: [] as number[], spent: [] as Spending[] };
}
type History = Awaited<ReturnType<typeof openHistory>>;

const unknown = 999_999_999;

/** Does a step at one of two nodes, and checks that what came of it is what the model says. */
async function play(history: History, one: OwnStep, via: TestService): Promise<void> {
  const { ada, model, ids, workspace } = history;
  const post = async (path: string, body: object = {}, headers = {}) =>
    (await workspace.call(path, { method: 'POST', body, headers })).status < 300;
  switch (one.do) {
    case 'issue':
      return issue(history, one);
    case 'open':
    case 'claim': {
      const { status } = await ada.call(`/gifts/${ids[one.gift] ?? unknown}/${one.do}`, {}, {}, via);
      return assert.equal(status === 200, model[one.do](one.gift));
    }
    case 'cancel':
      return assert.equal(await post(`/api/v1/gifts/${ids[one.gift] ?? unknown}/cancel`), model.cancel(one.gift));
    case 'till':
      return assert.equal(await sell(history, one), model.till(one.gift, one.amount));
    case 'spend': {
      const parts = partsOf(history, await ada.spend(asked(one), randomUUID(), via));
      return assert.deepEqual(parts, model.spend(one));
    }
    case 'both':
      return playBoth(history, one);
    case 'pass':
      await database.transaction((tx) => advanceClock(tx, workspace.id, daySeconds));
      model.day++;
      return;
    case 'export':
      await database
        .transaction((tx) => closePayroll(tx, atTheCommandLine, workspace.id))
        .catch((error) => assert.equal(error.kind, 'conflict'));
      return model.export();
    default: {
      const { gifts = [], id = unknown } = history.spent[one.spending] ?? {};
      // Any part of it can be named.
      const part = gifts.at(-1)?.redemptionId ?? unknown;
      const verb = one.do === 'company' ? 'reverse' : one.do;
      const isDone =
        one.do === 'reverse'
          ? (await ada.call(`/spending/${id}/reverse`, {}, {}, via)).status === 200
          : await post(`/api/v1/redemptions/${part}/${verb}`);
      assert.equal(isDone, model.finish(one.do, one.spending));
    }
  }
}

async function issue(
  { ids, model, issue: order, setExpiry }: History,
  { amount, days }: Extract<OwnStep, { do: 'issue' }>,
): Promise<void> {
  const [id] = (await order([amount])) as [number];
  const momentOf = (day: number) => new Date(Date.now() + (day - 0.1) * daySeconds * 1_000).toISOString();
  await setExpiry(id, days === null ? null : momentOf(model.day + days));
  ids.push(id);
  model.issue(amount, days);
}

async function sell({ ids, workspace }: History, { gift, amount }: Extract<OwnStep, { do: 'till' }>): Promise<boolean> {
  const id = ids[gift];
  if (id === undefined) return false;
  const { requestId } = await workspace.read<{ requestId: string }>(`/api/v1/gifts/${id}`);
  const [certificate] = (await workspace.outcome(requestId)).certificates;
  const body = { token: certificate?.shortToken, amount };
  const headers = { 'Idempotency-Key': randomUUID() };
  return (await workspace.call('/api/v1/gifts/redemptions', { method: 'POST', body, headers })).status === 201;
}

function asked({ amount, option }: Spend) {
  return { amount, spendingOption: option };
}

type Answered = { status: number; body: Spending };

/** The parts that were spent, which are noted; null: refused. */
function partsOf({ ids, spent }: History, { status, body }: Answered): ModelPart[] | null {
  if (status === 402) return null;
  assert.equal(status, 201, JSON.stringify(body));
  spent.push(body);
  return body.gifts.map(({ giftId, amount }) => [ids.indexOf(giftId), amount] as const);
}

/** Two spendings at the same time, at two nodes: it is as if one had come after the other, in either sequence. */
async function playBoth(history: History, { one, two }: Extract<OwnStep, { do: 'both' }>): Promise<void> {
  const { ada, model } = history;
  const answers = await Promise.all([
    ada.spend(asked(one), randomUUID(), service),
    ada.spend(asked(two), randomUUID(), other),
  ]);
  const before = model.left;
  const taken = [one, two].map((spending, index) => ({
    spending,
    parts: partsOf(history, answers[index] as Answered),
  }));
  const inTurn = (sequence: typeof taken) => {
    const trial = Object.assign(new OwnGiftsModel(), structuredClone({ day: model.day }));
    trial.gifts.push(...structuredClone(model.gifts));
    return sequence.every(({ spending, parts }) => JSON.stringify(trial.spend(spending)) === JSON.stringify(parts));
  };
  assert.ok(inTurn(taken) || inTurn(taken.toReversed()), JSON.stringify([before, taken]));
  for (const { spending, parts } of taken) if (parts) model.spendParts(spending.option, parts);
}

async function compare({ ada, model, ids, spent }: History): Promise<void> {
  assert.equal(await ada.left(), model.left);
  const { gifts } = await ada.gifts('?size=100');
  for (const { id, left } of gifts)
    if (left !== null) assert.equal(left, model.gifts[ids.indexOf(id)]?.left, `gift ${id}`);
  for (const [nth, { id }] of spent.entries())
    assert.equal((await ada.done<Spending>(`/spending/${id}`)).state, model.spendings[nth]?.state);
}

test('random histories of spending several gifts at two nodes end as a plain model says, and the ledger agrees after each step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const history = await openHistory();
      for (const [index, one] of steps.entries()) {
        await play(history, one, index % 2 ? other : service).catch((error) => {
          throw new Error(`step ${index}, ${JSON.stringify(one)}`, { cause: error });
        });
        await checkLedger(database);
      }
      await compare(history);
    }),
    { numRuns: runs(12) },
  );
});
