import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is yes; false when it never was within the time. */
export async function within(timeoutMs: number, ask: () => Promise<boolean>, everyMs = 25): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    if (await ask()) return true;
    if (Date.now() > deadline) return false;
  }
}

/** Works through a list, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
