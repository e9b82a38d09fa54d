import cluster from 'node:cluster';
import packageJson from '../package.json' with { type: 'json' };
import { readWebhookLag } from './company/events/webhooks/lag.ts';
import { summarizeBackfills } from './company/workspaces/backfills.ts';
import { countRemoved } from './company/workspaces/retention.ts';
import { readMailBacklog } from './giving/delivery/backlog.ts';
import { readBacklog } from './giving/orders/pending.ts';
import { readBackupState } from './ground/backup/log.ts';
import type { Queryable } from './ground/database/database.ts';
import { readHistoryAge } from './ground/database/history.ts';
import { readSchema } from './ground/database/schema.ts';
import { readDatabaseSize } from './ground/database/sizes.ts';
import { readStandbys } from './ground/database/standbys.ts';
import { createMetrics, type GaugeReading, type Metrics } from './ground/metrics.ts';
import { summarizeVerifications } from './insight/books/outcomes.ts';
import { readSumOfMetrics } from './processes.ts';

/** The metrics of this process; in one of several processes, `/metrics` shows the sum of all. */
export function openMetrics(database: Queryable, writesBackups: boolean): Metrics {
  const metrics = createMetrics(readingsOf(database, writesBackups), packageJson.version);
  return cluster.isWorker ? { ...metrics, read: readSumOfMetrics } : metrics;
}

/** What `/metrics` reads, most of it from the database, when Prometheus asks. */
function readingsOf(database: Queryable, writesBackups: boolean): GaugeReading[] {
  return [
    reading(() => readBacklog(database), {
      depth: ['giftwire_queue_depth', 'Accepted orders that are not fulfilled yet.'],
      oldestAgeSeconds: [
        'giftwire_queue_oldest_age_seconds',
        'How long the oldest accepted order has been waiting for fulfilment.',
      ],
    }),
    reading(() => readMailBacklog(database), {
      due: ['giftwire_mail_due', 'Emails that are due and not sent, at most 10,000.'],
      oldestDueSeconds: [
        'giftwire_mail_oldest_due_seconds',
        'How long the email that is due longest has been waiting to be handed to the mail server.',
      ],
    }),
    reading(() => readWebhookLag(database), {
      events: ['giftwire_webhook_lag_events', 'Events that the enabled webhook furthest behind has not received yet.'],
      seconds: [
        'giftwire_webhook_lag_seconds',
        'How old the oldest event is that an enabled webhook has not received yet.',
      ],
    }),
    reading(() => readMigrations(database), {
      pending: ['giftwire_migrations_pending', 'Migrations of this version that the database lacks.'],
      next: [
        'giftwire_migrations_of_next_version',
        'Migrations of the next version, beside which this one serves: upgrade this node too.',
      ],
    }),
    reading(() => summarizeBackfills(database), {
      unfinished: ['giftwire_background_migrations_unfinished', 'Background work for the schema that has not ended.'],
      rows: ['giftwire_background_migration_rows', 'Rows that background work for the schema has filled.'],
      failures: [
        'giftwire_background_migration_failures',
        'Attempts of background work for the schema that failed since its latest batch that did not.',
      ],
    }),
    reading(() => countRemoved(database), {
      removed: [
        'giftwire_retention_rows_removed',
        'Rows that were removed because their workspace keeps them no longer.',
      ],
      overdueSeconds: [
        'giftwire_retention_overdue_seconds',
        'How long the removal of old rows that is due longest has been waiting.',
      ],
    }),
    reading(() => readDatabaseSize(database), {
      bytes: ['giftwire_database_bytes', 'The size of the database with its indexes.'],
    }),
    reading(() => summarizeVerifications(database), {
      withProblems: [
        'giftwire_ledger_workspaces_with_problems',
        'Workspaces in whose books the latest verification in the background has found problems.',
      ],
      rowsDone: ['giftwire_ledger_verification_rows_done', 'Rows that verifications under way have compared.'],
      rowsExpected: [
        'giftwire_ledger_verification_rows_expected',
        'About how many rows verifications under way compare in all.',
      ],
      failures: [
        'giftwire_ledger_verification_failures',
        'Attempts of verifications under way that failed since their latest piece that did not.',
      ],
      oldestFullSeconds: [
        'giftwire_ledger_full_verification_age_seconds',
        'How long ago the oldest of the latest full verifications of workspaces began.',
      ],
    }),
    reading(() => readBackups(database), {
      ageSeconds: ['giftwire_backup_age_seconds', 'How old the latest backup is. NaN if none was written yet.'],
      bytes: ['giftwire_backup_bytes', 'How large the latest backup is. NaN if none was written yet.'],
      failures: ['giftwire_backup_failures', 'Nightly backups that failed since the latest one that did not.'],
    }),
    reading(async () => ({ nightly: writesBackups ? 1 : 0 }), {
      nightly: ['giftwire_backup_nightly', '1 where GIFTWIRE_BACKUP_FOLDER is set on this node, else 0.'],
    }),
    reading(() => readStandbys(database), {
      count: ['giftwire_database_standbys', 'Standby servers that are connected to the database.'],
      lagSeconds: [
        'giftwire_database_replication_lag_seconds',
        'How far the slowest standby server is behind. NaN if the role of the service may not see it.',
      ],
    }),
    reading(async () => ({ ageSeconds: (await readHistoryAge(database)) ?? Number.NaN }), {
      ageSeconds: [
        'giftwire_database_history_age_seconds',
        'How long ago the database last went back in time, and a new history began. NaN if it never did.',
      ],
    }),
  ];
}

async function readBackups(database: Queryable): Promise<{ ageSeconds: number; bytes: number; failures: number }> {
  const { ageSeconds, bytes, failures } = await readBackupState(database);
  return { ageSeconds: ageSeconds ?? Number.NaN, bytes: bytes ?? Number.NaN, failures };
}

async function readMigrations(database: Queryable): Promise<{ pending: number; next: number }> {
  const { pending, next } = await readSchema(database);
  return { pending: pending.length, next: next.length };
}

function reading<Values extends object>(
  read: () => Promise<Values>,
  gauges: Record<keyof Values, [name: string, help: string]>,
): GaugeReading {
  const fields = Object.entries(gauges) as [keyof Values, [string, string]][];
  return {
    gauges: Object.fromEntries(Object.values<[string, string]>(gauges)),
    async read() {
      const values = await read();
      return Object.fromEntries(fields.map(([field, [name]]) => [name, Number(values[field])]));
    },
  };
}
