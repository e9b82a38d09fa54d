import { residentMegabytes } from '../../bench/programs.ts';
import { within } from '../support/eventually.ts';
import type { Stage } from './fault.ts';
import { type Journal, seconds } from './journal.ts';
import { randomOrder } from './orders.ts';

/** Checks that an order is accepted and completed within the time from now. */
export async function expectNormal({ client, journal, random }: Stage, withinMs: number, after: string): Promise<void> {
  const order = randomOrder(random, { people: 60, maxGifts: 2 });
  const key = `normal-${random.int(0, 0xffffffff).toString(36)}`;
  let requestId: string | null = null;
  const isCompleted = async () => {
    requestId ??= (await client.create(key, order)).requestId;
    return requestId !== null && (await client.status(requestId))?.requestStatus === 'COMPLETED';
  };
  const isNormal = await within(withinMs * journal.patience, isCompleted, 50);
  journal.require(isNormal, `Nothing is completed again within ${seconds(withinMs)} after ${after}.`);
}

/** Watches a process's memory until the returned function is called. */
export function watchMemory(journal: Journal, pid: number, maxMegabytes: number): () => void {
  let highest = 0;
  const look = () => {
    highest = Math.max(highest, residentMegabytes(pid) ?? 0);
  };
  const timer = setInterval(look, 100).unref();
  return () => {
    look();
    clearInterval(timer);
    journal.require(highest < maxMegabytes, `The process took ${Math.round(highest)} MB of memory.`);
  };
}
