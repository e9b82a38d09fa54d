import { setTimeout as sleep } from 'node:timers/promises';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { setSpendingOption } from '../../src/spending/redemptions/spending-options.ts';
import { cpuTimeUs } from '../cpu-time.ts';
import { type Bench, type Program, type Service, startFlags } from '../programs.ts';
import type { Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { startMailServer, writeOneMail } from './mail.ts';
import { anOrder } from './throughput.ts';

/** The rows of the table, by the names of their series. */
export const giftRows = {
  giftMade: 'a gift, accepted and fulfilled',
  giftMailed: 'the same, and emailed',
  giftTold: 'the same, and its events delivered to a webhook',
  giftClaimed: 'opening and claiming it on its page, and these events',
  giftSpent: 'spending it at a till, and this event',
  giftWhole: 'a gift, all of this',
  giftBare: 'a gift, all of this by bare loops of the same libraries',
};
type Step = keyof typeof giftRows;

const atOnce = 32;

/** CPU time of all processes for a gift: accepted, fulfilled, emailed, claimed and spent, with its events delivered, beside bare loops of the same libraries. */
export async function measureGift(bench: Bench, sizes: Sizes): Promise<Series> {
  const mailServer = await startMailServer(bench);
  const receiver = await bench.startComparison('receiver.ts', {});
  const whole = await prepare(bench, mailServer, receiver);
  const bare = await startBare(bench, mailServer, receiver);
  const series: Series = Object.fromEntries(
    Object.keys(giftRows).flatMap((name) => [
      [name, []],
      [`${name}Database`, []],
    ]),
  );
  for (let round = -1; round < sizes.rounds; round++) {
    const costs = { ...(await whole(sizes.flow)), ...(await bare(sizes.flow)) };
    // The first round is for the compilers.
    if (round < 0) continue;
    for (const [name, { program, database }] of Object.entries(costs)) {
      series[name]?.push(program);
      series[`${name}Database`]?.push(database);
    }
  }
  return series;
}

interface Cost {
  program: number;
  database: number;
}

/** The CPU time of some work, for each gift. */
async function cost({ databasePid }: Bench, { pid }: Program, gifts: number, work: () => Promise<void>): Promise<Cost> {
  const before = { program: cpuTimeUs(pid), database: cpuTimeUs(databasePid) };
  await work();
  return {
    program: (cpuTimeUs(pid) - before.program) / gifts,
    database: (cpuTimeUs(databasePid) - before.database) / gifts,
  };
}

const sum = (...costs: Cost[]): Cost => ({
  program: costs.reduce((all, { program }) => all + program, 0),
  database: costs.reduce((all, { database }) => all + database, 0),
});

/** Three workspaces: without email and webhook, with email, with both. */
async function prepare(bench: Bench, mailServer: string, receiver: Program) {
  const mailing = { GIFTWIRE_SMTP_URL: mailServer, GIFTWIRE_MAIL_FROM: 'gifts@example.com' };
  const service = await bench.startService('gift', mailing);
  const { database, workspaceId: silent } = service;
  const [mailed, told] = [silent + 1, silent + 2];
  await database.query('update workspaces set mails_gifts = false where id = $1', [silent]);
  await inWorkspace(database, told, async (tx) => {
    await addWebhook(tx, theService, told, { url: `${receiver.url}/hook` }, 1);
    await setSpendingOption(tx, told, 'shop', { kind: 'TILL', name: 'Company shop' });
  });
  return async (gifts: number): Promise<Partial<Record<Step, Cost>>> => {
    const measured = (work: () => Promise<void>) => cost(bench, service, gifts, work);
    let ids: string[] = [];
    const make = async (workspaceId: number) => {
      ids = await send(service, workspaceId, gifts);
      await untilDone(service, workspaceId);
    };
    const giftMade = await measured(() => make(silent));
    const giftMailed = await measured(() => make(mailed));
    const giftTold = await measured(() => make(told));
    const tokens = await inTurn(ids, (id) => readToken(service, told, id));
    const giftClaimed = await measured(async () => {
      await inTurn(tokens, (token) => claim(service, token));
      await untilDone(service, told);
    });
    const giftSpent = await measured(async () => {
      await inTurn(tokens, (token) => spend(service, told, token));
      await untilDone(service, told);
    });
    return { giftMade, giftMailed, giftTold, giftClaimed, giftSpent, giftWhole: sum(giftTold, giftClaimed, giftSpent) };
  };
}

async function startBare(bench: Bench, mailServer: string, receiver: Program) {
  await bench.createDatabase('bare_gift');
  const bare = await bench.startComparison(
    'bare-gift.ts',
    {
      DATABASE_URL: bench.databaseUrl('bare_gift'),
      SMTP_URL: mailServer,
      HOOK_URL: `${receiver.url}/hook`,
      MAIL: JSON.stringify(await writeOneMail(bench)),
    },
    startFlags,
  );
  const post = (path: string, body: object = {}) =>
    answered(`${bare.url}${path}`, { 'Content-Type': 'application/json' }, JSON.stringify(body));
  return async (gifts: number): Promise<Partial<Record<Step, Cost>>> => {
    const giftBare = await cost(bench, bare, gifts, async () => {
      const orders = Array.from({ length: gifts }, () => anOrder(1));
      const tokens = await inTurn(orders, async (order) => (JSON.parse(await post('/orders', order)) as Token).token);
      await untilNothingLeft(bare);
      for (const step of ['look', 'claim', 'spend']) await inTurn(tokens, (token) => post(`/${step}/${token}`));
      await untilNothingLeft(bare);
    });
    return { giftBare };
  };
}

async function untilNothingLeft({ url }: Program): Promise<void> {
  while (((await (await fetch(`${url}/left`)).json()) as { left: number }).left > 0) await sleep(50);
}

interface Token {
  token: string;
}

/** Work on each of them, some at a time. */
async function inTurn<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  const left = all.entries();
  const loop = async () => {
    for (const [at, one] of left) done[at] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return done;
}

async function answered(url: string, headers: Record<string, string>, body: string): Promise<string> {
  for (;;) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status !== 503) throw new Error(`${url} answered ${response.status}: ${text}`);
  }
}

