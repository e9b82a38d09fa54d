/** What was measured in each round, by name. */
export type Series = Record<string, number[]>;

export interface Ratio {
  value: number;
  low: number;
  high: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function spread(values: readonly number[]): Ratio {
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** Each round's own ratio: what disturbs the machine for a while disturbs both sides of it. */
export function ratio(above: readonly number[] = [], below: readonly number[] = []): Ratio {
  return spread(above.map((value, round) => value / (below[round] ?? Number.NaN)));
}

/**
 * Every measure once a round, in turn, so that a slow minute of the machine falls on all of them. Every other round goes
 * backwards, so that nobody is always measured on a process that is warmer or on tables that are larger.
 */
export async function inRounds(rounds: number, measures: Record<string, () => Promise<number>>): Promise<Series> {
  const series: Series = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  const turns = Object.entries(measures);
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of turns) series[name]?.push(await measure());
    turns.reverse();
  }
  return series;
}
