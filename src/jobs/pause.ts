import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, at most until the signal is aborted. */
export function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopping }).catch(() => {});
}
