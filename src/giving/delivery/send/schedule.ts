const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Pauses before the second, third … attempt to hand over an email: five days in all. */
const pausesMs = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 8, 12, 20].map((hours) => hours * hour),
  ...[1, 1, 1].map((days) => days * day),
];
const spread = 0.2;

/**
 * How long an email waits after a number of attempts; null after the last one. Pauses differ by up to a fifth, so that emails which
 * failed together are not tried again together.
 */
export function pauseAfter(attempts: number, random = Math.random()): number | null {
  const pause = pausesMs[attempts - 1];
  return pause === undefined ? null : pause * (1 - spread + 2 * spread * random);
}
