import { createHook } from 'node:async_hooks';
import { Histogram, Registry } from 'prom-client';
import { createMetrics } from '../src/ground/metrics.ts';

/** Prints the figures of docs/private-apis.md that need no service: ratios of CPU time, each the median of five rounds. */
const rounds = 5;
const counted = 300_000;
const awaited = 1_000_000;

const { requests } = createMetrics();
const library = new Histogram({
  name: 'requests',
  help: 'Requests.',
  labelNames: ['method', 'route', 'status'],
  registers: [new Registry()],
});
const counting = {
  ours: () => repeat(counted, () => requests.note('POST', '/api/v1/orders', 201, 0.004)),
  library: () =>
    repeat(counted, () => library.observe({ method: 'POST', route: '/api/v1/orders', status: 201 }, 0.004)),
};
console.log(`counting a request, the library beside ours: ${await ratio(counting.library, counting.ours)} times`);

const hook = createHook({ init() {}, before() {}, after() {} });
const awaiting = async () => {
  for (let nth = 0; nth < awaited; nth++) await null;
};
const followed = async () => {
  hook.enable();
  await awaiting();
  hook.disable();
};
console.log(`an await that a hook follows, beside one that is not followed: ${await ratio(followed, awaiting)} times`);

function repeat(count: number, work: () => void): void {
  for (let nth = 0; nth < count; nth++) work();
}

/** How much more CPU time one takes than the other. The two take turns. */
async function ratio(one: () => unknown, other: () => unknown): Promise<string> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push((await cpuOf(one)) / (await cpuOf(other)));
  return (ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number).toFixed(1);
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
