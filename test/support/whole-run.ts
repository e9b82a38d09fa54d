import { globSync } from 'node:fs';
import * as postgres from './postgres.ts';
import { projectDir } from './process.ts';
import { closeQueue, fillQueue } from './queue.ts';

/** `npm run test:slow` sets it. */
export const runsSlowFiles = process.env.GIFTWIRE_TEST_SLOW === '1';

/** Files that take long: they use a browser, start programs, flood the service or wait for its time limits. */
const slow = '.slow.test.ts';
/** Files that change or measure their process. Node runs each of them in a process of its own. */
const alone = '.alone.test.ts';

/** Runs before all test files of `npm test` and of `npm run test:slow`. */
export async function globalSetup(): Promise<void> {
  const files = globSync('test/**/*.test.ts', { cwd: projectDir });
  fillQueue(files.filter((file) => file.endsWith(slow) === runsSlowFiles && !file.endsWith(alone)));
  await postgres.globalSetup();
}

export async function globalTeardown(): Promise<void> {
  await postgres.globalTeardown();
  closeQueue();
  if (runsSlowFiles) return;
  const left = globSync(`test/**/*${slow}`, { cwd: projectDir }).length;
  console.log(`\n${left} test files that take long were left out, those in a browser among them: npm run test:slow`);
}
