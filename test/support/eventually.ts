import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is the awaited one; fails only when that takes absurdly long. */
export async function eventually<T>(ask: () => Promise<T>, isAwaited: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (isAwaited(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}`);
    await sleep(20);
  }
}
