import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { scopesOfRole } from '../../src/company/access/roles.ts';
import { findOrAddUser, giveRole, type KnownUser } from '../../src/company/access/users.ts';
import { setPresence } from '../../src/company/directory/change.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { splitMember } from '../../src/company/directory/split.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { announceAllWaiting } from '../../src/giving/approvals/announce.ts';
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
import { money, move, names, records } from '../support/gate-moves.ts';
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

interface Known {
  requestId: string;
  total: number;
  /** The user who sent it; null: a token. */
  by: number | null;
  /** The address of its recipient. */
  address: string;
  /** The records of its sender and of its recipient, when it came and when it was tried again. */
  records: Set<number>;
}

interface State extends Known {
  state: string | null;
  /** The request that it is decided with; its own id if it is one alone. */
  request: string;
  /** Whether further orders may join it. */
  isOpen: boolean;
  level: number;
  decisions: number;
  outcome: 'PENDING' | 'COMPLETED' | 'FAILED';
}

const stateSql = `
  select r.request_id as "requestId", a.state, coalesce(a.level, 0) as level, coalesce(a.asked_with, r.request_id) as request,
         exists (select from approval_requests q where q.workspace_id = a.workspace_id and q.id = a.asked_with and q.closed_at is null) as "isOpen",
         (select count(*) from order_decisions d
           where d.workspace_id = r.workspace_id and d.request_id = r.request_id) as decisions,
         case when o.request_id is null then 'PENDING' when o.id is null then 'FAILED' else 'COMPLETED' end as outcome
    from order_requests r
    left join orders o          on o.workspace_id = r.workspace_id and o.request_id = r.request_id
    left join order_approvals a on a.workspace_id = r.workspace_id and a.request_id = r.request_id
   where r.workspace_id = $1`;

const addressOf = (nth: number, record: (typeof records)[number]) => `${names[nth]}${record}@example.com`;

/** All records of the person who has an address or a record: the surviving one, and those merged into it. */
async function recordsOf(workspaceId: number, who: { address: string } | { id: number }): Promise<Row[]> {
  const rows = await database.query<Row>(
    'select id, merged_into as into, email_key as address from members where workspace_id = $1',
    [workspaceId],
  );
  const own = rows.find((row) => ('id' in who ? row.id === who.id : row.address === who.address));
  const survivor = own?.into ?? own?.id;
  return rows.filter(({ id, into }) => survivor !== undefined && (id === survivor || into === survivor));
}

interface Row {
  id: number;
  into: number | null;
  address: string | null;
}

