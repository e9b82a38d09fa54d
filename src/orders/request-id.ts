import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const pool = Buffer.alloc(16 * 256);
let used = pool.length;

/**
 * A UUID of version 7: it begins with the time, so that new rows land together at the right edge of their index.
 * Random bytes are fetched for many at once; one by one they took 6 % of an accepted request's time.
 */
export function makeRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 16);
  used += 16;
  return v7({ random });
}
