import type { ProcessRole } from '../config/config.ts';
import type { DatabaseOptions } from './database.ts';

/** Connections of one use, so that other uses cannot take them. */
export interface ConnectionPool extends Omit<DatabaseOptions, 'url' | 'onError'> {
  /** `api` is a process that answers requests, `worker` one that fulfils orders. A process may be both. */
  openedBy: 'every process' | 'api' | 'worker' | 'start' | 'migration' | 'command';
  purpose: string;
}

const requestTimeouts = { statementTimeoutMs: 2_500 };
const healthTimeouts = { statementTimeoutMs: 2_000 };

/** Every pool of the program. */
export const pools = {
  health: {
    name: 'health',
    maxConnections: 1,
    ...healthTimeouts,
    byKey: true,
    openedBy: 'every process',
    purpose: 'Readiness checks, which answer also while requests use every other connection.',
  },
  metrics: {
    name: 'metrics',
    maxConnections: 1,
    ...healthTimeouts,
    byKey: true,
    openedBy: 'every process',
    purpose: 'The depth and age of the queue, read when Prometheus asks.',
  },
  requests: {
    name: 'requests',
    maxConnections: 12,
    ...requestTimeouts,
    // Short, because orders of other workspaces wait with the one whose budget is locked (orders/store.ts).
    lockTimeoutMs: 500,
    byKey: true,
    keepsOne: true,
    openedBy: 'api',
    purpose: 'Accepts orders, reads them, and reads the grants of callers.',
  },
  people: {
    name: 'people',
    maxConnections: 6,
    ...requestTimeouts,
    lockTimeoutMs: 2_000,
    byKey: true,
    openedBy: 'api',
    purpose: 'Writes of shoutouts, reasons and SCIM, which may wait for the lock of a workspace.',
  },
  lookUps: {
    name: 'look-ups',
    maxConnections: 4,
    ...requestTimeouts,
    byKey: true,
    openedBy: 'api',
    purpose: 'Reads by id, the list of reasons, the feed, and pages of team activity.',
  },
  reports: {
    name: 'reports',
    maxConnections: 4,
    statementTimeoutMs: 5_000,
    openedBy: 'api',
    purpose: 'Lists with filters, which are planned each time, because the best index depends on the filters.',
  },
  exports: {
    name: 'exports',
    maxConnections: 4,
    ...requestTimeouts,
    byKey: true,
    openedBy: 'api',
    purpose: 'Reports as CSV files, read in pieces.',
  },
  imports: {
    name: 'imports',
    maxConnections: 2,
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 10_000,
    openedBy: 'api',
    purpose: 'Imports of people over HTTP, in batches that take longer than a request may, and undoing changes.',
  },
  verification: {
    name: 'verification',
    maxConnections: 1,
    statementTimeoutMs: 30_000,
    openedBy: 'api',
    purpose: "The verification of a workspace's books over HTTP, which takes longer than a report.",
  },
  payroll: {
    name: 'payroll',
    maxConnections: 1,
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 10_000,
    openedBy: 'api',
    purpose: 'The closing of payroll exports, in one transaction that may take minutes.',
  },
  giftPages: {
    name: 'gift pages',
    maxConnections: 6,
    ...requestTimeouts,
    lockTimeoutMs: 2_000,
    byKey: true,
    openedBy: 'api',
    purpose: 'Gift pages, so that strangers cannot take the connections of the API.',
  },
  signIn: {
    name: 'sign-in',
    maxConnections: 2,
    ...requestTimeouts,
    lockTimeoutMs: 2_000,
    byKey: true,
    openedBy: 'api',
    purpose: 'Signing in and out, so that strangers cannot take the connections of the API.',
  },
  jobs: {
    name: 'jobs',
    maxConnections: 12,
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 2_000,
    byKey: true,
    openedBy: 'worker',
    purpose: 'The fulfilment of orders, and recurring work.',
  },
  webhooks: {
    name: 'webhooks',
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 2_000,
    byKey: true,
    openedBy: 'worker',
    purpose: 'The delivery of webhooks: claims endpoints, reads events, writes down what was delivered.',
  },
  mails: {
    name: 'mails',
    maxConnections: 6,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 8_000,
    byKey: true,
    openedBy: 'worker',
    purpose: 'The sending of mails: claims those that are due, writes down what became of them.',
  },
  backup: {
    name: 'backup',
    maxConnections: 2,
    statementTimeoutMs: null,
    openedBy: 'worker',
    purpose: 'The nightly backup, which may take as long as it needs; open while it is written.',
  },
  setup: {
    name: 'setup',
    maxConnections: 1,
    statementTimeoutMs: 600_000,
    openedBy: 'start',
    purpose: 'Checks and claims the database at a start, and makes the demo; closed when the process is ready.',
  },
  migrations: {
    name: 'migrations',
    maxConnections: 2,
    statementTimeoutMs: null,
    openedBy: 'migration',
    purpose: 'Migrations, which may take as long as they need; closed before the pools of the service are opened.',
  },
  commands: {
    name: 'cli',
    maxConnections: 3,
    statementTimeoutMs: 60_000,
    openedBy: 'command',
    purpose: 'One command of the command line.',
  },
  longCommands: {
    name: 'cli verification',
    maxConnections: 3,
    statementTimeoutMs: null,
    openedBy: 'command',
    purpose: 'The command that verifies the books of all workspaces, which may take as long as it needs.',
  },
} as const satisfies Record<string, ConnectionPool>;

/** Connections that belong to no pool (listener.ts). An api process hears of changed grants on one, a worker of new orders. */
const listening: readonly ConnectionPool['openedBy'][] = ['api', 'worker'];

const openedAs: Record<ProcessRole, readonly ConnectionPool['openedBy'][]> = {
  all: ['start', 'every process', 'api', 'worker'],
  api: ['start', 'every process', 'api'],
  worker: ['start', 'every process', 'worker'],
};

/** The most connections that one process of the service has at a time. */
export function mostConnections(role: ProcessRole): number {
  const open = Object.values<ConnectionPool>(pools).filter(({ openedBy }) => openedAs[role].includes(openedBy));
  return open.reduce((sum, { maxConnections }) => sum + maxConnections, listenersOf(role));
}

/** How many listening connections a process has, by which the processes of a database can be counted. */
export function listenersOf(role: ProcessRole): number {
  return listening.filter((openedBy) => openedAs[role].includes(openedBy)).length;
}
