import { unavailable } from '../../../ground/errors.ts';
import type { Room } from './body-room.ts';

interface Waiting {
  read: () => Promise<void>;
  giveUp: (error: unknown) => void;
  since: number;
}

const maxWaitingOfCaller = 16;
const maxWaitMs = 2_500;

/**
 * Large bodies are parsed one after the other, because many at once would delay all other requests. Callers take turns, so
 * that one who sends many does not delay the others. A body that would wait too long is refused with a 503. It keeps its room until it
 * was read, also if its caller goes away.
 */
const byCaller = new Map<number, Waiting[]>();
let isReading = false;

export function readInTurn<T>(callerId: number, room: Room | null, read: () => Promise<T>): Promise<T> {
  const own = byCaller.get(callerId) ?? [];
  if (own.length >= maxWaitingOfCaller) return Promise.reject(unavailable());
  room?.enter();
  return new Promise<T>((resolve, reject) => {
    own.push({ read: () => read().then(resolve, reject), giveUp: reject, since: performance.now() });
    byCaller.set(callerId, own);
    if (!isReading) void readAll();
  }).finally(() => room?.leave());
}

async function readAll(): Promise<void> {
  isReading = true;
  for (;;) {
    const [next] = byCaller;
    if (next === undefined) break;
    const [callerId, own] = next;
    // If more bodies of this caller wait, the caller goes to the end of the queue.
    byCaller.delete(callerId);
    const { read, giveUp, since } = own.shift() as Waiting;
    if (own.length > 0) byCaller.set(callerId, own);
    if (performance.now() - since > maxWaitMs) giveUp(unavailable());
    else await read();
  }
  isReading = false;
}
