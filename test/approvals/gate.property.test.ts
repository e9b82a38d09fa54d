import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { scopesOfRole } from '../../src/company/access/roles.ts';
import { findOrAddUser, giveRole } from '../../src/company/access/users.ts';
import { setPresence } from '../../src/company/directory/change.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { decideOrders } from '../../src/giving/approvals/decide.ts';
import { declineOverdue } from '../../src/giving/approvals/expire.ts';
import { addRule, changeRule } from '../../src/giving/approvals/rules.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { retryOrder } from '../../src/giving/orders/retry.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { Failure } from '../../src/ground/errors.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { sumOf } from '../../src/ground/values/money.ts';
import { acceptSteps, createSteps, declineSteps } from '../../src/steps.ts';
import { aRule } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';

const { url } = await createTestDatabase();
const open = () => openDatabase({ url, name: 'test', maxConnections: 6, statementTimeoutMs: 60_000, byKey: true });
/** Two nodes. */
const nodes = [open(), open()] as const;
for (const node of nodes) cleanUp(() => node.close());
const [database] = nodes;
const log = pino({ level: 'silent' });
const steps = createSteps({ metrics: createMetrics(), log, mailsGifts: false, rush: new Rush() });
const keys = parseKeys('a key that is long enough for a test');
const fulfilment = new Fulfilment({ database, keys, checkSchema, steps: steps.fulfil, onPostponed() {} });
cleanUp(() => fulfilment.stop());
const acceptance = new Acceptance(database, steps.accept);

const money = 2_000;
const names = ['lucie', 'elena', 'olga'] as const;
const amount = fc.integer({ min: 1, max: 40 }).map((tens) => tens * 10);
const who = fc.constantFrom(0, 1, 2);
const decision = fc.constantFrom('APPROVED' as const, 'DECLINED' as const);
const move = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
      to: who,
      toAlias: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide' as const), order: fc.nat(), by: who, decision }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      order: fc.nat(),
      decisions: fc.tuple(decision, decision),
    }),
  },
  fc.record({
    do: fc.constant('rule' as const),
    isOn: fc.boolean(),
    above: amount,
    levels: fc.constantFrom(1, 2),
    rejects: fc.nat(4),
  }),
  fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 4, 8) }),
  fc.record({ do: fc.constant('retry' as const), order: fc.nat() }),
  fc.record({ do: fc.constant('leave' as const), who: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('return' as const), who: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('merge' as const), who }),
  fc.record({ do: fc.constant('fulfil' as const) }),
);

interface Known {
  requestId: string;
  total: number;
  recipient: number;
  /** Whether it names a second record of the recipient, which may be merged into the first one. */
  toAlias: boolean;
}

interface State extends Known {
  state: string | null;
  level: number;
  decisions: number;
  outcome: 'PENDING' | 'COMPLETED' | 'FAILED';
}

const stateSql = `
  select r.request_id as "requestId", a.state, coalesce(a.level, 0) as level,
         (select count(*) from order_decisions d
           where d.workspace_id = r.workspace_id and d.request_id = r.request_id) as decisions,
         case when o.request_id is null then 'PENDING' when o.id is null then 'FAILED' else 'COMPLETED' end as outcome
    from order_requests r
    left join orders o          on o.workspace_id = r.workspace_id and o.request_id = r.request_id
    left join order_approvals a on a.workspace_id = r.workspace_id and a.request_id = r.request_id
   where r.workspace_id = $1`;

const aliasOf = (name: string) => `${name}.alias`;