function send(service: Service, workspaceId: number, gifts: number): Promise<string[]> {
  const { path, headers, body = '' } = service.call('POST', '/api/v1/orders', anOrder(1), workspaceId);
  return inTurn(Array.from({ length: gifts }), async () => {
    const text = await answered(service.url + path, headers, body);
    return (JSON.parse(text) as { requestId: string }).requestId;
  });
}

async function readToken(service: Service, workspaceId: number, requestId: string): Promise<string> {
  const { path, headers } = service.call('GET', `/api/v1/orders/${requestId}`, undefined, workspaceId);
  const response = await fetch(service.url + path, { headers });
  const { certificates } = (await response.json()) as { certificates: { longToken: string }[] };
  return certificates[0]?.longToken as string;
}

async function claim({ url }: Service, token: string): Promise<void> {
  for (const path of ['/g', '/g/claim'])
    await answered(url + path, { 'Content-Type': 'application/json' }, JSON.stringify({ token }));
}

async function spend(service: Service, workspaceId: number, token: string): Promise<void> {
  const { path, headers, body = '' } = service.call('POST', '/api/v1/gifts/redemptions', { token }, workspaceId);
  await answered(service.url + path, { ...headers, 'Idempotency-Key': `spend-${token}` }, body);
}

/** Until no order of the workspace waits, its emails are sent, and its webhook has every event. */
async function untilDone({ database }: Service, workspaceId: number): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ isDone: boolean }>(
      `select not exists (select from pending_orders where workspace_id = $1)
          and not exists (select from mails where workspace_id = $1 and kind = 'GIFT' and state <> 'SENT')
          and not exists (select from webhooks w
                            join event_counters c using (workspace_id)
                           where w.workspace_id = $1
                             and w.cursor < c.latest) as "isDone"`,
      [workspaceId],
    );
    if (row?.isDone) return;
    await sleep(50);
  }
}
