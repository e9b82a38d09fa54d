import { unavailable } from '../errors.ts';

interface Waiting {
  read: () => Promise<void>;
  giveUp: (error: unknown) => void;
  since: number;
}

const maxWaitingOfCaller = 16;
const maxWaitingBytes = 128 * 1024 * 1024;
const maxWaitMs = 2_500;

/**
 * Large bodies are parsed one after the other, because many at once would delay all other requests. Callers take turns, so
 * that one who sends many does not delay the others. A body that would wait too long is refused with a 503.
 */
const byCaller = new Map<number, Waiting[]>();
let waitingBytes = 0;
let isReading = false;

export function readInTurn<T>(callerId: number, bytes: number, read: () => Promise<T>): Promise<T> {
  const own = byCaller.get(callerId) ?? [];
  if (own.length >= maxWaitingOfCaller || waitingBytes + bytes > maxWaitingBytes) return Promise.reject(unavailable());
  waitingBytes += bytes;
  return new Promise<T>((resolve, reject) => {
    own.push({ read: () => read().then(resolve, reject), giveUp: reject, since: performance.now() });
    byCaller.set(callerId, own);
    if (!isReading) void readAll();
  }).finally(() => {
    waitingBytes -= bytes;
  });
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
