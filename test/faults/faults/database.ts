import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../support/eventually.ts';
import { signal } from '../../support/system.ts';
import type { Client } from '../client.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';
import { expectNormal, watchMemory } from '../recovery.ts';

const normalWithinMs = 10_000;
const databaseBackWithinMs = 40_000;
const maxMegabytes = 600;

/** Runs an API and a worker under load, breaks their database, and checks that they recover. */
async function underLoad(stage: Stage, after: string, strike: () => Promise<unknown>): Promise<undefined> {
  const { rig, journal, random, long } = stage;
  const [api] = await Promise.all([rig.start('api'), rig.start('worker')]);
  const stopWatching = watchMemory(journal, api.pid, maxMegabytes);
  const load = startLoad(stage, random.fork('load'));
  await load.accepted(long ? random.int(50, 200) : random.int(20, 60));
  await strike();
  const isBack = await within(databaseBackWithinMs * journal.patience, () => rig.databaseAnswers());
  journal.require(isBack, `The database did not come back within ${databaseBackWithinMs / 1_000} s after ${after}.`);
  await expectNormal(stage, normalWithinMs, after);
  await load.stop();
  stopWatching();
  return undefined;
}

const databaseKilled: Fault = {
  name: 'database-killed',
  what: 'PostgreSQL is killed under load: its postmaster, one backend or all of it; 503 until it is back, then as before',
  run: (stage) =>
    underLoad(stage, 'the database was killed', async () => {
      for (let kill = 0; kill < (stage.long ? 5 : 2); kill++) {
        const all = await stage.cluster.processes();
        const [postmaster, ...backends] = all;
        const victims = stage.random.pick([[postmaster], [stage.random.pick(backends)], all]);
        await stage.client.busy();
        for (const pid of victims) if (pid) signal(pid, 'SIGKILL');
        await sleep(stage.random.int(500, 2_000));
        await within(databaseBackWithinMs * stage.journal.patience, () => stage.rig.databaseAnswers());
      }
    }),
};

const databaseRestarted: Fault = {
  name: 'database-restarted',
  what: 'PostgreSQL is shut down and restarted under load; 503 until it is back, then as before',
  run: (stage) =>
    underLoad(stage, 'the database was restarted', async () => {
      const [postmaster] = await stage.cluster.processes();
      await stage.client.busy();
      if (postmaster) signal(postmaster, stage.random.pick(['SIGINT', 'SIGQUIT']));
      await sleep(500);
    }),
};

const sessionsTerminated: Fault = {
  name: 'sessions-terminated',
  what: 'every connection to the database is terminated each second; no process has to be started again',
  run: (stage) =>
    underLoad(stage, 'the last connection was terminated', async () => {
      for (let second = 0; second < (stage.long ? 15 : 4); second++) {
        await stage.client.busy();
        // Autovacuum may be at work in the database. Its process belongs to PostgreSQL, and only a superuser can terminate it.
        await stage.rig.database.query(
          `select pg_terminate_backend(pid)
             from pg_stat_activity
            where datname = current_database()
              and backend_type = 'client backend'
              and pid <> pg_backend_pid()`,
        );
        await sleep(stage.random.int(700, 1_300));
      }
    }),
};

const databaseStopped: Fault = {
  name: 'database-stopped',
  what: 'all of PostgreSQL stands still for a while; answers within 5 s, bounded memory, alive but not ready',
  run: (stage) =>
    underLoad(stage, 'the database went on', async () => {
      const { cluster, client, journal, long } = stage;
      const processes = await cluster.processes();
      const resume = async () => {
        for (const pid of processes) signal(pid, 'SIGCONT');
      };
      await stage.scope.defer(resume);
      await client.busy();
      for (const pid of processes) signal(pid, 'SIGSTOP');
      const until = Date.now() + (long ? 30_000 : 8_000);
      let wasReady = true;
      while (Date.now() < until) {
        wasReady = (await readHealth(client)) && wasReady;
        await sleep(250);
      }
      journal.require(!wasReady, 'The service said that it was ready while its database stood still.');
      await resume();
    }),
};

/** Checks that the service is live. Returns whether it is ready. */
async function readHealth(client: Client): Promise<boolean> {
  const live = await client.get('/health/live');
  client.journal.require(live.status === 200, `/health/live was answered ${live.status}.`);
  return (await client.get('/health/ready')).status === 200;
}

export const databaseFaults = [databaseKilled, databaseRestarted, sessionsTerminated, databaseStopped];
