import asyncHooks from 'node:async_hooks';

// node:test follows every promise of its process, to know which test it belongs to. That multiplies the cost of a promise, and
// is needed only while a file registers its tests. So the hook is caught here when node:test creates it, and lane.ts switches it off
// while tests run. An error that nobody catches still fails the run, but its test is not named: run the file alone to see it.
// This module must run before any other loads node:test.

const { createHook } = asyncHooks;
const hooks: asyncHooks.AsyncHook[] = [];

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  hooks.push(hook);
  return hook;
};

export function followPromises(follows: boolean): void {
  if (hooks.length === 0)
    throw new Error('node:test creates no hook for promises here: quiet-runner.ts has nothing to do');
  for (const hook of hooks) {
    if (follows) hook.enable();
    else hook.disable();
  }
}
