const longestTimerMs = 2 ** 31 - 1;

/** A signal that is aborted when the caller's is, or when the time is up. `end` releases both. */
export function limitTime(ms: number, signal: AbortSignal | undefined, timeIsUp: () => unknown) {
  const controller = new AbortController();
  // No AbortSignal.any: Node 20.0 lacks it, and with a signal that lives long some runtimes keep every combination.
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(timeIsUp()), Math.min(ms, longestTimerMs));
  const endTimer = () => clearTimeout(timer);
  const end = () => {
    endTimer();
    signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, endTimer, end };
}

/** Waits, or throws the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** `Retry-After` is a number of seconds or a date. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
