import { type Queryable, queryOne } from '../database/database.ts';

export interface BackupState {
  /** Of the latest backup; null before the first one. */
  file: string | null;
  ageSeconds: number | null;
  /** Attempts that failed since then, and what the latest one said. */
  failures: number;
  failure: string | null;
}

/** How old the latest backup is, and what failed since. */
export async function readBackupState(database: Queryable): Promise<BackupState> {
  return queryOne<BackupState>(
    database,
    `select latest.file, extract(epoch from clock_timestamp() - latest.started_at)::float8 as "ageSeconds",
            failed.count as failures, failed.failure
       from (select) always
       left join (select file, started_at from backups where failure is null order by started_at desc limit 1) latest on true
       cross join lateral (select count(*) as count, (array_agg(failure order by started_at desc))[1] as failure
                             from backups
                            where failure is not null and started_at > coalesce(latest.started_at, '-infinity')) failed`,
  );
}

/** The time for a new backup. The database's, as in `isBackupDue`: the clock of a node may be wrong. */
export async function readBackupTime(database: Queryable): Promise<Date> {
  const { ms } = await queryOne<{ ms: number }>(
    database,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return new Date(ms);
}

/** The files that were written from this database. */
export async function listBackupFiles(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ file: string }>(
    'select file from backups where failure is null and file is not null',
  );
  return rows.map(({ file }) => file);
}

/** Notes a backup. A database of an older version has no place for it. */
export async function noteBackup(
  database: Queryable,
  startedAt: Date,
  {
    file = null,
    bytes = null,
    failure = null,
  }: { file?: string | null; bytes?: number | null; failure?: string | null },
): Promise<void> {
  const [found] = await database.query(`select from pg_class where oid = to_regclass('backups')`);
  if (!found) return;
  await database.query(
    `insert into backups (started_at, finished_at, file, bytes, failure) values ($1, clock_timestamp(), $2, $3, $4)
         on conflict do nothing`,
    [startedAt, file, bytes, failure],
  );
  // Longer than any setting keeps the files: only those that are noted are removed.
  await database.query(
    `delete from backups
      where started_at < now() - case when failure is null then interval '11 years' else interval '1 year' end`,
  );
}

/**
 * Whether the backup of the night is missing: none has begun since the latest time of day at which one is due. After a failure the next
 * attempt is an hour later.
 */
export async function isBackupDue(database: Queryable, hour: number): Promise<boolean> {
  const { isDue } = await queryOne<{ isDue: boolean }>(
    database,
    `select not exists (
              select from backups
               where case when failure is null
                          then started_at >= date_trunc('day', now() - $1 * interval '1 hour', 'UTC') + $1 * interval '1 hour'
                          else started_at > now() - interval '1 hour' end) as "isDue"`,
    [hour],
  );
  return isDue;
}
