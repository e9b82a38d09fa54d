import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

after(async () => {
  const errors: unknown[] = [];
  for (const step of steps.reverse()) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
});

/** Steps to run when the file's tests are over, the last one first. If one fails, the others run all the same. */
export function cleanUp(step: () => Promise<unknown>): void {
  steps.push(step);
}
