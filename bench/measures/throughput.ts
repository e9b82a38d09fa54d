import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Call, load } from '../load.ts';
import { type Bench, type Program, type Service, startFlags } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';

export function anOrder(gifts: number) {
  const gift = {
    message: 'Thank you for the launch!',
    amount: 25,
    recipient: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  };
  return { currency: 'CAD', orderItems: Array.from({ length: gifts }, () => gift) };
}

export const create = (service: Service, gifts = 1): Call => service.call('POST', '/api/v1/orders', anOrder(gifts));

/** Rates a second: accepting, completing and asking for orders, each beside what it is compared with. */
export async function measureThroughput(bench: Bench, whole: Service, sizes: Sizes): Promise<Series> {
  const api = await bench.startService('accepting', { GIFTWIRE_ROLE: 'api' });
  const TOKEN = bearer(create(api));
  const nothing = await bench.startComparison('nothing-stored.ts', { TOKEN }, startFlags);
  const bare = await bench.startComparison('bare.ts', {});
  const single = await startSingle(bench, 'comparison', TOKEN);

  const statuses = await statusCalls(whole, whole);
  const ownStatuses = await statusCalls(api, single);
  const rate =
    (program: Program, ...calls: Call[]) =>
    async () =>
      (await load({ url: program.url, calls, seconds: sizes.seconds })).perSecond;
  const measures = {
    accept: rate(api, create(api)),
    nothingStored: rate(nothing, create(api)),
    bare: rate(bare, create(api)),
    insert: rate(single, create(api)),
    ...(hasPgbench() && { pgbench: () => pgbench(bench.databaseUrl('accepting'), sizes.seconds) }),
    completed: () => completeOrders(whole, 1, sizes.seconds),
    completedTwenty: async () => 20 * (await completeOrders(whole, 20, sizes.seconds)),
    status: rate(whole, ...statuses),
    constant: rate(nothing, ...ownStatuses),
    select: rate(single, ...ownStatuses),
  };
  await inRounds(sizes.warmUps, measures);
  return inRounds(sizes.rounds, measures);
}

/** The program that runs one statement for each request, on a database of its own. */
export async function startSingle(bench: Bench, name: string, TOKEN: string): Promise<Program> {
  await bench.createDatabase(name);
  return bench.startComparison('one-statement-a-request.ts', { TOKEN, DATABASE_URL: bench.databaseUrl(name) });
}

/** Orders a second from the first request to the last order's completion. */
export async function completeOrders(service: Service, gifts: number, seconds: number): Promise<number> {
  const before = await counted(service);
  const begun = performance.now();
  await load({ url: service.url, calls: [create(service, gifts)], seconds });
  for (;;) {
    const now = await counted(service);
    if (now.accepted === now.completed)
      return ((now.completed - before.completed) / (performance.now() - begun)) * 1_000;
    await sleep(20);
  }
}

async function counted({ database }: Service) {
  const [counts] = await database.query<{ accepted: number; completed: number }>(
    'select (select count(*) from order_requests) as accepted, (select count(*) from orders) as completed',
  );
  return counts as { accepted: number; completed: number };
}

/** Questions after a thousand different orders. */
export async function statusCalls(service: Service, { url }: Program): Promise<Call[]> {
  const { path, ...request } = create(service);
  const ids: string[] = [];
  // A few at a time: a busy machine would refuse some of a thousand at once.
  while (ids.length < 1_000) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(url + path, request)));
    const records = await Promise.all(answers.map((answer) => answer.json() as Promise<{ requestId?: string }>));
    ids.push(...records.flatMap(({ requestId }) => requestId ?? []));
  }
  return ids.map((id) => service.call('GET', `/api/v1/orders/status/${id}`));
}

export function bearer({ headers }: Call): string {
  return headers.Authorization?.replace('Bearer ', '') ?? '';
}

function hasPgbench(): boolean {
  return !spawnSync('pgbench', ['--version']).error;
}

/** The same row into the same table, by eight clients without any HTTP. */
async function pgbench(databaseUrl: string, seconds: number): Promise<number> {
  const url = new URL(databaseUrl);
  const file = join(import.meta.dirname, '../comparison/insert.sql');
  const connection = ['-h', url.searchParams.get('host') ?? '', '-U', url.username, url.pathname.slice(1)];
  const how = ['-n', '-M', 'prepared', '-c', '8', '-j', '2', '-T', String(Math.ceil(seconds)), '-f', file];
  const { stdout } = await promisify(execFile)('pgbench', [...how, ...connection]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
