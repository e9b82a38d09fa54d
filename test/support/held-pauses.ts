import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Stops the timers of this process until the test ends, and returns a function that lets time pass: a pause ends when the test says so, however fast the
 * machine is. Nothing that waits for a database or a socket may rely on a timer meanwhile.
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
