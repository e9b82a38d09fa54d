import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytes } from '../../bench/programs.ts';
import type { Stage } from './fault.ts';
import { type Journal, seconds } from './journal.ts';
import { randomOrder } from './orders.ts';

/** An order is accepted and completed again within the time, counted from now. */
export async function expectNormal({ client, journal, random }: Stage, withinMs: number, after: string): Promise<void> {
  const began = Date.now();
  const order = randomOrder(random, { people: 60, maxGifts: 2 });
  const key = `normal-${random.int(0, 0xffffffff).toString(36)}`;
  const isLate = () => Date.now() - began > withinMs * journal.patience;
  let requestId: string | null = null;
  for (let finished = false; !finished; await sleep(50)) {
    if (isLate()) return journal.violated(`Nothing is completed again within ${seconds(withinMs)} after ${after}.`);
    requestId ??= (await client.create(key, order)).requestId;
    if (requestId) finished = (await client.status(requestId))?.requestStatus === 'COMPLETED';
  }
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
