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
const grantsWithinMs = 5_000;
const longOutageSeconds = 5;
const diskMegabytes = 400;

/** An API and a worker under load, a strike at the cluster, and back to normal in the cluster's own time plus ten seconds. */
async function failOver(
  stage: Stage,
  what: string,
  strike: (cluster: PatroniCluster) => Promise<() => Promise<unknown>>,
  { losesPrimary = true } = {},
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
  // The journal requires Retry-After of each 503, and accepts no other rejection.
  const wereTold = journal.statuses().some(([status]) => status === '503');
  const isOutage = losesPrimary && outageSeconds >= longOutageSeconds;
  journal.require(wereTold || !isOutage, `No caller was told to come again after ${what}.`);
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
  await expectGrantChanges(stage, what);
  await load.stop();
  await expectDenseEvents(stage);
  await expectFewLines(stage, outageSeconds);
  return undefined;
}

/** A process says at most once a second that the database is away, however many requests and connections notice it. */
async function expectFewLines({ rig, journal }: Stage, outageSeconds: number): Promise<void> {
  const problems = (await rig.readLogs()).map((log) =>
    log.split('\n').filter((line) => /"level":"(?:warn|error)"/.test(line) && !line.includes('"history":')),
  );
  const perSecond = problems.flatMap((lines) => [
    ...Map.groupBy(lines, (line) => /"time":"([^".]+)/.exec(line)?.[1] ?? '').values(),
  ]);
  const busiest = perSecond.toSorted((one, other) => other.length - one.length)[0] ?? [];
  console.log(
    `  ${problems.flat().length} lines about problems in an outage of ${Math.round(outageSeconds)} s, at most ${busiest.length} in a second of a process`,
  );
  journal.require(
    busiest.length <= 1,
    `${busiest.length} lines about problems in one second of a process: ${busiest.join(' ').slice(0, 600)}`,
  );
}

/** A process hears of a token that is created or revoked elsewhere, as before the failover. */
async function expectGrantChanges({ rig, journal, client }: Stage, after: string): Promise<void> {
  const created = await rig.command('token', 'create', '--workspace', String(client.workspaceId), '--json');
  const { id, token } = JSON.parse(created.stdout) as { id: number; token: string };
  const caller = client.as(token);
  const status = async () => (await caller.get('/api/v1/reports/teams/activity?size=1', [200, 401])).status;
  const isGranted = await within(grantsWithinMs * journal.patience, async () => (await status()) === 200, 50);
  journal.require(isGranted, `A new token does not work after ${after}.`);
  await rig.command('token', 'revoke', String(id));
  const isRevoked = await within(grantsWithinMs * journal.patience, async () => (await status()) === 401, 50);
  journal.require(isRevoked, `A revoked token still works after ${after}.`);
}

/** Events are numbered without gaps. A new history continues directly above its base. */
async function expectDenseEvents({ rig, journal }: Stage): Promise<void> {
  const gaps = await rig.database.query<{ number: number; before: number | null }>(
    `select number, before
       from (select number, lag(number) over (partition by workspace_id order by number) as before from events) e
      where number <> coalesce(before, 0) + 1
        and not exists (select from histories where base = number - 1)`,
  );
  journal.require(gaps.length === 0, `The numbers of events have gaps: ${JSON.stringify(gaps.slice(0, 5))}`);
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

const patroniHung: Fault = {
  name: 'patroni-hung',
  what: 'the primary of a Patroni cluster hangs (SIGSTOP) with its Patroni; the synchronous standby takes over, and the old primary goes on',
  openCluster: openPatroniCluster,
  run: (stage) =>
    failOver(stage, 'the primary hung', async (cluster) => {
      const primary = await cluster.primary();
      const [stopped, patroni] = [await primary.processes(), await primary.patroni()];
      for (const pid of stopped) signal(pid, 'SIGSTOP');
      return async () => {
        // A Patroni that goes on writes its lease over the new one, and undoes the failover. In production a watchdog ends it.
        for (const pid of patroni) signal(pid, 'SIGKILL');
        for (const pid of stopped) signal(pid, 'SIGCONT');
        await expectNormal(stage, normalWithinMs, 'the old primary took writes again');
        await primary.start();
      };
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
  run: (stage) => {
    const strike = async (cluster: PatroniCluster) => {
      const standby = await cluster.standby();
      const ballast = join(dirname(standby.data), 'ballast');
      await fill(ballast);
      return () => rm(ballast);
    };
    return failOver(stage, "the standby's disk was full", strike, { losesPrimary: false });
  },
};

export const patroniFaults = [patroniKilled, patroniHung, patroniSwitchover, patroniDiskFull];
