import * as postgres from './postgres.ts';
import { closeQueue, fillQueue } from './queue.ts';

/** Runs before all test files of `npm test`. */
export async function globalSetup(): Promise<void> {
  fillQueue('test/**/*.test.ts');
  await postgres.globalSetup();
}

export async function globalTeardown(): Promise<void> {
  await postgres.globalTeardown();
  closeQueue();
}
