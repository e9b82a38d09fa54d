import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { addIntegration } from '../../src/company/directory/members.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { listEntries } from '../../src/giving/budgets/entries.ts';
import { grantMoney, withdrawMoney } from '../../src/giving/budgets/grants.ts';
import { addBudget, changeBudget, closeBudget } from '../../src/giving/budgets/manage.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import { cancel, extend } from '../../src/giving/delivery/repairs.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { readGiftsById } from '../../src/giving/gifts/gift.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { decline, fulfil, reverse } from '../../src/spending/redemptions/finish.ts';
import { listRedemptions } from '../../src/spending/redemptions/read.ts';
import { createSteps } from '../../src/steps.ts';
import { balancesOf, checkLedger } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { MoneyModel } from '../support/money-model.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { offerSpendingOption, spend } from '../support/redemptions.ts';
import { runs } from '../support/runs.ts';
import { sealAsIs } from '../support/seals.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 6, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());
await database.pool.query(`
  create function curse() returns trigger language plpgsql as
    $$ begin if new.message = 'poison' then raise exception 'cursed'; end if; return new; end $$;
  create trigger curse before insert on certificates for each row execute function curse()`);

const keys = parseKeys('a key that is long enough for a test');
const metrics = createMetrics();
const steps = createSteps({ metrics, log: pino({ level: 'silent' }), mailsGifts: false, rush: new Rush() });
const fulfilment = new Fulfilment({ database, keys, checkSchema, steps: steps.fulfil, onPostponed() {} });
cleanUp(() => fulfilment.stop());
const acceptance = new Acceptance(database, steps.accept);

