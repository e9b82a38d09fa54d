import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

// For a file that has its process to itself. Where files share one, lane.ts does it after each.
after(cleanUpNow);

/** Steps to run when the file's tests are over, the last one first. If one fails, the others run all the same. */
export function cleanUp(step: () => Promise<unknown>): void {
  steps.push(step);
}

export async function cleanUpNow(): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.splice(0).reverse()) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
