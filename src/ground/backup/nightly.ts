import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { runAlone } from '../database/alone.ts';
import type { Database } from '../database/database.ts';
import { isBackupDue, listNightlyFiles, noteBackup, readBackupTime } from './log.ts';
import { type WrittenBackup, writeBackup } from './write.ts';

const lockKey = 0x6261_636b; // "back"
const backupName = /^giftwire-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/;
const abandonedAfterMs = 24 * 3_600_000;

export type NightlySettings = Pick<Config, 'backupFolder' | 'backupKey' | 'backupHour' | 'backupKeep'>;

/** Writes the backup of the night if it is due and no other node does, and removes the oldest ones. Null: there was nothing to do. */
export async function backUpNightly(
  database: Database,
  { backupFolder, backupKey, backupHour, backupKeep }: NightlySettings,
  stopping: AbortSignal,
): Promise<WrittenBackup | { failure: Error } | null> {
  if (backupFolder === null || !(await isBackupDue(database, backupHour))) return null;
  return runAlone(database, lockKey, async () => {
    // Another node may have just written it.
    if (!(await isBackupDue(database, backupHour))) return null;
    const now = await readBackupTime(database);
    try {
      await mkdir(backupFolder, { recursive: true, mode: 0o700 });
      const written = await writeBackup(database, backupFolder, backupKey, { now, stopping });
      await noteBackup(database, now, { ...written, isNightly: true });
      await removeOldest(backupFolder, backupKeep, await listNightlyFiles(database));
      return written;
    } catch (error) {
      // A node that stops leaves it to the others, or to its next start.
      if (stopping.aborted) return null;
      const failure = error as Error;
      await noteBackup(database, now, { failure: failure.message, isNightly: true });
      return { failure };
    }
  });
}

/** Files of another installation in the same folder stay, and those that were written by hand. */
async function removeOldest(folder: string, keep: number, own: readonly string[]): Promise<void> {
  const names = (await readdir(folder)).sort();
  const backups = names.filter((name) => backupName.test(name) && own.includes(resolve(folder, name)));
  const drafts = names.filter((name) => backupName.test(name.replace(/\.partial$/, '')) && name.endsWith('.partial'));
  for (const name of backups.slice(0, -keep)) await rm(join(folder, name), { force: true });
  for (const name of drafts) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < Date.now() - abandonedAfterMs) await rm(join(folder, name), { force: true });
  }
}