async function openCompany() {
  const grant = await createGrant(database);
  const { workspaceId } = grant;
  const memberIds = await inWorkspace(database, workspaceId, (tx) =>
    addMembers(
      tx,
      workspaceId,
      [...names, ...names.map(aliasOf)].map((name) => ({ email: `${name}@example.com`, firstName: name })),
    ),
  );
  const roles = ['APPROVER', 'APPROVER', 'OWNER'] as const;
  const userIds = await database.transaction(async (tx) => {
    const ids: number[] = [];
    for (const [nth, name] of names.entries()) {
      const user = await findOrAddUser(tx, workspaceId, { email: `${name}@example.com`, name });
      await giveRole(tx, atTheCommandLine, user, { workspaceId, role: roles[nth] as 'OWNER' });
      ids.push(user.id);
    }
    return ids;
  });
  const { id: ruleId } = await inWorkspace(database, workspaceId, (tx) =>
    addRule(tx, theService, workspaceId, aRule({ days: 5 })),
  );
  await inWorkspace(database, workspaceId, (tx) =>
    addRule(tx, theService, workspaceId, aRule({ measure: 'SENDER_MONTH', above: 400, days: 5 })),
  );
  const { id: budgetId } = await setBudget(database, workspaceId, { amount: money });
  const as = (nth: number): WorkspaceGrant => ({
    ...grant,
    hasBudgets: true,
    memberId: memberIds[nth] as number,
    role: roles[nth] as 'OWNER',
    scopes: scopesOfRole[roles[nth] as 'OWNER'],
  });
  return { grant, workspaceId, memberIds, userIds, ruleId, budgetId, as };
}

