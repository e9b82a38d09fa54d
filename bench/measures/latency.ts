import { load, type Outcome } from '../load.ts';
import type { Service } from '../programs.ts';
import type { Sizes } from '../sizes.ts';
import { create } from './throughput.ts';

export interface Latency extends Outcome {
  operation: string;
}

/** Each operation by itself, at half the rate that it can have. */
export async function measureLatencies(service: Service, workspaceId: number, sizes: Sizes): Promise<Latency[]> {
  const { path, ...request } = create(service, 20);
  const { requestId } = (await (await fetch(service.url + path, request)).json()) as { requestId: string };
  const read = (address: string, workspace?: number) => service.call('GET', address, undefined, workspace);
  const operations = {
    create: create(service),
    status: read(`/api/v1/orders/status/${requestId}`),
    'find, 20 gifts': read(`/api/v1/orders/${requestId}`),
    'team activity': read('/api/v1/reports/teams/activity', workspaceId),
    'last recognized': read('/api/v1/reports/members/last-recognized', workspaceId),
  };
  const latencies: Latency[] = [];
  for (const [operation, call] of Object.entries(operations)) {
    const whole = await load({ url: service.url, calls: [call], seconds: sizes.seconds });
    const half = await load({ url: service.url, calls: [call], seconds: sizes.seconds, rate: whole.perSecond / 2 });
    latencies.push({ operation, ...half });
  }
  return latencies;
}
