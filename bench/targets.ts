import { fairnessGoals } from './fairness-goals.ts';
import type { Goal, Kind } from './goal.ts';
import { slowest } from './measures/console.ts';
import { type Ratio, ratio, type Series, spread } from './series.ts';
import { tailGoals } from './tail-goals.ts';

export interface Target {
  measure: string;
  /** Empty for an amount. */
  comparedWith: string;
  kind: Kind;
  /** The median over the rounds. */
  value: number;
  target: number;
  met: boolean;
  atLeast: boolean;
  unit: string;
  low: number;
  high: number;
  /** For a missed target: how far the HTTP stack alone would get. */
  limit?: string;
}

const bareRoute = ({ value }: Ratio) =>
  `The limit is Node's work in the HTTP path: compared with the same, a bare Fastify route that reads the body and answers a constant is ${value.toFixed(2)} times as fast`;

const slower = ({ value, low, high }: Ratio, other: Ratio): Ratio =>
  value >= other.value ? { value, low, high } : other;

/** The targets. Both sides of a comparison are measured in the same run on the same machine. */
export const goals: readonly Goal[] = [
  {
    measure: 'accepting orders',
    comparedWith: 'the same route, with its checks and authentication, storing nothing',
    kind: 'rate',
    target: 0.7,
    atLeast: true,
    read: ({ accept, nothingStored }) => ratio(accept, nothingStored),
  },
  {
    measure: 'accepting orders',
    comparedWith: 'plain Fastify and pg with one INSERT per request',
    kind: 'rate',
    target: 1.9,
    atLeast: true,
    read: ({ accept, insert }) => ratio(accept, insert),
    limit: ({ bare, insert }) => bareRoute(ratio(bare, insert)),
  },
  {
    measure: 'accepting orders',
    comparedWith: 'pgbench doing the same one-row INSERT (8 clients, prepared, no HTTP)',
    kind: 'rate',
    target: 0.6,
    atLeast: true,
    read: ({ accept, pgbench }) => ratio(accept, pgbench),
    limit: ({ bare, pgbench }) => bareRoute(ratio(bare, pgbench)),
  },
  {
    measure:
      'CPU time of service and PostgreSQL for a gift: accepted, fulfilled, emailed, claimed and spent, its events delivered',
    comparedWith: 'that of bare loops of the same libraries: Fastify, pg, nodemailer, undici',
    kind: 'time',
    target: 2,
    atLeast: false,
    read: ({ giftWhole, giftWholeDatabase, giftBare, giftBareDatabase }) =>
      ratio(both(giftWhole, giftWholeDatabase), both(giftBare, giftBareDatabase)),
  },
  {
    measure: 'CPU time of a create: authenticated, checked, logged and answered, not stored',
    comparedWith: 'a bare Fastify route that reads the body and answers a constant',
    kind: 'time',
    target: 1.6,
    atLeast: false,
    read: ({ cpuCreate, cpuCreateBare }) => ratio(cpuCreate, cpuCreateBare),
  },
  {
    measure: 'CPU time of a status: authenticated, checked, logged and answered, no order read',
    comparedWith: 'a bare Fastify route that answers a constant',
    kind: 'time',
    target: 1.5,
    atLeast: false,
    read: ({ cpuStatus, cpuStatusBare }) => ratio(cpuStatus, cpuStatusBare),
  },
  {
    measure:
      'CPU time of PostgreSQL for a create: the order, its place in the queue, a share of a notification and of a commit',
    comparedWith: 'that of plain Fastify and pg, for one INSERT per request with a commit of its own',
    kind: 'time',
    target: 0.5,
    atLeast: false,
    read: ({ cpuCreateStoredDatabase, cpuInsertDatabase }) => ratio(cpuCreateStoredDatabase, cpuInsertDatabase),
  },
  {
    measure: 'completing orders, sustained',
    comparedWith: 'accepting them alone',
    kind: 'rate',
    target: 0.5,
    atLeast: true,
    read: ({ completed, accept }) => ratio(completed, accept),
  },
  {
    measure: 'completing gifts, 20 in an order',
    comparedWith: '1 in an order',
    kind: 'rate',
    target: 2.5,
    atLeast: true,
    read: ({ completedTwenty, completed }) => ratio(completedTwenty, completed),
  },
  {
    measure: 'reading a status',
    comparedWith: 'the same route answering a constant',
    kind: 'rate',
    target: 0.7,
    atLeast: true,
    read: ({ status, constant }) => ratio(status, constant),
  },
  {
    measure: 'reading a status',
    comparedWith: 'plain Fastify and pg with one SELECT per request',
    kind: 'rate',
    target: 2,
    atLeast: true,
    read: ({ status, select }) => ratio(status, select),
  },
  {
    measure: 'find: last page of 1,000 gifts',
    comparedWith: 'its first page',
    kind: 'time',
    target: 1.2,
    atLeast: false,
    read: ({ findLast, findFirst }) => ratio(findLast, findFirst),
  },
  {
    measure: 'team activity: last page',
    comparedWith: 'its first page',
    kind: 'time',
    target: 1.2,
    atLeast: false,
    read: ({ activityLast, activityFirst }) => ratio(activityLast, activityFirst),
  },
  {
    measure: 'last recognized: last page',
    comparedWith: 'its first page',
    kind: 'time',
    target: 3,
    atLeast: false,
    read: ({ lastLast, lastFirst }) => ratio(lastLast, lastFirst),
  },
  {
    measure: 'last recognized: one or two filters that match few',
    comparedWith: 'its first page without a filter',
    kind: 'time',
    target: 1.5,
    atLeast: false,
    read: ({ lastFew, lastPair, lastFirst }) => slower(ratio(lastFew, lastFirst), ratio(lastPair, lastFirst)),
  },
  {
    measure: 'last recognized: a filter that matches a tenth',
    comparedWith: 'a bare index-only count(*) of the same rows',
    kind: 'time',
    target: 1.5,
    atLeast: false,
    read: ({ lastTenth, countTenth }) => ratio(lastTenth, countTenth),
  },
  {
    measure: 'completing orders with years of certificates stored',
    comparedWith: 'an empty database',
    kind: 'rate',
    target: 0.85,
    atLeast: true,
    read: ({ completedFilled, completedEmpty }) => ratio(completedFilled, completedEmpty),
  },
  {
    measure: 'fulfilling a backlog of orders, each with its event in the log',
    comparedWith: 'the same without the event log',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ fulfilledWithLog, fulfilledWithoutLog }) => ratio(fulfilledWithLog, fulfilledWithoutLog),
  },
  {
    measure: 'delivering events to a webhook, signed and noted',
    comparedWith: 'a bare loop that posts the same bodies to the same receiver, as many at a time',
    kind: 'rate',
    target: 0.5,
    atLeast: true,
    read: ({ delivered, posted }) => ratio(delivered, posted),
  },
  {
    measure: 'delivering events to a webhook while another one of the workspace never answers',
    comparedWith: 'the same without the other one',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ deliveredBesideHanging, delivered }) => ratio(deliveredBesideHanging, delivered),
  },
  {
    measure: 'events: last page of a long log',
    comparedWith: 'its first page',
    kind: 'time',
    target: 1.2,
    atLeast: false,
    read: ({ eventsLast, eventsFirst }) => ratio(eventsLast, eventsFirst),
  },
  {
    measure: 'writing mails about gifts and handing them to a mail server',
    comparedWith: 'a bare loop of the same library that hands over the same mails, as many at a time',
    kind: 'rate',
    target: 0.7,
    atLeast: true,
    read: ({ mailed, mailedBare }) => ratio(mailed, mailedBare),
  },
  {
    measure: 'orders completed end to end while their mails are sent',
    comparedWith: 'the same without mail',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ completedWithMail, completedWithoutMail }) => ratio(completedWithMail, completedWithoutMail),
  },
  {
    measure: 'accepting orders that draw on a budget',
    comparedWith: 'the same without a budget',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ acceptedBudget, acceptedFree }) => ratio(acceptedBudget, acceptedFree),
  },
  {
    measure: 'CPU time of service and PostgreSQL for accepting an order that draws on a budget',
    comparedWith: 'the same without a budget',
    kind: 'time',
    target: 1.1,
    atLeast: false,
    read: ({ cpuAcceptedBudget, cpuAcceptedFree }) => ratio(cpuAcceptedBudget, cpuAcceptedFree),
  },
  {
    measure: 'accepting orders beside a workspace that goes on sending though its budget is exhausted',
    comparedWith: 'the same without it',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ acceptedBesideExhausted, acceptedBudget }) => ratio(acceptedBesideExhausted, acceptedBudget),
  },
  {
    measure: 'accepting orders where rules do not apply to them',
    comparedWith: 'the same without rules',
    kind: 'rate',
    target: 0.95,
    atLeast: true,
    read: ({ acceptedRulesApart, acceptedWithoutRules }) => ratio(acceptedRulesApart, acceptedWithoutRules),
  },
  {
    measure: 'CPU time of service and PostgreSQL for accepting an order where rules do not apply to it',
    comparedWith: 'the same without rules',
    kind: 'time',
    target: 1.05,
    atLeast: false,
    read: ({ cpuRulesApart, cpuWithoutRules }) => ratio(cpuRulesApart, cpuWithoutRules),
  },
  {
    measure: "accepting orders with a rule by their sender's month",
    comparedWith: 'the same without rules',
    kind: 'rate',
    target: 0.8,
    atLeast: true,
    read: ({ acceptedByMonth, acceptedWithoutRules }) => ratio(acceptedByMonth, acceptedWithoutRules),
  },
  {
    measure: "accepting orders with a rule by their sender's month, after a million gifts",
    comparedWith: 'the same in a new workspace',
    kind: 'rate',
    target: 0.9,
    atLeast: true,
    read: ({ acceptedByMonthOfMillion, acceptedByMonth }) => ratio(acceptedByMonthOfMillion, acceptedByMonth),
  },
  {
    measure: "CPU time for accepting an order with a rule by its sender's month, after a million gifts",
    comparedWith: 'the same in a new workspace',
    kind: 'time',
    target: 1.1,
    atLeast: false,
    read: ({ cpuByMonthOfMillion, cpuByMonth }) => ratio(cpuByMonthOfMillion, cpuByMonth),
  },
  {
    measure: 'verifying the ledger of a million gifts',
    comparedWith: 'select sum(amount) over the same gifts',
    kind: 'time',
    target: 20,
    atLeast: false,
    read: ({ verified, summed }) => ratio(verified, summed),
  },
  {
    measure: 'the console: the slowest list or report, with a million activities',
    comparedWith: 'the slower of the largest pages, of 1,000 records, of both reports of the interface',
    kind: 'time',
    target: 1,
    atLeast: false,
    read: (series) => ratio(slowest(series, 'console'), slowest(series, 'report')),
  },
  {
    measure: 'the console: the slowest report about groups, asked first after a change, with a million activities',
    comparedWith: 'the slower of the largest pages, of 1,000 records, of both reports of the interface',
    kind: 'time',
    target: 1,
    atLeast: false,
    read: (series) => ratio(slowest(series, 'changed'), slowest(series, 'report')),
  },
  {
    measure: 'the console: the slowest of four screens, from the first visit of a browser until it can be used',
    kind: 'amount',
    target: 2_000,
    atLeast: false,
    unit: 'ms',
    read: (series) => spread(slowest(series, 'usable') ?? []),
  },
  {
    measure: 'last recognized as a CSV file, 200,000 people',
    comparedWith: "PostgreSQL's COPY of the same columns in the same order to a file",
    kind: 'time',
    target: 1.5,
    atLeast: false,
    read: ({ lastFile, lastCopied }) => ratio(lastFile, lastCopied),
  },
  {
    measure: 'team activity as a CSV file, 200,000 activities',
    comparedWith: "PostgreSQL's COPY of the same columns in the same order to a file",
    kind: 'time',
    target: 1.5,
    atLeast: false,
    read: ({ activityFile, activityCopied }) => ratio(activityFile, activityCopied),
  },
  {
    measure: 'importing 100,000 new people from a CSV file: checked, with managers, teams and search texts',
    comparedWith: "PostgreSQL's COPY of the finished rows into the same tables with the same indexes",
    kind: 'time',
    target: 2,
    atLeast: false,
    read: ({ imported, importCopied }) => ratio(imported, importCopied),
  },
  {
    measure: 'importing the same file again, which changes nothing',
    comparedWith: 'its first import',
    kind: 'time',
    target: 0.3,
    atLeast: false,
    read: ({ importedAgain, imported }) => ratio(importedAgain, imported),
  },
  {
    measure: 'most memory of the service while it writes both reports as CSV, a million rows each',
    comparedWith: 'the same with 100,000 rows each',
    kind: 'size',
    target: 1.25,
    atLeast: false,
    read: ({ exportMemoryLarge, exportMemorySmall }) => ratio(exportMemoryLarge, exportMemorySmall),
  },
  {
    measure: 'until the first byte of a report as CSV, a million rows',
    kind: 'amount',
    target: 250,
    atLeast: false,
    unit: 'ms',
    read: ({ begun = [] }) => spread(begun),
  },
  {
    measure: 'most memory of the command that imports a million people',
    comparedWith: 'the same with 100,000 people',
    kind: 'size',
    target: 1.25,
    atLeast: false,
    read: ({ importMemoryLarge, importMemorySmall }) => ratio(importMemoryLarge, importMemorySmall),
  },
  {
    measure: 'memory of the service under full load',
    kind: 'amount',
    target: 250,
    atLeast: false,
    unit: 'MB',
    read: ({ memory = [] }) => spread(memory),
  },
  {
    measure: 'from accept to COMPLETED on an idle service',
    kind: 'amount',
    target: 50,
    atLeast: false,
    unit: 'ms',
    read: ({ idle = [] }) => spread(idle),
  },
  ...tailGoals,
  ...fairnessGoals,
];

/** A goal that could not be measured has no row; pgbench, for example, may not be installed. */
export function readTargets(series: Series): Target[] {
  return goals.flatMap(({ measure, comparedWith = '', kind, target, atLeast, unit = '', read, limit }) => {
    const { value, low, high } = read(series);
    const met = atLeast ? value >= target : value <= target;
    if (Number.isNaN(value)) return [];
    const found = { measure, comparedWith, kind, value, target, met, atLeast, unit, low, high };
    return [{ ...found, ...(!met && limit && { limit: limit(series) }) }];
  });
}

/** A row in one phrase. */
export function nameOf({ measure, comparedWith }: Pick<Target, 'measure' | 'comparedWith'>): string {
  return comparedWith ? `${measure}, compared with ${comparedWith}` : measure;
}

/** What the program and PostgreSQL took together. */
function both(program: readonly number[] = [], database: readonly number[] = []): number[] {
  return program.map((value, round) => value + (database[round] ?? Number.NaN));
}
