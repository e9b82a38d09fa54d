const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Pauses before the second, third … attempt. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const spread = 0.2;
const longestRetryAfterMs = 24 * hour;

/** An endpoint that has answered nothing but failures for this long is disabled. */
export const failingTooLongMs = 5 * 24 * hour;

/**
 * How long to wait after a number of attempts; null after the last one. Pauses differ by up to a fifth, so that events
 * which failed together are not retried together. A longer pause that the receiver asks for is honoured, up to a day.
 */
export function retryPause(attempts: number, retryAfterMs: number | null): number | null {
  const pause = pausesMs[attempts - 1];
  if (pause === undefined) return null;
  const spreadPause = pause * (1 - spread + 2 * spread * Math.random());
  return Math.max(spreadPause, Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
}

/** A `Retry-After` header in milliseconds: it holds seconds or a date. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
