import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Stops `setTimeout` of this process until the test ends, and returns a function that lets time pass: a pause ends when the test says so, however fast the
 * machine is. Meanwhile nothing in this process may rely on a timer of a database or a socket.
 */
export function holdPauses(t: TestContext): (ms: number) => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Modules import `setTimeout` of `node:timers/promises` by its name.
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.timers.reset();
    syncBuiltinESMExports();
  });
  return async (ms) => {
    await turn();
    t.mock.timers.tick(ms);
    await turn();
  };
}

/** Stops the monotonic clock of this process until the test ends, and returns a function that moves it. */
export function holdClock(t: TestContext): (ms: number) => void {
  // Whole, so that sums are exact.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  return (ms) => {
    now += ms;
  };
}
