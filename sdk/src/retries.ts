import type { GiftwireError } from './error.ts';

const firstDelayMs = 500;
const longestDelayMs = 8_000;
const longestRetryAfterMs = 60_000;

/** Whether the same request may be sent again after this error. */
export function isWorthRepeating(
  { type, status }: GiftwireError,
  { once, idempotencyKey }: { once?: boolean; idempotencyKey?: string | undefined },
): boolean {
  // The service did nothing.
  if (status === 429) return true;
  if (once) return false;
  if (status === 500) return idempotencyKey !== undefined;
  // 502 and 504 come from a proxy that has no answer of the service.
  return type === 'no_answer' || status === 502 || status === 503 || status === 504;
}

/** How long to wait before the next attempt: varied at random, so that many callers do not come back at once. */
export function delayBefore(attempt: number, retryAfterMs: number | null): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, longestRetryAfterMs) * (1 + Math.random() / 4);
  return Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.75 + Math.random() / 2);
}
