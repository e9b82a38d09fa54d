import { setTimeout as sleep } from 'node:timers/promises';

export interface Bounds {
  /** How long to go on asking. */
  withinMs?: number;
  /** The pause before the next question. Without it, what takes long is asked less often: questions take processor time. */
  everyMs?: number;
}

/** Long, because only something broken takes so long. A busy machine does not. */
const defaultWithinMs = 60_000;

/**
 * Asks again until the answer is the awaited one: without a condition, anything but false, null and undefined.
 * Throws when that takes too long. The one loop with which tests and faults wait.
 */
export function eventually<T>(ask: () => Promise<T | false | null | undefined>): Promise<T>;
export function eventually<T>(ask: () => Promise<T>, isAwaited: (answer: T) => boolean, bounds?: Bounds): Promise<T>;
export async function eventually<T>(
  ask: () => Promise<T>,
  isAwaited: (answer: T) => boolean = isThere,
  { withinMs = defaultWithinMs, everyMs }: Bounds = {},
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (isAwaited(answer)) return answer;
    const waited = performance.now() - begun;
    if (waited <= withinMs) await sleep(everyMs ?? pauseAfter(waited));
    else throw new TookTooLong(`after ${withinMs} ms still ${JSON.stringify(answer)}: ${ask}`);
  }
}

/** Repeats a request while the answer is 503, as clients are told to do. On a slow machine the service may be busy. */
export function whileBusy<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  return eventually(ask, ({ status }) => status !== 503, { everyMs: 100 });
}

/** A tenth of the time that it has taken so far. */
function pauseAfter(waitedMs: number): number {
  return Math.min(250, Math.max(10, waitedMs / 10));
}

/** Whether the answer becomes true in time, for programs that report a promise as broken and go on. */
export async function within(withinMs: number, ask: () => Promise<boolean>, everyMs = 25): Promise<boolean> {
  try {
    return await eventually(ask, Boolean, { withinMs, everyMs });
  } catch (error) {
    if (error instanceof TookTooLong) return false;
    throw error;
  }
}

class TookTooLong extends Error {}

function isThere(answer: unknown): boolean {
  return answer !== false && answer !== null && answer !== undefined;
}
