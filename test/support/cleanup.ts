import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

after(async () => {
  for (const step of steps.reverse()) await step();
});

/** What is opened last is closed first, when the file's tests are over. */
export function cleanUp(step: () => Promise<unknown>): void {
  steps.push(step);
}
