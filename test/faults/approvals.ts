import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderApproval } from '../../src/ground/contract/approval.ts';
import type { NewRule } from '../../src/ground/contract/rule.ts';
import { type Database, queryOne } from '../../src/ground/database/database.ts';
import { eventually, within } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import type { Random } from '../support/random.ts';
import { cookieFrom, useLink } from '../support/sign-in.ts';
import { tracedOf } from './budgets.ts';
import type { Stage } from './fault.ts';

const decidedWithinMs = 30_000;
/** More than a run spends. */
const granted = 100_000;

const rule: NewRule = {
  name: 'Swiss francs',
  measure: 'GIFT',
  currency: 'CHF',
  above: 0,
  outcome: 'ASK',
  levels: [{ approvers: [{ is: 'ROLE', role: 'APPROVER' }] }],
  days: 3,
};

/**
 * Orders in CHF that wait for approval in the workspace whose orders no journal counts, and draw on a budget. Two people decide them at the same time, in
 * the same way or not; some expire.
 */
export class Approvals {
  readonly #stage: Stage;
  readonly #workspaceId: number;
  readonly #random: Random;
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#workspaceId = tracedOf(stage.client.workspaceId);
    this.#random = stage.random.fork('approvals');
  }

  /** The orders of this many batches were sent, or some of them. */
  #batches = 0;

  /** `folder` has the program that the nodes run now: its commands and its API make the rule, the budget and the approvers. */
  static async open(stage: Stage, folder: string): Promise<Approvals> {
    const approvals = new Approvals(stage);
    const links = await approvals.#setUp(folder);
    await eventually(async () => {
      await approvals.#sendOne().catch(() => {});
      return (await approvals.waiting()) > 0;
    });
    const cookies = await Promise.all(links.map(async (link) => cookieFrom(await useLink(stage.rig.url, link))));
    const deciding = cookies.map((cookie, nth) => {
      const own = approvals.#random.fork(`approver ${nth}`);
      return approvals.#repeat(() => approvals.#decideSome(cookie, own.pick(['APPROVED', 'DECLINED'])));
    });
    approvals.#work = Promise.all([...deciding, approvals.#repeat(() => approvals.#sendSome())]);
    return approvals;
  }

  async waiting(): Promise<number> {
    const { waiting } = await queryOne<{ waiting: number }>(
      this.#stage.rig.database,
      `select count(*) as waiting from order_approvals where workspace_id = $1 and state = 'WAITING'`,
      [this.#workspaceId],
    );
    return waiting;
  }

  async #describeWaiting(): Promise<string> {
    const rows = await this.#stage.rig.database.query(
      `select request_id, level, since, due_at, clock_timestamp() as now, is_announced, asked_with
         from order_approvals where workspace_id = $1 and state = 'WAITING' limit 3`,
      [this.#workspaceId],
    );
    return JSON.stringify(rows);
  }

  /** A killed process may still lock what waits: then none expires now. */
  async letSomeExpire(): Promise<void> {
    const sql = `
      update order_approvals
         set due_at = clock_timestamp()
       where workspace_id = $1
         and state = 'WAITING'
         and get_byte(uuid_send(request_id), 15) % 4 = 0`;
    await this.#stage.rig.database.query(sql, [this.#workspaceId]).catch(() => {});
  }

  /**
   * Nothing more is sent or decided. What waits expires, and each order has one decision, and its money. `decidesTogether`: whether all nodes decide orders
   * of a batch together.
   */
  async end({ decidesTogether }: { decidesTogether: boolean }): Promise<void> {
    const { rig, journal } = this.#stage;
    this.#isOver = true;
    await this.#work;
    await rig.database.query(
      `update order_approvals set due_at = clock_timestamp() where workspace_id = $1 and state = 'WAITING'`,
      [this.#workspaceId],
    );
    await rig.database.query(
      `update approval_requests set last_at = last_at - interval '61 seconds' where workspace_id = $1`,
      [this.#workspaceId],
    );
    const patienceMs = decidedWithinMs * journal.patience;
    const isDecided = await within(patienceMs, async () => (await this.waiting()) === 0);
    if (!isDecided)
      journal.violated(`Orders still wait though their time has passed: ${await this.#describeWaiting()}.`);
    await within(patienceMs, async () => (await readContradictions(rig.database, this.#workspaceId)).length === 0);
    for (const said of await readContradictions(rig.database, this.#workspaceId)) journal.violated(said);
    for (const said of decidesTogether ? await readSplitRequests(rig.database, this.#workspaceId) : [])
      journal.violated(said);
    for (const said of await readWrongMoney(rig.database, this.#workspaceId)) journal.violated(said);
  }

  /** Returns the links of two people who approve. */
  async #setUp(folder: string): Promise<string[]> {
    const { rig } = this.#stage;
    const run = async (...args: string[]) => {
      const { stdout } = await rig.commandIn(folder, ...args, '--workspace', String(this.#workspaceId), '--json');
      return JSON.parse(stdout);
    };
    const links: string[] = [];
    for (const name of ['Lucie', 'Elena']) {
      const email = `${name.toLowerCase()}@example.com`;
      links.push((await run('admin', 'link', '--email', email, '--name', name, '--role', 'APPROVER')).secret);
    }
    await run('budget', 'set', '--currency', 'CHF', '--amount', String(granted));
    const { token } = await run('token', 'create', '--scopes', 'rules:read,rules:manage');
    const headers = {
      Authorization: `Bearer ${token}`,
      'X-Workspace-id': String(this.#workspaceId),
      'Content-Type': 'application/json',
    };
    const added = await fetch(`${rig.url}/api/v1/rules`, { method: 'POST', headers, body: JSON.stringify(rule) });
    if (added.status !== 201) throw new Error(`The rule was not added: ${await added.text()}`);
    return links;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) await work().catch(() => sleep(50));
  }

  /** An order alone, or a batch, of which the last one may be missing. */
  async #sendSome(): Promise<void> {
    const orders = this.#random.int(1, 4);
    if (orders === 1) return this.#sendOne();
    const batch = { id: `batch ${this.#batches++}`, orders };
    for (let nth = this.#random.int(0, 1); nth < orders; nth++) await this.#sendOne({ batch });
  }

  async #sendOne(changes: object = {}): Promise<void> {
    const { rig, client } = this.#stage;
    await this.#exchange(`${rig.url}/api/v1/orders`, {
      method: 'POST',
      headers: client.headers(crypto.randomUUID(), this.#workspaceId),
      body: JSON.stringify(anOrder({ currency: 'CHF', orderItems: [aGift()], ...changes })),
    });
    await sleep(this.#random.int(0, 40));
  }

  /** As the console does: what waits for the approver, decided together. Another approver may come first. */
  async #decideSome(cookie: string, decision: string): Promise<void> {
    const { rig } = this.#stage;
    const headers = {
      Cookie: cookie,
      Origin: rig.url,
      'X-Workspace-id': String(this.#workspaceId),
      'Content-Type': 'application/json',
    };
    const listed = await this.#exchange(`${rig.url}/api/v1/approvals?size=3`, { headers });
    const { approvals } = listed as { approvals: { order: OrderApproval | null }[] };
    const requestIds = approvals.flatMap(({ order }) => order?.requestId ?? []);
    if (requestIds.length === 0) return void (await sleep(20));
    const body = JSON.stringify({ requestIds, decision, comment: 'So it is.' });
    await this.#exchange(`${rig.url}/api/v1/approvals/decisions`, { method: 'POST', headers, body });
  }

  async #exchange(url: string, request: RequestInit): Promise<unknown> {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    if (response.status === 500) this.#stage.journal.violated(`${url} said 500: ${text}`);
    return JSON.parse(text);
  }
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

/** The orders of a request have the same decision, by the same person. */
async function readSplitRequests(database: Database, workspaceId: number): Promise<string[]> {
  const rows = await database.query<{ said: string }>(
    `select 'The orders of the request ' || a.asked_with || ' were decided apart: ' || string_agg(distinct a.state || ' by ' || d.decided_by, ', ') as said
       from order_approvals a
       join order_decisions d using (workspace_id, request_id)
      where a.workspace_id = $1 and a.asked_with is not null
      group by a.asked_with
     having count(distinct (a.state, d.decided_by, d.decided_at)) > 1`,
    [workspaceId],
  );
  const [{ together } = { together: 0 }] = await database.query<{ together: number }>(
    `select count(*) as together
       from (select from order_approvals where workspace_id = $1 and asked_with is not null group by asked_with having count(*) > 1) requests`,
    [workspaceId],
  );
  return [...rows.map(({ said }) => `${said}.`), ...(together === 0 ? ['No orders have waited together.'] : [])];
}

/** Nothing stays reserved, and what was spent are the gifts of the orders that were approved. */
async function readWrongMoney(database: Database, workspaceId: number): Promise<string[]> {
  const { available, committed, issued, fulfilled } = await queryOne<Record<string, number>>(
    database,
    `select b.available, b.committed, b.issued,
            (select coalesce(sum(c.amount), 0)
               from order_requests r
               join certificates c on c.workspace_id = r.workspace_id and c.request_id = r.request_id
              where r.workspace_id = b.workspace_id and r.currency = b.currency) as fulfilled
       from budgets b
      where b.workspace_id = $1 and b.currency = 'CHF' and b.kind <> 'UNLIMITED'`,
    [workspaceId],
  );
  const isRight = committed === 0 && issued === fulfilled && available === granted - (issued ?? 0);
  return isRight
    ? []
    : [
        `Of ${granted} CHF, ${available} are available, ${committed} reserved and ${issued} issued, and gifts have ${fulfilled}.`,
      ];
}