async function openCompany() {
  const grant = await createGrant(database);
  const { workspaceId } = grant;
  const memberIds = await inWorkspace(database, workspaceId, (tx) =>
    addMembers(
      tx,
      workspaceId,
      records.flatMap((record) => names.map((name, nth) => ({ email: addressOf(nth, record), firstName: name }))),
    ),
  );
  const roles = ['APPROVER', 'APPROVER', 'OWNER'] as const;
  const users = await database.transaction(async (tx) => {
    const added: KnownUser[] = [];
    for (const [nth, name] of names.entries()) {
      const user = await findOrAddUser(tx, workspaceId, { email: `${name}@example.com`, name });
      await giveRole(tx, atTheCommandLine, user, { workspaceId, role: roles[nth] as 'OWNER' });
      added.push(user);
    }
    return added;
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
  /** The member that a user acts as. */
  const linked = async (nth: number): Promise<number> => {
    const [row] = await database.query<{ id: number }>(
      'select member_id as id from user_roles where workspace_id = $1 and user_id = $2',
      [workspaceId, users[nth]?.id],
    );
    return row?.id ?? 0;
  };
  const link = (nth: number, member: string) =>
    database.transaction((tx) =>
      giveRole(tx, atTheCommandLine, users[nth] as KnownUser, { workspaceId, role: roles[nth] as 'OWNER', member }),
    );
  return { grant, workspaceId, memberIds, users, ruleId, budgetId, as, linked, link };
}

test('whatever is sent, decided, raced, retried and changed: never overspent, never two decisions, all money returned', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (moves) => {
      const company = await openCompany();
      const { workspaceId, memberIds, users, ruleId, budgetId, as, linked, link } = company;
      const known = new Map<string, Known>();
      let attempts = 0;
      const read = async (): Promise<State[]> =>
        (await database.query<State>(stateSql, [workspaceId])).map((row) => ({
          ...(known.get(row.requestId) as Known),
          ...row,
        }));
      /** Whether a user sent an order or receives a gift of it, by the records then and now, and by the addresses. */
      const isParty = async ({ by, address, records: then }: Known, nth: number) => {
        const now = await recordsOf(workspaceId, { id: await linked(nth) });
        const addresses = [users[nth]?.email, ...now.map((row) => row.address)];
        return by === nth || addresses.includes(address) || now.some(({ id }) => then.has(id));
      };
      /** The records of those who have to do with an order. */
      const partiesNow = async (address: string, senderId: number | null) => {
        const recipient = await recordsOf(workspaceId, { address });
        const sender = senderId === null ? [] : await recordsOf(workspaceId, { id: senderId });
        return [...recipient, ...sender].map(({ id }) => id);
      };
      const ignoring = (kind: Failure['kind']) => (error: unknown) =>
        assert.equal((error as Failure).kind, kind, String(error));
      const pick = (states: State[], nth: number) => states[nth % Math.max(states.length, 1)];
      const decide = (node: 0 | 1, by: number, { requestId }: Known, made: 'APPROVED' | 'DECLINED') =>
        decideOrders(
          nodes[node],
          { accept: acceptSteps, decline: declineSteps },
          as(by),
          { is: 'USER', id: users[by]?.id ?? 0, name: names[by] ?? '' },
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

      /** Asks approvers about requests that are complete; later also about those that no order has joined for a minute. */
      const close = async (later: boolean) => {
        if (later)
          await database.query(
            `update approval_requests set last_at = last_at - interval '61 seconds' where workspace_id = $1`,
            [workspaceId],
          );
        await Promise.all(nodes.map((node) => announceAllWaiting(node, declineSteps)));
      };

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
          const address = addressOf(one.to, one.toRecord);
          const by = one.by === 3 ? null : one.by;
          const memberId = by === null ? null : await linked(by);
          const orderItems = one.amounts.map((value) => aGift({ amount: value, recipient: { email: address } }));
          const workspace = {
            ...company.grant,
            hasBudgets: true,
            rules: rules?.rules ?? [],
            acceptsLeavers: true,
            ...(by !== null && { memberId: memberId ?? 0, role: as(by).role, firstTokenId: null }),
          };
          const submission = {
            tokenId: by === null ? 1 : (users[by]?.id ?? 0),
            workspace,
            customerRequestId: null,
            idempotencyKey: null,
          };
          const batch = one.batch === null ? {} : { batch: { id: one.batch, orders: 3 } };
          const order = anOrder({ orderItems, ...batch }) as never;
          const records = new Set(await partiesNow(address, memberId));
          await acceptance
            .accept({ ...submission, order })
            .then(
              ({ record: { requestId } }) =>
                known.set(requestId, { requestId, total: sumOf(one.amounts), by, address, records }),
              ignoring('overBudget'),
            );
        }
        const states = await read();
        const waiting = states.filter(({ state, outcome }) => state === 'WAITING' && outcome === 'PENDING');
        if (one.do === 'decide' || one.do === 'race') {
          const order = pick(waiting, one.order);
          if (!order) continue;
          const together = waiting.filter(({ request }) => request === order.request);
          const isPartyOfAny = async (nth: number) => {
            for (const other of together) if (await isParty(other, nth)) return true;
            return false;
          };
          const decisionsOf = async () => {
            const after = await read();
            return together.map(
              ({ requestId, decisions }) =>
                (after.find((row) => row.requestId === requestId)?.decisions ?? 0) - decisions,
            );
          };
          if (one.do === 'decide') {
            const isOne = await isPartyOfAny(one.by);
            const done = await decide(0, one.by, order, one.decision);
            assert.ok(!done || !isOne, 'a party has decided');
            assert.ok(!done || !order.isOpen, 'a request was decided that orders may join');
            assert.deepEqual(new Set(await decisionsOf()), new Set([Number(done)]), 'all orders of a request, or none');
          } else {
            const are = [await isPartyOfAny(0), await isPartyOfAny(1)];
            const done = await Promise.all([
              decide(0, 0, order, one.decisions[0]),
              decide(1, 1, together.at(-1) ?? order, one.decisions[1]),
            ]);
            assert.deepEqual(new Set(await decisionsOf()), new Set([done.filter(Boolean).length]));
            for (const [nth, hasDecided] of done.entries()) assert.ok(!hasDecided || !are[nth], 'a party has decided');
          }
        }
        if (one.do === 'close') await close(one.later);
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
            await retryOrder(database, theService, failed.requestId, acceptSteps, workspaceId).then(async () => {
              for (const id of await partiesNow(failed.address, null)) failed.records.add(id);
            }, ignoring('overBudget'));
        }
        if (one.do === 'leave' || one.do === 'return') {
          const active = one.do === 'return';
          await inWorkspace(database, workspaceId, (tx) =>
            setPresence(tx, theService, workspaceId, memberIds[one.who] as number, { active }),
          );
        }
        if (one.do === 'merge') {
          const [from, into] = [memberIds[names.length + one.who] as number, memberIds[one.who] as number];
          const isMerged = (await recordsOf(workspaceId, { id: from })).some(({ id }) => id === into);
          if (!isMerged) await database.transaction((tx) => mergeMembers(tx, theService, workspaceId, from, into));
        }
        if (one.do === 'split') {
          const [record] = await recordsOf(workspaceId, { address: addressOf(one.who, '') });
          const id = record?.into ?? record?.id;
          if (id !== undefined)
            await database
              .transaction((tx) => splitMember(tx, theService, workspaceId, id, ['email']))
              .catch(ignoring('invalid'));
        }
        if (one.do === 'link') await link(one.who, addressOf(one.who, one.to)).catch(ignoring('conflict'));
        if (one.do === 'fulfil') {
          fulfilment.wake(workspaceId);
          await fulfilment.idle();
        }
        await check();
      }
      await close(true);
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
