import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Work that is done every `everyMs`. */
export interface Recurring {
  name: string;
  everyMs: number;
  /** The signal is aborted when the worker stops. */
  run: (stopping: AbortSignal) => Promise<void>;
}

export interface Worker {
  isRunning(): boolean;
  stop(): Promise<void>;
}

const stopTimeoutMs = 2_000;

/** Recurring work begins at intervals: begun at once, each would open a connection of its own. */
const apartMs = 100;

/** Does recurring work until stopped. */
export function startWorker(work: readonly Recurring[], log: Logger): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = work.map((one, index) => pause(index * apartMs, signal).then(() => repeat(one, log, signal)));
  return {
    isRunning: () => !signal.aborted,
    async stop() {
      stopping.abort();
      // A round cannot end while the database hangs. It is repeated after the next start.
      await Promise.race([Promise.all(running), sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Runs the rounds, one after the other, until the signal is aborted. A round that fails is repeated. */
async function repeat({ name, everyMs, run }: Recurring, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await run(stopping).catch((error) => log.warn({ err: error }, `${name} did not succeed and is tried again.`));
    await pause(everyMs, stopping);
  }
}

/** Waits, at most until the signal is aborted. */
function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopping }).catch(() => {});
}
