import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { within } from '../../support/eventually.ts';
import { signal } from '../../support/system.ts';
import type { Fault, Stage } from '../fault.ts';
import { seconds } from '../journal.ts';
import { startLoad } from '../load.ts';
import { leaseSeconds, type Member, openPatroniCluster, type PatroniCluster } from '../patroni.ts';
import { expectNormal } from '../recovery.ts';
import { fill, mountDisk } from './disk.ts';

/** What the cluster takes to choose another primary, and for the standby to be promoted. */
const clusterMs = (leaseSeconds + 10) * 1_000;
const normalWithinMs = 10_000;
const backWithinMs = 120_000;
const diskMegabytes = 400;

/** An API and a worker under load, a strike at the cluster, and back to normal in the cluster's own time plus ten seconds. */
async function failOver(
  stage: Stage,
  what: string,
  strike: (cluster: PatroniCluster) => Promise<() => Promise<unknown>>,
) {
  const { rig, journal, random } = stage;
  const cluster = stage.cluster as PatroniCluster;
  await Promise.all([rig.start('api'), rig.start('worker')]);
  const load = startLoad(stage, random.fork('load'));
  await load.accepted(random.int(20, 60));
  const began = Date.now();
  const restore = await strike(cluster);
  const isBack = await within(clusterMs * journal.patience, () => rig.databaseAnswers(), 100);
  journal.require(isBack, `No server took writes within ${seconds(clusterMs)} after ${what}.`);
  await expectNormal(stage, normalWithinMs, what);
  const outageSeconds = (Date.now() - began) / 1_000;
  await restore();
  // Another server that takes over has another timeline: it might lack something. The full disk of a standby changes nothing.
  const timelines = await rig.database.query<{ count: number }>('select count(*) as count from histories');
  journal.histories = timelines[0]?.count ?? 1;
  journal.require(journal.histories <= 2, `There are ${journal.histories} histories.`);
  const hasStandby = async () =>
    cluster.standby().then(
      () => true,
      () => false,
    );
  journal.require(await within(backWithinMs * journal.patience, hasStandby, 500), `No standby is back after ${what}.`);
  await expectNormal(stage, clusterMs, `a standby was back after ${what}`);
  await load.stop();
  await expectFewLines(stage, outageSeconds);
  return undefined;
}

/** Problems are logged about once a second, however many requests and connections have them. */
async function expectFewLines({ rig, journal }: Stage, outageSeconds: number): Promise<void> {
  const lines = (await rig.readLog()).split('\n').filter((line) => /"level":"(?:warn|error)"/.test(line));
  const bySecond = Map.groupBy(lines, (line) => /"time":"([^".]+)/.exec(line)?.[1] ?? '');
  const most = Math.max(0, ...[...bySecond.values()].map(({ length }) => length));
  console.log(
    `  ${lines.length} lines about problems in an outage of ${Math.round(outageSeconds)} s, at most ${most} in a second`,
  );
  journal.require(
    lines.length <= 2 * outageSeconds + 20,
    `${lines.length} lines about problems were logged in an outage of ${Math.round(outageSeconds)} s.`,
  );
}

const nothing = async () => {};

async function signalAll(member: Member, name: NodeJS.Signals): Promise<void> {
  for (const pid of await member.processes()) signal(pid, name);
}

const patroniKilled: Fault = {
  name: 'patroni-killed',
  what: 'the primary of a Patroni cluster is killed with its Patroni; the synchronous standby takes over, and the old primary comes back',
  openCluster: openPatroniCluster,
  run: (stage) =>
    failOver(stage, 'the primary was killed', async (cluster) => {
      const primary = await cluster.primary();
      await stage.client.busy();
      await signalAll(primary, 'SIGKILL');
      return () => primary.start();
    }),
};

const patroniSwitchover: Fault = {
  name: 'patroni-switchover',
  what: 'a planned switchover of a Patroni cluster under load',
  openCluster: openPatroniCluster,
  run: (stage) =>
    failOver(stage, 'the switchover', async (cluster) => {
      const [leader, candidate] = [await cluster.primary(), await cluster.standby()];
      await fetch(`${leader.api}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
      });
      return nothing;
    }),
};

const patroniDiskFull: Fault = {
  name: 'patroni-disk-full',
  what: 'the disk of the synchronous standby of a Patroni cluster is full; orders go on without it, and with room it comes back',
  openCluster: (scope, folder) => openPatroniCluster(scope, folder, (own, disk) => mountDisk(own, disk, diskMegabytes)),
  run: (stage) =>
    failOver(stage, "the standby's disk was full", async (cluster) => {
      const standby = await cluster.standby();
      const ballast = join(dirname(standby.data), 'ballast');
      await fill(ballast);
      return () => rm(ballast);
    }),
};

export const patroniFaults = [patroniKilled, patroniSwitchover, patroniDiskFull];
