import { type Ratio, ratio, type Series, spread } from './series.ts';

export interface Target {
  name: string;
  /** The median over the rounds. */
  value: number;
  target: number;
  met: boolean;
  atLeast: boolean;
  unit: string;
  low: number;
  high: number;
  /** Where it is missed: what the measure would be if a part that is not ours did nothing else. */
  limit?: string;
}

interface Goal {
  name: string;
  target: number;
  atLeast: boolean;
  unit?: string;
  read: (series: Series) => Ratio;
  limit?: (series: Series) => string;
}

const bareRoute = ({ value }: Ratio) =>
  `Node's work in the HTTP path is the limit: a bare Fastify route that reads the body and answers a constant has ${value.toFixed(2)}`;

const slower = ({ value, low, high }: Ratio, other: Ratio): Ratio =>
  value >= other.value ? { value, low, high } : other;

/** What has to hold, each within one run on one machine. */
export const goals: readonly Goal[] = [
  {
    name: 'accept : the same route, checked and authenticated, that stores nothing',
    target: 0.7,
    atLeast: true,
    read: ({ accept, nothingStored }) => ratio(accept, nothingStored),
  },
  {
    name: 'accept : Fastify and pg with one INSERT a request',
    target: 2.2,
    atLeast: true,
    read: ({ accept, insert }) => ratio(accept, insert),
    limit: ({ bare, insert }) => bareRoute(ratio(bare, insert)),
  },
  {
    name: 'accept : pgbench with the same one-row INSERT, 8 clients, prepared',
    target: 0.7,
    atLeast: true,
    read: ({ accept, pgbench }) => ratio(accept, pgbench),
    limit: ({ bare, pgbench }) => bareRoute(ratio(bare, pgbench)),
  },
  {
    name: 'completed end to end, sustained : accept alone',
    target: 0.5,
    atLeast: true,
    read: ({ completed, accept }) => ratio(completed, accept),
  },
  {
    name: 'gifts completed, 20 gifts an order : 1 gift an order',
    target: 2.5,
    atLeast: true,
    read: ({ completedTwenty, completed }) => ratio(completedTwenty, completed),
  },
  {
    name: 'status : the same route that answers a constant',
    target: 0.7,
    atLeast: true,
    read: ({ status, constant }) => ratio(status, constant),
  },
  {
    name: 'status : Fastify and pg with one SELECT a request',
    target: 2,
    atLeast: true,
    read: ({ status, select }) => ratio(status, select),
  },
  {
    name: 'find, time of the last page of 1,000 gifts : first page',
    target: 1.2,
    atLeast: false,
    read: ({ findLast, findFirst }) => ratio(findLast, findFirst),
  },
  {
    name: 'team activity, time of the last page : first page',
    target: 1.2,
    atLeast: false,
    read: ({ activityLast, activityFirst }) => ratio(activityLast, activityFirst),
  },
  {
    name: 'last recognized, time of the last page : first page',
    target: 3,
    atLeast: false,
    read: ({ lastLast, lastFirst }) => ratio(lastLast, lastFirst),
  },
  {
    name: 'last recognized, time with a filter or a pair that matches few : first page unfiltered',
    target: 1.5,
    atLeast: false,
    read: ({ lastFew, lastPair, lastFirst }) => slower(ratio(lastFew, lastFirst), ratio(lastPair, lastFirst)),
  },
  {
    name: 'last recognized, time with a filter that matches a tenth : bare index-only count(*) of them',
    target: 1.5,
    atLeast: false,
    read: ({ lastTenth, countTenth }) => ratio(lastTenth, countTenth),
  },
  {
    name: 'accept and fulfil with years of certificates stored : empty',
    target: 0.85,
    atLeast: true,
    read: ({ completedFilled, completedEmpty }) => ratio(completedFilled, completedEmpty),
  },
  {
    name: 'memory of the service under full load',
    target: 250,
    atLeast: false,
    unit: 'MB',
    read: ({ memory = [] }) => spread(memory),
  },
  {
    name: 'accept to COMPLETED on an idle service',
    target: 50,
    atLeast: false,
    unit: 'ms',
    read: ({ idle = [] }) => spread(idle),
  },
];

/** A goal whose measure is not there, as pgbench where it is not installed, has no row. */
export function readTargets(series: Series): Target[] {
  return goals.flatMap(({ name, target, atLeast, unit = '', read, limit }) => {
    const { value, low, high } = read(series);
    const met = atLeast ? value >= target : value <= target;
    return Number.isNaN(value)
      ? []
      : [{ name, value, target, met, atLeast, unit, low, high, ...(!met && limit && { limit: limit(series) }) }];
  });
}