test('whatever is sent, decided, raced, retried and changed: never overspent, never two decisions, all money returned', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (moves) => {
      const company = await openCompany();
      const { workspaceId, memberIds, ruleId, budgetId, as } = company;
      const known = new Map<string, Known>();
      const merged = new Set<number>();
      let attempts = 0;
      const read = async (): Promise<State[]> =>
        (await database.query<State>(stateSql, [workspaceId])).map((row) => ({
          ...(known.get(row.requestId) as Known),
          ...row,
        }));
      /** Whether a person receives a gift of an order, by the records as they are now. */
      const receives = ({ recipient, toAlias }: Known, nth: number) =>
        recipient === nth && (!toAlias || merged.has(nth));
      const pick = (states: State[], nth: number) => states[nth % Math.max(states.length, 1)];
      const decide = (node: 0 | 1, by: number, { requestId }: Known, made: 'APPROVED' | 'DECLINED') =>
        decideOrders(
          nodes[node],
          { accept: acceptSteps, decline: declineSteps },
          as(by),
          { is: 'USER', id: company.userIds[by] as number, name: names[by] ?? '' },
          {
            requestIds: [requestId],
            decision: made,
            // Another comment each time, so that no decision counts as repeated.
            comment: `Because ${attempts++}.`,
          },
        ).then(
          () => true,
          (error) => {
            assert.ok(error instanceof Failure, String(error));
            return false;
          },
        );

      /** The budget has exactly what the orders leave of it; nothing is held that is not waiting. */
      const check = async () => {
        const states = await read();
        const spent = sumOf(states.filter(({ outcome }) => outcome === 'COMPLETED').map(({ total }) => total));
        const reserved = sumOf(states.filter(({ outcome }) => outcome === 'PENDING').map(({ total }) => total));
        assert.deepEqual(await balancesOf(database, workspaceId, budgetId), [
          sumOf([money, -spent, -reserved]),
          reserved,
          spent,
          0,
        ]);
        const [month] = await database.query<{ total: number }>(
          'select coalesce(sum(counted + earlier), 0) as total from sender_months where workspace_id = $1',
          [workspaceId],
        );
        assert.equal(month?.total, sumOf([spent, reserved]), 'the totals of the sender');
        const held = await database.query<{ requestId: string }>(
          'select request_id as "requestId" from held_orders where workspace_id = $1',
          [workspaceId],
        );
        assert.deepEqual(
          held.map(({ requestId }) => requestId).sort(),
          states
            .filter(({ state, outcome }) => state === 'WAITING' && outcome === 'PENDING')
            .map(({ requestId }) => requestId)
            .sort(),
        );
        for (const { state, level, decisions, outcome } of states) {
          if (state === 'WAITING' && outcome === 'PENDING') assert.equal(decisions, level - 1);
          if (state === 'DECLINED' || state === 'EXPIRED')
            assert.deepEqual([decisions, outcome === 'COMPLETED'], [level, outcome === 'COMPLETED']);
        }
      };

      for (const one of moves) {
        if (one.do === 'send') {
          const [rules] = await database.query<{ rules: [] }>(
            'select rule_conditions as rules from workspaces where id = $1',
            [workspaceId],
          );
          const name = names[one.to] as string;
          const recipient = { email: `${one.toAlias ? aliasOf(name) : name}@example.com` };
          const order = anOrder({ orderItems: one.amounts.map((value) => aGift({ amount: value, recipient })) });
          const workspace = { ...company.grant, hasBudgets: true, rules: rules?.rules ?? [], acceptsLeavers: true };
          const submission = { tokenId: 1, workspace, customerRequestId: null, idempotencyKey: null };
          await acceptance.accept({ ...submission, order: order as never }).then(
            ({ record: { requestId } }) =>
              known.set(requestId, {
                requestId,
                total: sumOf(one.amounts),
                recipient: one.to,
                toAlias: one.toAlias,
              }),
            (error) => assert.equal((error as Failure).kind, 'overBudget', String(error)),
          );
        }
        const states = await read();
        const waiting = states.filter(({ state, outcome }) => state === 'WAITING' && outcome === 'PENDING');
        if (one.do === 'decide' || one.do === 'race') {
          const order = pick(waiting, one.order);
          if (!order) continue;
          if (one.do === 'decide') {
            const done = await decide(0, one.by, order, one.decision);
            assert.ok(!done || !receives(order, one.by), 'a recipient has decided');
          } else {
            const done = await Promise.all([
              decide(0, 0, order, one.decisions[0]),
              decide(1, 1, order, one.decisions[1]),
            ]);
            const after = (await read()).find(({ requestId }) => requestId === order.requestId);
            assert.equal((after?.decisions ?? 0) - order.decisions, done.filter(Boolean).length);
            for (const [nth, hasDecided] of done.entries())
              assert.ok(!hasDecided || !receives(order, nth), 'a recipient has decided');
          }
        }
        if (one.do === 'rule') {
          const level = { approvers: [{ is: 'ROLE' as const, role: 'APPROVER' as const }] };
          const asks = {
            outcome: 'ASK' as const,
            message: null,
            days: 5,
            levels: Array.from({ length: one.levels }, () => level),
          };
          const rejects = { outcome: 'REJECT' as const, message: 'No.', days: null, levels: [] };
          const change = { isOn: one.isOn, above: one.above, ...(one.rejects === 0 ? rejects : asks) };
          await inWorkspace(database, workspaceId, (tx) => changeRule(tx, theService, workspaceId, ruleId, change));
        }
        if (one.do === 'pass') {
          await database.transaction((tx) => advanceClock(tx, workspaceId, one.days * 86_400));
          await Promise.all(nodes.map((node) => declineOverdue(node, declineSteps)));
        }
        if (one.do === 'retry') {
          const failed = pick(
            states.filter(({ outcome }) => outcome === 'FAILED'),
            one.order,
          );
          if (failed)
            await retryOrder(database, theService, failed.requestId, acceptSteps, workspaceId).catch((error) =>
              assert.equal((error as Failure).kind, 'overBudget', String(error)),
            );
        }
        if (one.do === 'leave' || one.do === 'return') {
          const active = one.do === 'return';
          await inWorkspace(database, workspaceId, (tx) =>
            setPresence(tx, theService, workspaceId, memberIds[one.who] as number, { active }),
          );
        }
        if (one.do === 'merge' && !merged.has(one.who)) {
          const [from, into] = [memberIds[names.length + one.who] as number, memberIds[one.who] as number];
          await database.transaction((tx) => mergeMembers(tx, theService, workspaceId, from, into));
          merged.add(one.who);
        }
        if (one.do === 'fulfil') {
          fulfilment.wake(workspaceId);
          await fulfilment.idle();
        }
        await check();
      }
      // The time of two levels.
      for (let level = 0; level < 2; level++) {
        await database.transaction((tx) => advanceClock(tx, workspaceId, 10 * 86_400));
        await declineOverdue(database, declineSteps);
      }
      fulfilment.wake(workspaceId);
      await fulfilment.idle();
      await check();
      const [, committed] = await balancesOf(database, workspaceId, budgetId);
      assert.equal(committed, 0);
      await checkLedger(database);
    }),
    { numRuns: runs(12), endOnFailure: true },
  );
});
