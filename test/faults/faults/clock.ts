import { globSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopes } from '../../../src/company/access/scopes.ts';
import { createToken } from '../../../src/company/access/tokens.ts';
import { theService } from '../../../src/company/workspaces/audit.ts';
import { queryOne } from '../../../src/ground/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { Scope } from '../../support/scope.ts';
import { killAtWork } from '../at-work.ts';
import type { Cluster } from '../cluster.ts';
import { openOwnCluster } from '../distribution.ts';
import { type Fault, Skipped, type Stage } from '../fault.ts';
import { startLoad } from '../load.ts';

const clockFile = 'clock';
const apiClockFile = 'api-clock';
const now = '+0';

/** The environment in which a program reads its clock from the file: only the clock that people set, not the steady one. */
function clockEnv(folder: string, file = clockFile): Record<string, string> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (!library) throw new Skipped('libfaketime is not installed (Debian: apt-get install libfaketime)');
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder, file),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

async function setClock(folder: string, offset: string, file = clockFile): Promise<void> {
  await writeFile(join(folder, file), `${offset}\n`);
  await chmod(join(folder, file), 0o644);
}

async function openCluster(scope: Scope, folder: string): Promise<Cluster> {
  const [postgres] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse();
  if (!postgres) throw new Skipped('there is no PostgreSQL server on this machine besides the embedded one');
  await setClock(folder, now);
  return openOwnCluster(scope, folder, dirname(postgres), clockEnv(folder));
}

const clockJump: Fault = {
  name: 'clock-jump',
  what: 'the clock of database and service jumps a year ahead and back under load while workers are killed, then an API is two days slow and fast; no order is forgotten, and tokens expire by the database',
  openCluster,
  async run(stage) {
    const { rig, cluster, random, journal } = stage;
    const env = clockEnv(cluster.folder);
    let [worker, api] = await Promise.all([rig.start('worker', { env }), rig.start('api', { env })]);
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
    for (const offset of ['-2d', '+2d']) {
      await setClock(cluster.folder, offset, apiClockFile);
      await api.end('SIGTERM');
      api = await rig.start('api', { env: clockEnv(cluster.folder, apiClockFile) });
      await judgeExpiry(stage, offset);
    }
    const [clock] = await rig.database.query<{ off: number }>(
      'select abs(extract(epoch from clock_timestamp()) - $1)::float8 as off',
      [Date.now() / 1_000],
    );
    journal.require((clock?.off ?? 0) < 60, 'The clock was not set back.');
    return undefined;
  },
};

/** Tokens expire by the database's clock, also at an API with a clock of its own. */
async function judgeExpiry({ rig, journal }: Stage, offset: string): Promise<void> {
  const { id } = await queryOne<{ id: number }>(rig.database, 'select min(id) as id from workspaces');
  for (const [lastsMs, expected] of [
    [-minuteMs, 401],
    [10 * minuteMs, 200],
  ] as const) {
    const rights = { name: 'Clock', scopes, workspaces: [id], lastsMs, rateLimitPerMinute: null };
    const { token } = await rig.database.transaction((tx) => createToken(tx, theService, 'test', rights));
    const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-id': String(id) };
    const { status } = await eventually(
      () => fetch(`${rig.url}/api/v1/reasons`, { headers }),
      (answer) => answer.status !== 503,
    );
    journal.require(
      status === expected,
      `An API whose clock is ${offset} off has returned ${status} to a token that lasts ${lastsMs} ms.`,
    );
  }
}

const minuteMs = 60_000;

export const clockFaults = [clockJump];
