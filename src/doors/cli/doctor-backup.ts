import { readBackupState } from '../../ground/backup/log.ts';
import type { Config } from '../../ground/config/config.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { Finding } from './finding.ts';
import { counted } from './output.ts';

const oldestBackupHours = 36;
const newDatabaseHours = 2;

/** An old backup is a problem where one should be written every night, unless the database is so new that a worker has had no time for it. */
export async function examineBackup(database: Queryable, { backupFolder, backupKey }: Config): Promise<Finding> {
  const check = 'backup';
  const { file, ageSeconds, failures, failure } = await readBackupState(database);
  const hours = ageSeconds === null ? Number.POSITIVE_INFINITY : ageSeconds / 3_600;
  const age = ageSeconds === null ? 'none was written yet' : `the last one is ${hoursOf(hours)} old (${file})`;
  const detail = failures === 0 ? age : `${age}; ${counted(failures, 'attempt')} failed since (${failure})`;
  if (backupFolder === null)
    return { check, ok: true, isNote: true, detail: `${detail}; GIFTWIRE_BACKUP_FOLDER sets a nightly one` };
  const ok = failures === 0 && hours <= oldestBackupHours;
  if (ok) return { check, ok, detail: backupKey === null ? `${detail}; not encrypted` : detail };
  if (failures === 0 && (await isNew(database)))
    return { check, ok: true, isNote: true, detail: `${detail}; a worker writes one after its start` };
  const advice = 'The logs of the workers say why none is written. "giftwire backup --to <folder>" writes one now.';
  return { check, ok, detail, advice };
}

/** Whether it was created, restored or moved just now. */
async function isNew(database: Queryable): Promise<boolean> {
  const { found } = await queryOne<{ found: boolean }>(
    database,
    `select coalesce(max(started_at) > clock_timestamp() - make_interval(hours => $1), false) as found from histories`,
    [newDatabaseHours],
  );
  return found;
}

function hoursOf(hours: number): string {
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day');
}
