import { type Call, load, type Outcome } from '../load.ts';
import type { Bench, Program, Service } from '../programs.ts';
import { inRounds, median, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { create } from './throughput.ts';

export interface Latency extends Outcome {
  operation: string;
}

const figures = ['perSecond', 'p50', 'p95', 'p99'] as const;

/** Each operation by itself, at half the rate that it can have. */
export async function measureLatencies(service: Service, workspaceId: number, sizes: Sizes): Promise<Series> {
  const series: Series = {};
  for (const [operation, call] of Object.entries(await operations(service, workspaceId))) {
    const rate = (await fullRate(service, call, sizes)) / 2;
    const half = await load({ url: service.url, calls: [call], seconds: sizes.seconds, rate });
    for (const figure of figures) series[`half load: ${operation}: ${figure}`] = [half[figure]];
  }
  return series;
}

/** The table of these. */
export function latenciesOf(series: Series): Latency[] {
  const found = Object.keys(series).map((name) => /^half load: (.+): p50$/.exec(name)?.[1]);
  return found.flatMap((operation) => {
    if (operation === undefined) return [];
    const [perSecond, p50, p95, p99] = figures.map((figure) =>
      median(series[`half load: ${operation}: ${figure}`] ?? []),
    );
    return [{ operation, perSecond, p50, p95, p99 } as Latency];
  });
}

/**
 * The slowest of a hundred answers, as a multiple of the median: at half load, and in the same rounds of a bare route that is asked as
 * often. The bare route shows what the machine and the load generator add.
 */
export async function measureTails(bench: Bench, service: Service, workspaceId: number, sizes: Sizes): Promise<Series> {
  const {
    create: creating,
    'team activity': activity,
    'last recognized': last,
  } = await operations(service, workspaceId);
  const bare = await bench.startComparison('bare.ts', {});
  const measures: Record<string, () => Promise<number>> = {};
  for (const [name, call] of Object.entries({ create: creating, activity, last })) {
    const rate = (await fullRate(service, call, sizes)) / 2;
    measures[`tail ${name}`] = () => tail(service, call, rate, sizes);
    measures[`tail ${name} bare`] = () => tail(bare, creating, rate, sizes);
  }
  return inRounds(sizes.rounds, measures);
}

async function operations(service: Service, workspaceId: number) {
  const { url, call } = service;
  const creating = (gifts: number) => create(service, gifts);
  const { path, ...request } = creating(20);
  const { requestId } = (await (await fetch(url + path, request)).json()) as { requestId: string };
  const read = (address: string, workspace?: number) => call('GET', address, undefined, workspace);
  return {
    create: creating(1),
    status: read(`/api/v1/orders/status/${requestId}`),
    'find, 20 gifts': read(`/api/v1/orders/${requestId}`),
    'team activity': read('/api/v1/reports/teams/activity', workspaceId),
    'last recognized': read('/api/v1/reports/members/last-recognized', workspaceId),
  };
}

async function fullRate({ url }: Program, call: Call, { seconds }: Sizes): Promise<number> {
  return (await load({ url, calls: [call], seconds })).perSecond;
}

async function tail({ url }: Program, call: Call, rate: number, { seconds }: Sizes): Promise<number> {
  const { p50, p99 } = await load({ url, calls: [call], seconds: 2 * seconds, rate });
  return p99 / p50;
}
