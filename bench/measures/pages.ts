import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../load.ts';
import type { Program, Service } from '../programs.ts';
import { inRounds, median, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { create } from './throughput.ts';

const size = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds for one page, asked for by one caller who waits for the answer. */
export async function measurePages(filled: Service, workspaceId: number, sizes: Sizes): Promise<Series> {
  const large = await orderOfThousand(filled);
  const find = (page: number) => filled.call('GET', `/api/v1/orders/${large}?page=${page}&size=${size}`);
  const report = (path: string) => filled.call('GET', `/api/v1/reports/${path}`, undefined, workspaceId);
  const activity = (page: number) => report(`teams/activity?page=${page}&size=${size}`);
  const last = (query: string) => report(`members/last-recognized?size=${size}&${query}`);
  const lastPage = sizes.members / size - 1;
  const timed = (call: Call) => () => medianTime(filled, call, sizes.pages);
  const aTenth = 'Department 0';

  const measures = {
    findFirst: timed(find(0)),
    findLast: timed(find(1_000 / size - 1)),
    activityFirst: timed(activity(0)),
    activityLast: timed(activity(lastPage)),
    lastFirst: timed(last('page=0')),
    lastLast: timed(last(`page=${lastPage}`)),
    lastFew: timed(last(`costCentre=${encodeURIComponent('Cost centre 7')}`)),
    lastPair: timed(last(`department=${encodeURIComponent(aTenth)}&location=${encodeURIComponent('Location 7')}`)),
    lastTenth: timed(last(`department=${encodeURIComponent(aTenth)}`)),
    countTenth: () => medianCount(filled, workspaceId, aTenth, sizes.pages),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds, measures);
}

export async function medianTime(program: Program, call: Call, times: number): Promise<number> {
  const taken: number[] = [];
  for (let asked = 0; asked < times; asked++) taken.push((await send(program, call)).ms);
  return median(taken);
}

/** Bare SQL that counts the same members in the same index, and nothing else. */
async function medianCount({ database }: Service, workspaceId: number, department: string, times: number) {
  const taken: number[] = [];
  for (let asked = 0; asked < times; asked++) {
    const begun = performance.now();
    await database.query(
      `select count(*) from members
        where workspace_id = $1 and lower(department) = lower($2) and last_recognized_on is not null
          and left_at is null`,
      [workspaceId, department],
    );
    taken.push(performance.now() - begun);
  }
  return median(taken);
}

/** Milliseconds from the first byte of an order to the answer that says COMPLETED, on a service with nothing else to do. */
export async function measureIdle(service: Service, sizes: Sizes): Promise<Series> {
  const once = async () => {
    const begun = performance.now();
    await complete(service, 1);
    const taken = performance.now() - begun;
    await sleep(20);
    return taken;
  };
  await inRounds(5, { once });
  return { idle: (await inRounds(sizes.rounds * 10, { once })).once ?? [] };
}

async function orderOfThousand(service: Service): Promise<string> {
  return complete(service, 1_000);
}

async function complete(service: Service, gifts: number): Promise<string> {
  const { requestId } = (await send(service, create(service, gifts))).body;
  for (;;) {
    const { body } = await send(service, service.call('GET', `/api/v1/orders/status/${requestId}`));
    if (body.requestStatus === 'COMPLETED') return requestId as string;
    await sleep(1);
  }
}

export function send({ url }: Program, call: Call): Promise<{ ms: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const outgoing = request(url + call.path, { method: call.method, headers: call.headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const ms = performance.now() - begun;
        if (response.statusCode === 200 || response.statusCode === 201) resolve({ ms, body: JSON.parse(text) });
        else reject(new Error(`${call.method} ${call.path} answered ${response.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}
