const dayMs = 86_400_000;
const farthestMs = 366 * dayMs;
/** An order may arrive late, for instance after a failed network. An older date is more likely a wrong one. */
const latestMs = dayMs;

/**
 * What is wrong with the moment at which an order's gifts are to be emailed; null if nothing is. One of the last day is taken: the
 * gifts are emailed at once.
 */
export function deliverAtProblem(deliverAt: string, nowMs: number): string | null {
  const aheadMs = Date.parse(deliverAt) - nowMs;
  if (aheadMs > farthestMs) return 'must be at most a year ahead';
  return aheadMs < -latestMs ? 'is in the past: leave it out, and the gifts are emailed at once' : null;
}
