import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

after(cleanUpAll);

/** Steps to run when the file's tests are over, the last one first. If one fails, the others run all the same. */
export function cleanUp(step: () => Promise<unknown>): void {
  steps.push(step);
}

/** Runs the steps that are left. A lane (test/support/lane.ts) calls it after each of its files. */
export async function cleanUpAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.splice(0).reverse()) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
