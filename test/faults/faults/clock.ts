import { globSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killAtWork } from '../at-work.ts';
import type { Cluster } from '../cluster.ts';
import { openOwnCluster } from '../distribution.ts';
import { type Fault, Skipped } from '../fault.ts';
import { startLoad } from '../load.ts';
import type { Scope } from '../scope.ts';

const clockFile = 'clock';
const now = '+0';

/** The environment in which a program reads its clock from the file: only the clock that people set, not the steady one. */
function clockEnv(folder: string): Record<string, string> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (!library) throw new Skipped('libfaketime is not installed (Debian: apt-get install libfaketime)');
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder, clockFile),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

async function setClock(folder: string, offset: string): Promise<void> {
  await writeFile(join(folder, clockFile), `${offset}\n`);
  await chmod(join(folder, clockFile), 0o644);
}

async function openCluster(scope: Scope, folder: string): Promise<Cluster> {
  const [postgres] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse();
  if (!postgres) throw new Skipped('there is no PostgreSQL server on this machine besides the embedded one');
  await setClock(folder, now);
  return openOwnCluster(scope, folder, dirname(postgres), clockEnv(folder));
}

const clockJump: Fault = {
  name: 'clock-jump',
  what: 'the clock of database and service jumps a year ahead and back under load while workers are killed; no order is forgotten',
  openCluster,
  async run(stage) {
    const { rig, cluster, random, journal } = stage;
    const env = clockEnv(cluster.folder);
    let [worker] = await Promise.all([rig.start('worker', { env }), rig.start('api', { env })]);
    const load = startLoad(stage, random.fork('load'), { clients: 8, pauseMs: 200 });
    await load.accepted(20);
    for (const offset of ['+365d', now, '-2d', now]) {
      await setClock(cluster.folder, offset);
      await sleep(random.int(200, 1_500));
      // Far from now in the middle of its work, back again at any moment.
      if (offset !== now) await killAtWork(stage, worker);
      else await worker.end('SIGKILL');
      worker = await rig.start('worker', { env });
      await sleep(random.int(200, 1_500));
    }
    await load.stop();
    const [clock] = await rig.database.query<{ off: number }>(
      'select abs(extract(epoch from clock_timestamp()) - $1)::float8 as off',
      [Date.now() / 1_000],
    );
    journal.require((clock?.off ?? 0) < 60, 'The clock was not set back.');
    return undefined;
  },
};

export const clockFaults = [clockJump];