const cents = fc.integer({ min: 100, max: 3_000 }).map((amount) => amount / 100);
const budget = fc.constantFrom('workspace', 'member');
const move = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('grant'), budget, amount: cents }) },
  fc.record({ do: fc.constant('withdraw'), budget, amount: cents }),
  fc.record({ do: fc.constant('open'), budget, amount: cents }),
  fc.record({ do: fc.constant('close'), budget }),
  fc.record({ do: fc.constant('limit'), budget, amount: fc.option(cents) }),
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('orders'),
      orders: fc.array(
        fc.record({
          sender: budget,
          amounts: fc.array(cents, { minLength: 1, maxLength: 3 }),
          fails: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
          key: fc.option(fc.integer({ min: 0, max: 3 })),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fulfil') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'expire', 'extend'), gift: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim'), gift: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('redeem'),
      gift: fc.nat(),
      amount: fc.option(cents),
      option: fc.constantFrom('payroll', 'shop', 'charity'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('fulfilRequest', 'decline', 'reverse'), redemption: fc.nat() }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** What the history is played on: a workspace whose token acts as one of two members. */
async function openHistory() {
  const workspace = await createGrant(database);
  const { workspaceId } = workspace;
  const member = await database.transaction((tx) => addIntegration(tx, workspaceId, 'Ada'));
  await offerSpendingOption(database, workspaceId, 'shop');
  await offerSpendingOption(database, workspaceId, 'charity', { kind: 'HAND' });
  const grants: Record<string, WorkspaceGrant> = {
    workspace: { ...workspace, hasBudgets: true },
    member: { ...workspace, memberId: member, hasBudgets: true },
  };
  const ids = new Map<string, number>();
  const gifts: number[] = [];
  const redemptions: number[] = [];
  return { workspaceId, member, grants, ids, gifts, redemptions };
}
type History = Awaited<ReturnType<typeof openHistory>>;

/** Does one move. Returns what was refused, for the model to compare. */
async function play(history: History, step: Move): Promise<unknown> {
  const { workspaceId, member, grants, ids, gifts } = history;
  const change = <T>(work: Parameters<typeof database.transaction<T>>[0]) =>
    database.transaction(work).then(
      () => 'done',
      (error) => (error.kind ? error.kind : Promise.reject(error)),
    );
  const id = 'budget' in step ? (ids.get(step.budget) ?? 0) : 0;
  const repairs = { database, keys, isMailOn: false, actor: atTheCommandLine };
  const gift = 'gift' in step ? gifts[step.gift % Math.max(gifts.length, 1)] : undefined;
  const repaired = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => error.kind ?? Promise.reject(error),
    );
  switch (step.do) {
    case 'grant':
      return change((tx) => grantMoney(tx, atTheCommandLine, workspaceId, id, step as { amount: number }));
    case 'withdraw':
      return change((tx) => withdrawMoney(tx, atTheCommandLine, workspaceId, id, step as { amount: number }));
    case 'open':
      return change(async (tx) => {
        const { budget: owner, amount } = step as { budget: string; amount: number };
        const memberId = owner === 'member' ? { memberId: member } : {};
        const added = await addBudget(tx, atTheCommandLine, workspaceId, { currency: 'CAD', amount, ...memberId });
        ids.set(owner, added.id);
      });
    case 'close':
      return change((tx) => closeBudget(tx, atTheCommandLine, workspaceId, id));
    case 'limit': {
      const { amount: giftLimit } = step as { amount: number | null };
      return change((tx) => changeBudget(tx, atTheCommandLine, workspaceId, id, { giftLimit }));
    }
    case 'orders':
      return submit(grants, step as Extract<Move, { orders: unknown }>);
    case 'fulfil':
      fulfilment.wake(workspaceId);
      await fulfilment.idle();
      return readGifts(history);
    case 'expire':
      if (gift === undefined) return null;
      await database.query(
        `update certificates set expires_at = now() - interval '1 day' where workspace_id = $1 and id = $2 and state = 'ISSUED'`,
        [workspaceId, gift],
      );
      await sealAsIs(database, workspaceId);
      return expireGifts(database);
    case 'cancel':
      return gift === undefined ? null : repaired(cancel(repairs, workspaceId, gift));
    case 'extend':
      return gift === undefined ? null : repaired(extend(repairs, workspaceId, gift, null));
    default:
      return spendOrFinish(history, step, gift);
  }
}

/** What recipients do with their gifts, and others with what was spent. */
async function spendOrFinish({ workspaceId, redemptions }: History, step: Move, gift: number | undefined) {
  const kindOf = (error: { kind?: string }) => error.kind ?? Promise.reject(error);
  if ('redemption' in step) {
    const id = redemptions[step.redemption % Math.max(redemptions.length, 1)];
    const work = { fulfilRequest: fulfil, decline, reverse }[step.do as 'decline'];
    if (id === undefined) return null;
    return inWorkspace(database, workspaceId, (tx) => work(tx, atTheCommandLine, workspaceId, [id])).then(
      () => 'done',
      kindOf,
    );
  }
  if (gift === undefined) return null;
  if (step.do === 'claim')
    return inWorkspace(database, workspaceId, async (tx) => {
      const [found] = await readGiftsById(tx, workspaceId, [gift]);
      return (await moveGifts(tx, workspaceId, found ? [{ type: 'CLAIMED', gift: found }] : [])).length;
    });
  const { option, amount } = step as Extract<Move, { option: string }>;
  return spend(database, workspaceId, gift, option, { amount: amount ?? undefined }).then(({ redemption }) => {
    redemptions.push(redemption.id);
    return 'done';
  }, kindOf);
}

/** All of a step are submitted at once, so that they are one batch. */
function submit(grants: Record<string, WorkspaceGrant>, { orders }: Extract<Move, { orders: unknown }>) {
  return Promise.all(
    orders.map(({ sender, amounts, fails, key }) => {
      const message = fails ? 'poison' : 'Thank you!';
      const order = anOrder({ orderItems: amounts.map((amount) => aGift({ amount, message })) });
      const submission = { tokenId: 1, workspace: grants[sender] as WorkspaceGrant, customerRequestId: null };
      const idempotencyKey = key === null ? null : `key ${key}`;
      return acceptance.accept({ ...submission, idempotencyKey, order: order as never }).then(
        ({ replayed }) => (replayed ? 'replayed' : 'done'),
        (error) => error.kind ?? Promise.reject(error),
      );
    }),
  );
}

async function readGifts({ workspaceId, gifts }: History): Promise<number> {
  const rows = await database.query<{ id: number }>('select id from certificates where workspace_id = $1 order by id', [
    workspaceId,
  ]);
  gifts.splice(0, gifts.length, ...rows.map(({ id }) => id));
  return gifts.length;
}

/** What was spent, by pages of two. */
async function readRedemptions(workspaceId: number): Promise<string[]> {
  const read: string[] = [];
  for (let after: number | null | undefined; after !== null; ) {
    const page = await listRedemptions(database, workspaceId, { size: 2, ...(after && { after }) });
    read.push(...page.redemptions.map(({ state, amount }) => `${state} ${amount}`));
    after = page.next;
  }
  return read;
}

async function compare({ workspaceId, ids }: History, model: MoneyModel): Promise<void> {
  const gifts = await database.query<{ state: string; redeemed: number }>(
    'select state, redeemed from certificates where workspace_id = $1 order by id',
    [workspaceId],
  );
  assert.deepEqual(
    gifts.map(({ state, redeemed }) => `${state} ${redeemed}`),
    model.gifts(),
  );
  assert.deepEqual(await readRedemptions(workspaceId), model.redemptions());
  for (const [owner, id] of ids) {
    assert.deepEqual(await balancesOf(database, workspaceId, id), model.balances(owner), owner);
    const all = (await listEntries(database, workspaceId, id, { page: 0, size: 1_000 })).entries;
    const { totalPages } = await listEntries(database, workspaceId, id, { page: 0, size: 3 });
    const paged = [];
    for (let page = 0; page < totalPages; page++)
      paged.push(...(await listEntries(database, workspaceId, id, { page, size: 3 })).entries);
    assert.deepEqual(paged, all);
  }
}

test('random histories of budgets, orders and gifts end as a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
      const history = await openHistory();
      const model = new MoneyModel();
      for (const step of [...moves, { do: 'fulfil' } as Move])
        assert.deepEqual(await play(history, step), model.play(step), JSON.stringify(step));
      await compare(history, model);
    }),
    { numRuns: runs(60) },
  );
  await checkLedger(database);
});
