import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';
/** A cluster of a whole run, with its log, takes less. */
const roomBytes = 4 * 2 ** 30;

/** Where temporary clusters are made: creating and dropping hundreds of databases on a disk takes far more processor time. */
export function folderForClusters(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
