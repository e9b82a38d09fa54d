import { cpuTimeUs } from '../cpu-time.ts';
import { type Call, load } from '../load.ts';
import { type Bench, type Program, startFlags } from '../programs.ts';
import { inRounds, median, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { giftRows } from './gift.ts';
import { bearer, create, startSingle, statusCalls } from './throughput.ts';

/** The CPU time of one request or gift, in µs: of the program that answers it, and of PostgreSQL. */
export interface CpuTime {
  request: string;
  program: number;
  database: number;
}

/** The rows of the table, by the names of their series. The time of PostgreSQL has the same name and `Database` behind it. */
const rows = {
  cpuCreateStored: 'create, stored',
  cpuInsert: 'create, stored by plain Fastify and pg with one INSERT per request',
  cpuCreate: 'create, checked and answered by the same HTTP server, storing nothing',
  cpuCreateBare: 'create, bare Fastify route that reads the body and answers a constant',
  cpuStatusRead: 'status, read from PostgreSQL',
  cpuStatus: 'status, answered by the same HTTP server without reading the order',
  cpuStatusBare: 'status, bare Fastify route that answers a constant',
};

/** CPU time for a request, each measure beside what it is compared with. */
export async function measureCpu(bench: Bench, sizes: Sizes): Promise<Series> {
  const api = await bench.startService('cpu', { GIFTWIRE_ROLE: 'api' });
  const TOKEN = bearer(create(api));
  const nothing = await bench.startComparison('nothing-stored.ts', { TOKEN }, startFlags);
  const bare = await bench.startComparison('bare.ts', {}, startFlags);
  const single = await startSingle(bench, 'single', TOKEN);
  const statuses = await statusCalls(api, api);
  const calls: [keyof typeof rows, Program, Call[]][] = [
    ['cpuCreateStored', api, [create(api)]],
    ['cpuInsert', single, [create(api)]],
    ['cpuCreate', nothing, [create(api)]],
    ['cpuCreateBare', bare, [create(api)]],
    ['cpuStatusRead', api, statuses],
    ['cpuStatus', nothing, statuses],
    ['cpuStatusBare', bare, statuses],
  ];
  const ofDatabase: Series = {};
  const measures = Object.fromEntries(
    calls.map(([name, program, requests]) => [
      name,
      async () => {
        const cost = await costOf(bench, program, requests, sizes.seconds);
        ofDatabase[`${name}Database`] = [...(ofDatabase[`${name}Database`] ?? []), cost.database];
        return cost.program;
      },
    ]),
  );
  for (const [, { url }, requests] of calls) await warmUp(url, requests, sizes.seconds);
  return { ...(await inRounds(sizes.rounds, measures)), ...ofDatabase };
}

/** A program that has answered few requests still compiles its code. */
const enoughRequests = 15_000;

/** By the number of requests and not by time, because a busy machine answers few in a second. */
async function warmUp(url: string, calls: Call[], seconds: number): Promise<void> {
  for (let answered = 0; answered < enoughRequests; )
    answered += (await load({ url, calls, seconds })).perSecond * seconds;
}

export async function costOf({ databasePid }: Bench, { url, pid }: Program, calls: Call[], seconds: number) {
  const before = { program: cpuTimeUs(pid), database: cpuTimeUs(databasePid) };
  const requests = (await load({ url, calls, seconds })).perSecond * seconds;
  return {
    program: (cpuTimeUs(pid) - before.program) / requests,
    database: (cpuTimeUs(databasePid) - before.database) / requests,
  };
}

/** The table. Without rows where the system does not tell. */
export function cpuTimes(series: Series): CpuTime[] {
  return Object.entries({ ...rows, ...giftRows }).flatMap(([name, request]) => {
    const program = median(series[name] ?? []);
    const database = median(series[`${name}Database`] ?? []);
    return Number.isNaN(program) ? [] : [{ request, program, database }];
  });
}
