/** `npm test` tries a third of the random cases. GIFTWIRE_TEST_RUNS=1 tries all, 10 tries ten times as many. */
const part = Number(process.env.GIFTWIRE_TEST_RUNS ?? 1 / 3);
const atLeast = 10;

/** Of so many random cases of a property, how many this run tries: fast-check's `numRuns`. */
export function runs(all: number): number {
  return Math.ceil(Math.max(Math.min(all, atLeast), all * part));
}
