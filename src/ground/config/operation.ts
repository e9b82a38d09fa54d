import { backupSettings } from './backup.ts';
import { parseReplicaUrl, setting, wholeNumber } from './texts.ts';

const usualDrainSeconds = 5;

/** The settings about how a node runs, stops and backs up. */
export const operationSettings = {
  processes: setting({
    name: 'GIFTWIRE_PROCESSES',
    default: '1',
    meaning: 'Processes of this node, 1 to 16: as many as it has cores to spare',
    parse: wholeNumber(1, 16),
  }),
  drainSeconds: setting<number | null>({
    name: 'GIFTWIRE_DRAIN_SECONDS',
    default: `${usualDrainSeconds} in production, else 0`,
    meaning:
      'How long a node that gets SIGTERM is unready and still serves, 0 to 300: longer than the load balancer takes to notice. Ctrl-C does not wait',
    parse: wholeNumber(0, 300),
    absent: null,
  }),
  reportsDatabaseUrl: setting<string | null>({
    name: 'GIFTWIRE_REPORTS_DATABASE_URL',
    default: '',
    meaning:
      'A read replica of the database: reports, files, lists of the console and verification read there. Without it, or while it cannot serve, they read from DATABASE_URL',
    parse: parseReplicaUrl,
    absent: null,
  }),
  reportsLagMs: setting({
    name: 'GIFTWIRE_REPORTS_LAG_MS',
    default: '500',
    meaning:
      'How many milliseconds a read waits for the replica to have everything that is committed, 0 to 10000; then it reads from DATABASE_URL',
    parse: wholeNumber(0, 10_000),
  }),
  ...backupSettings,
};

/** A trial stops at once; in production a load balancer has to notice first. */
export function drainSecondsOf(given: number | null, environment: 'test' | 'production'): number {
  return given ?? (environment === 'production' ? usualDrainSeconds : 0);
}
