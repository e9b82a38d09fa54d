import type { Goal } from './goal.ts';
import { type Series, spread } from './series.ts';

const operations = {
  create: 'accepting an order at half load',
  activity: 'team activity at half load, with a million activities',
  last: 'last recognized at half load, with a million members',
};

/** The slowest of a hundred answers beside the median one. The bare route shows what the machine itself adds. */
export const tailGoals: Goal[] = Object.entries(operations).map(([name, operation]) => ({
  measure: `${operation}: the slowest of a hundred answers`,
  comparedWith: 'its median answer in the same round',
  kind: 'time',
  target: 5,
  atLeast: false,
  read: (series: Series) => spread(series[`tail ${name}`] ?? []),
  limit: (series: Series) =>
    `A bare Fastify route that answers a constant and is asked as often has ${spread(series[`tail ${name} bare`] ?? []).value.toFixed(1)} in the same rounds`,
}));
