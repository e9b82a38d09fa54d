import { spawnSync } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '../../support/eventually.ts';
import type { Scope } from '../../support/scope.ts';
import { openEmbeddedCluster } from '../cluster.ts';
import { type Fault, Skipped } from '../fault.ts';
import { startLoad } from '../load.ts';
import { expectNormal } from '../recovery.ts';

const diskMegabytes = 320;
const noticedWithinMs = 30_000;
const unreadyWithinMs = 10_000;
const fullMs = 4_000;

const diskFull: Fault = {
  name: 'disk-full',
  what: "PostgreSQL's disk is full under load: 503 and never a 201 without a commit, and the API is not ready; with room again, as before",
  async openCluster(scope, folder) {
    const disk = join(folder, 'disk');
    await mountDisk(scope, disk, diskMegabytes);
    return openEmbeddedCluster(scope, disk);
  },
  async run(stage) {
    const { rig, cluster, journal, random, long } = stage;
    await Promise.all([rig.start('worker'), rig.start('api')]);
    // Gifts soon need more room than their tables have.
    const load = startLoad(stage, random.fork('load'), { clients: 16, pauseMs: 10, maxGifts: long ? 4 : 12 });
    await load.accepted(long ? 100 : 50);
    const ballast = join(cluster.folder, 'ballast');
    await fill(ballast);
    const refusals = () => journal.attempts.filter(({ answer }) => answer?.status === 503).length;
    const noticed = await within(noticedWithinMs * journal.patience, async () => refusals() > 0);
    journal.require(noticed, 'Nothing was refused while the disk was full.');
    const isReady = async () => (await fetch(`${rig.url}/health/ready`)).ok;
    const isUnready = async () => {
      await fill(ballast);
      return !(await isReady());
    };
    const told = await within(unreadyWithinMs * journal.patience, isUnready);
    journal.require(told, 'The API was ready while the disk was full.');
    const fullUntil = Date.now() + fullMs;
    await within(
      fullMs * 2,
      async () => {
        // Space that the server frees is filled again at once.
        await fill(ballast);
        return Date.now() > fullUntil;
      },
      200,
    );
    await rm(ballast);
    await within(40_000 * journal.patience, () => rig.databaseAnswers());
    await expectNormal(stage, 10_000, 'the disk had room again');
    journal.require(
      await within(10_000 * journal.patience, isReady),
      'The API was not ready when the disk had room again.',
    );
    await load.stop();
    return undefined;
  },
};

/** A disk of a fixed size. */
export async function mountDisk(scope: Scope, folder: string, megabytes: number): Promise<void> {
  await mkdir(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (status !== 0) throw new Skipped('a disk of a fixed size needs the right to mount one');
  await scope.defer(async () => {
    spawnSync('umount', ['-l', folder]);
  });
  await chmod(folder, 0o755);
}

/** Writes until nothing fits any more. */
export async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = 1024 * 1024; size >= 1024; ) {
      const written = await file.write(Buffer.alloc(size)).catch(() => null);
      if (!written || written.bytesWritten < size) size >>= 1;
    }
  } finally {
    await file.close();
  }
}

export const diskFaults = [diskFull];
