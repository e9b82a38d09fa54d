import { randomInt } from 'node:crypto';

const variable = 'GIFTWIRE_TEST_SEED';

/** Replaces `random` by a number for all processes of this run, and prints it. Runs before all test files. */
export function chooseSeed(): void {
  if (process.env[variable] !== 'random') return;
  process.env[variable] = String(randomInt(1e9));
  console.log(`${variable}=${process.env[variable]}`);
}

/** What tests draw random cases with. It is the same in every run, so that a commit that passes keeps passing; the variable chooses another one. */
export const testSeed = Number(process.env[variable] ?? 1);

/** Every nth of many cases that take long, others with each seed: nights that draw a seed try all of them in turn. */
export function everyNth<T>(nth: number, cases: readonly T[]): T[] {
  return cases.filter((_, at) => (at + testSeed) % nth === 0);
}
