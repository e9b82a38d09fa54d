import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { addRule } from '../../src/giving/approvals/rules.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import type { AcceptStep } from '../../src/giving/orders/order-steps.ts';
import type { NewRule } from '../../src/ground/contract/rule.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { acceptSteps } from '../../src/steps.ts';
import { aRule } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGrant } from '../support/grant.ts';
import { aGift, anOrder } from '../support/orders.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 6, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());

/** A database that says how many transactions it has begun. */
function watch() {
  const begun: unknown[] = [];
  const transaction: typeof database.transaction = (...asked) => {
    begun.push(null);
    return database.transaction(...asked);
  };
  const watched = new Proxy(database, {
    get: (on, key) => (key === 'transaction' ? transaction : (Reflect.get(on, key).bind?.(on) ?? Reflect.get(on, key))),
  });
  return { watched, begun };
}

async function open(changes: Partial<NewRule>[] = [{}]) {
  const grant = await createGrant(database);
  const { workspaceId } = grant;
  const [memberId] = await inWorkspace(database, workspaceId, (tx) =>
    addMembers(tx, workspaceId, [{ email: 'ada@example.com' }, { email: 'olga@example.com' }]),
  );
  const rules = changes.map((change) => aRule({ from: {}, measure: 'SENDER_MONTH', above: 100, ...change }));
  for (const rule of rules)
    await inWorkspace(database, workspaceId, (tx) => addRule(tx, theService, workspaceId, rule));
  const workspace = { ...grant, memberId: memberId as number, hasBudgets: true, rules: rules as never };
  const submission = (amount: number) => ({
    tokenId: 1,
    workspace,
    customerRequestId: null,
    idempotencyKey: null,
    order: anOrder({ orderItems: [aGift({ amount, recipient: { email: 'olga@example.com' } })] }) as never,
  });
  return {
    workspaceId,
    /** Sends an order and says whether it waits. */
    async waits(acceptance: Acceptance, amount: number): Promise<boolean> {
      const { requestId } = (await acceptance.accept(submission(amount))).record;
      return (await database.query('select from held_orders where request_id = $1', [requestId])).length > 0;
    },
    async total(): Promise<unknown[]> {
      return database.query(
        `select sum(counted)::float8 as total, (select sum(amount)::float8 from sender_month_orders where workspace_id = $1) as orders
           from sender_months where workspace_id = $1`,
        [workspaceId],
      );
    },
  };
}

test("orders within the limit of their sender's month are stored and counted by one statement, with their budget", async () => {
  const company = await open();
  const { id } = await setBudget(database, company.workspaceId, { amount: 500 });
  const { watched, begun } = watch();
  const acceptance = new Acceptance(watched, acceptSteps);
  assert.deepEqual(await Promise.all([30, 30, 40].map((amount) => company.waits(acceptance, amount))), [
    false,
    false,
    false,
  ]);
  assert.equal(begun.length, 0);
  assert.equal(await company.waits(acceptance, 1), true);
  assert.equal(begun.length, 1);
  assert.deepEqual(await company.total(), [{ total: 101, orders: 101 }]);
  assert.deepEqual(await balancesOf(database, company.workspaceId, id), [399, 101, 0, 0]);
  await checkLedger(database);
});

test('a rule that is not about the month lets an order that it may fit be judged', async () => {
  const company = await open([{}, { measure: 'GIFT', above: 20 }]);
  const { watched, begun } = watch();
  const acceptance = new Acceptance(watched, acceptSteps);
  assert.deepEqual([await company.waits(acceptance, 20), begun.length], [false, 0]);
  assert.deepEqual([await company.waits(acceptance, 21), begun.length], [true, 1]);
  assert.deepEqual(await company.total(), [{ total: 41, orders: 41 }]);
});

for (const [judged, what] of [
  [5, 'within'],
  [20, 'above'],
] as const)
  test(`an order that is counted while another one is judged to be ${what} the limit is not missed`, async () => {
    const company = await open();
    const acceptance = new Acceptance(database, acceptSteps);
    assert.equal(await company.waits(acceptance, 90), false);
    const meanwhile: boolean[] = [];
    // It needs a transaction, so the order is judged.
    const meddle: AcceptStep = {
      async refuse() {
        if (meanwhile.length === 0) meanwhile.push(await company.waits(acceptance, 8));
        return new Map();
      },
    };
    assert.equal(await company.waits(new Acceptance(database, [...acceptSteps, meddle]), judged), true);
    assert.deepEqual(meanwhile, [false]);
    assert.deepEqual(await company.total(), [{ total: 98 + judged, orders: 98 + judged }]);
  });
