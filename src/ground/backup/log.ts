import { type Queryable, queryOne } from '../database/database.ts';

export interface BackupState {
  /** Of the latest backup, by hand or of a night; null before the first one. */
  file: string | null;
  ageSeconds: number | null;
  bytes: number | null;
  /** Attempts of nights that failed since the latest one that did not, and what the last of them said. */
  failures: number;
  failure: string | null;
}

/** How old the latest backup is, and what failed since. */
export async function readBackupState(database: Queryable): Promise<BackupState> {
  return queryOne<BackupState>(
    database,
    `select latest.file, extract(epoch from clock_timestamp() - latest.started_at)::float8 as "ageSeconds",
            latest.bytes::float8 as bytes, failed.count as failures, failed.failure
       from (select) always
       left join (select file, bytes, started_at from backups where failure is null order by started_at desc limit 1) latest on true
       cross join lateral (select count(*) as count, (array_agg(failure order by started_at desc))[1] as failure
                             from backups
                            where failure is not null and started_at > coalesce((select max(started_at) from backups where failure is null and is_nightly), '-infinity')) failed`,
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

/** The files that nightly backups of this database have written. */
export async function listNightlyFiles(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ file: string }>('select file from backups where failure is null and is_nightly');
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
    isNightly = false,
  }: { file?: string | null; bytes?: number | null; failure?: string | null; isNightly?: boolean },
): Promise<void> {
  const [found] = await database.query(
    `select from pg_attribute where attrelid = to_regclass('backups') and attname = 'is_nightly'`,
  );
  if (!found) return;
  await database.query(
    `insert into backups (started_at, finished_at, file, bytes, failure, is_nightly)
         values ($1, clock_timestamp(), $2, $3, $4, $5)
         on conflict do nothing`,
    [startedAt, file, bytes, failure, isNightly],
  );
  // Longer than any setting keeps the files: only those that are noted are removed.
  await database.query(
    `delete from backups
      where started_at < now() - case when failure is null then interval '11 years' else interval '1 year' end`,
  );
}

/**
 * Whether the backup of the night is missing: none has begun since the latest time of day at which one is due. One by hand does not count:
 * it may be in another place, or be removed by the operator. After a failure the next attempt is an hour later.
 */
export async function isBackupDue(database: Queryable, hour: number): Promise<boolean> {
  const { isDue } = await queryOne<{ isDue: boolean }>(
    database,
    `select not exists (
              select from backups
               where is_nightly
                 and case when failure is null
                          then started_at >= date_trunc('day', now() - $1 * interval '1 hour', 'UTC') + $1 * interval '1 hour'
                          else started_at > now() - interval '1 hour' end) as "isDue"`,
    [hour],
  );
  return isDue;
}
