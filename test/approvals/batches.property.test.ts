import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { addRule } from '../../src/giving/approvals/rules.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { acceptSteps } from '../../src/steps.ts';
import { aRule } from '../support/approvals.ts';
import { checkLedger, setBudget } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { createGrant } from '../support/grant.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());

interface Sent {
  amount: number;
  sender: 0 | 1;
}

/** Sends orders in a new workspace with rules by total and a budget, at once or one after the other. Says what became of each. */
async function send(orders: readonly Sent[], atOnce: boolean): Promise<string[]> {
  const grant = await createGrant(database);
  const { workspaceId } = grant;
  const people = await inWorkspace(database, workspaceId, (tx) =>
    addMembers(tx, workspaceId, [
      { email: 'ada@example.com' },
      { email: 'bo@example.com' },
      { email: 'olga@example.com' },
    ]),
  );
  const rules = [
    aRule({ measure: 'SENDER_MONTH', above: 90, outcome: 'REJECT', message: 'Too much in a month.' }),
    aRule({ measure: 'SENDER_MONTH', above: 50 }),
    aRule({ measure: 'RECIPIENT_YEAR', above: 120, outcome: 'REJECT', message: 'Too much in a year.' }),
  ];
  for (const rule of rules)
    await inWorkspace(database, workspaceId, (tx) => addRule(tx, theService, workspaceId, rule));
  await setBudget(database, workspaceId, { amount: 110, giftLimit: 60 });
  const acceptance = new Acceptance(database, acceptSteps);
  const accept = async ({ amount, sender }: Sent): Promise<string> => {
    const memberId = people[sender] as number;
    const workspace = { ...grant, memberId, hasBudgets: true, rules: rules as never };
    const order = anOrder({ orderItems: [aGift({ amount, recipient: { email: 'olga@example.com' } })] }) as never;
    const submission = { tokenId: 1, workspace, customerRequestId: null, idempotencyKey: null, order };
    return acceptance.accept(submission).then(
      ({ record }) => record.requestId,
      (error: Error) => error.message,
    );
  };
  const results: string[] = [];
  if (atOnce) results.push(...(await Promise.all(orders.map(accept))));
  else for (const order of orders) results.push(await accept(order));
  const held = await database.query<{ requestId: string }>(
    'select request_id as "requestId" from held_orders where workspace_id = $1',
    [workspaceId],
  );
  const waiting = new Set(held.map(({ requestId }) => requestId));
  return results.map((result) =>
    /^[0-9a-f-]{36}$/.test(result) ? (waiting.has(result) ? 'waits' : 'passes') : result,
  );
}

test('an order that the budget rejects counts for no later order of the same batch', async () => {
  const orders = [70, 40, 30].map((amount) => ({ amount, sender: 0 as const }));
  const [first, ...others] = await send(orders, true);
  assert.match(first as string, /limit of 60\.00 CAD for one gift/);
  assert.deepEqual(others, ['passes', 'waits']);
});

test('orders that are stored together get the verdicts that they get one after the other', async () => {
  const order = fc.record({
    amount: fc.integer({ min: 1, max: 8 }).map((tens) => tens * 10),
    sender: fc.constantFrom(0 as const, 1 as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 2, maxLength: 8 }), async (orders) => {
      assert.deepEqual(await send(orders, true), await send(orders, false));
    }),
    { numRuns: runs(25) },
  );
  await checkLedger(database);
});
