import { setTimeout as sleep } from 'node:timers/promises';
import { makeSignInLink } from '../../../src/company/access/sessions.ts';
import { findOrAddUser, giveRole } from '../../../src/company/access/users.ts';
import { atTheCommandLine, theService } from '../../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../../src/company/workspaces/lock.ts';
import { addRule } from '../../../src/giving/approvals/rules.ts';
import type { OrderApproval } from '../../../src/ground/contract/approval.ts';
import type { Database } from '../../../src/ground/database/database.ts';
import { eventually, within } from '../../support/eventually.ts';
import { aGift, anOrder } from '../../support/orders.ts';
import { cookieFrom, useLink } from '../../support/sign-in.ts';
import { tracedOf } from '../budgets.ts';
import type { Fault, Stage } from '../fault.ts';

const decidedWithinMs = 30_000;

const approvalsKilled: Fault = {
  name: 'approvals-killed',
  what: 'API and workers are killed while orders wait for approval, two approvers decide them at once, and others expire; each order is decided once, and no order is fulfilled without an approval',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    let [api, worker] = await Promise.all([rig.start('api'), rig.start('worker')]);
    journal.rules.mayBeLost = true;
    const workspaceId = tracedOf(client.workspaceId);
    const cookies = await openApprovers(stage, workspaceId);
    let isOver = false;
    const approvers = cookies.map(async (cookie) => {
      const own = random.fork(cookie);
      while (!isOver)
        await decideSome(stage, workspaceId, cookie, own.pick(['APPROVED', 'DECLINED'])).catch(() => sleep(50));
    });
    const sending = (async () => {
      while (!isOver) await sendOne(stage, workspaceId).catch(() => sleep(50));
    })();
    for (let strike = 0; strike < (long ? 12 : 4); strike++) {
      await sleep(random.int(300, 1_200));
      await letSomeExpire(rig.database, workspaceId);
      if (strike % 2 === 0) {
        await api.end('SIGKILL');
        api = await rig.start('api');
      } else {
        await worker.end('SIGKILL');
        worker = await rig.start('worker');
      }
    }
    isOver = true;
    await Promise.all([sending, ...approvers]);
    await rig.database.query(
      `update order_approvals set due_at = clock_timestamp() where workspace_id = $1 and state = 'WAITING'`,
      [workspaceId],
    );
    const isDecided = async () => (await countWaiting(rig.database, workspaceId)) === 0;
    journal.require(
      await within(decidedWithinMs * journal.patience, isDecided),
      'Orders still wait though their time has passed.',
    );
    await within(decidedWithinMs * journal.patience, async () => (await rig.pending()) === 0);
    for (const sentence of await readContradictions(rig.database, workspaceId)) journal.violated(sentence);
    return undefined;
  },
};

/** Two people who approve orders in CHF, signed in. A rule of the workspace asks them. */
async function openApprovers({ rig, client }: Stage, workspaceId: number): Promise<string[]> {
  const { database } = rig;
  const links = await database.transaction(async (tx) => {
    const found: string[] = [];
    for (const name of ['Lucie', 'Elena']) {
      const user = await findOrAddUser(tx, workspaceId, { email: `${name}@example.com`, name });
      await giveRole(tx, atTheCommandLine, user, { workspaceId, role: 'APPROVER' });
      found.push((await makeSignInLink(tx, theService, 'test', user)).secret);
    }
    return found;
  });
  await inWorkspace(database, workspaceId, (tx) =>
    addRule(tx, theService, workspaceId, {
      name: 'Swiss francs',
      measure: 'GIFT',
      currency: 'CHF',
      above: 0,
      outcome: 'ASK',
      levels: [{ approvers: [{ is: 'ROLE', role: 'APPROVER' }] }],
      days: 3,
    }),
  );
  await eventually(async () => {
    await sendOne({ rig, client }, workspaceId).catch(() => {});
    return (await countWaiting(database, workspaceId)) > 0;
  });
  return Promise.all(links.map(async (link) => cookieFrom(await useLink(rig.url, link))));
}

async function sendOne({ rig, client }: Pick<Stage, 'rig' | 'client'>, workspaceId: number): Promise<void> {
  await fetch(`${rig.url}/api/v1/orders`, {
    method: 'POST',
    headers: client.headers(crypto.randomUUID(), workspaceId),
    body: JSON.stringify(anOrder({ currency: 'CHF', orderItems: [aGift()] })),
    signal: AbortSignal.timeout(2_000),
  }).then((response) => response.arrayBuffer());
}

/** As the console does: what waits for the approver, decided together. Another approver may come first. */
async function decideSome({ rig }: Stage, workspaceId: number, cookie: string, decision: string): Promise<void> {
  const headers = {
    Cookie: cookie,
    Origin: rig.url,
    'X-Workspace-id': String(workspaceId),
    'Content-Type': 'application/json',
  };
  const signal = AbortSignal.timeout(2_000);
  const listed = await fetch(`${rig.url}/api/v1/approvals?size=3`, { headers, signal });
  const { approvals } = (await listed.json()) as { approvals: { order: OrderApproval | null }[] };
  const requestIds = approvals.flatMap(({ order }) => order?.requestId ?? []);
  if (requestIds.length === 0) return void (await sleep(20));
  const body = JSON.stringify({ requestIds, decision, comment: 'So it is.' });
  const decided = await fetch(`${rig.url}/api/v1/approvals/decisions`, { method: 'POST', headers, body, signal });
  await decided.arrayBuffer();
}

/** A killed process may still lock what waits: then none expires now. */
async function letSomeExpire(database: Database, workspaceId: number): Promise<void> {
  const sql = `
    update order_approvals
       set due_at = clock_timestamp()
     where workspace_id = $1
       and state = 'WAITING'
       and get_byte(uuid_send(request_id), 15) % 4 = 0`;
  await database.query(sql, [workspaceId]).catch(() => {});
}

async function countWaiting(database: Database, workspaceId: number): Promise<number> {
  const rows = await database.query(`select from order_approvals where workspace_id = $1 and state = 'WAITING'`, [
    workspaceId,
  ]);
  return rows.length;
}

/** Each order in CHF that was held has one decision, one outcome that follows from it, and one event for each. */
async function readContradictions(database: Database, workspaceId: number): Promise<string[]> {
  const rows = await database.query<{ said: string }>(
    `select 'Order ' || a.request_id || ' is ' || a.state || ' with ' || d.decisions || ' decisions, ' || e.events
              || ' events and the outcome ' || coalesce(o.failure, 'completed') as said
       from order_approvals a
       left join orders o on o.workspace_id = a.workspace_id and o.request_id = a.request_id
      cross join lateral (select count(*) as decisions from order_decisions d
                           where d.workspace_id = a.workspace_id and d.request_id = a.request_id) d
      cross join lateral (select count(*) as events from events e
                           where e.workspace_id = a.workspace_id and e.type in ('order.approved', 'order.declined')
                             and e.data ->> 'requestId' = a.request_id::text) e
      where a.workspace_id = $1
        and (d.decisions <> 1 or e.events <> 1 or o.request_id is null or (o.failure is null) <> (a.state = 'APPROVED')
             or exists (select from held_orders h where h.workspace_id = a.workspace_id and h.request_id = a.request_id))`,
    [workspaceId],
  );
  return rows.map(({ said }) => `${said}.`);
}

export const approvalFaults = [approvalsKilled];
