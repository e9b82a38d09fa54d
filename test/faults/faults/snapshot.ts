import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { databaseAccount } from '../../../src/ground/database/embedded/account.ts';
import { findBinaries } from '../../../src/ground/database/embedded/binaries.ts';
import { administrator, connectionUrl, serviceRole } from '../../../src/ground/database/embedded/roles.ts';
import { ask, initialise, startServer } from '../../support/own-server.ts';
import { Scope } from '../../support/scope.ts';
import { signal } from '../../support/system.ts';
import { type Cluster, prepareCluster } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { LostTime, withEmail } from '../lost-time.ts';
import { randomOrder } from '../orders.ts';
import { expectNormal } from '../recovery.ts';

/** A server on a disk of which snapshots are taken. */
interface SnapshotCluster extends Cluster {
  takeSnapshot(): Promise<void>;
  /** Kills the server, and starts it on the snapshot: in the same place, with the same identity. */
  goBack(): Promise<void>;
}

async function openSnapshotCluster(scope: Scope, folder: string): Promise<SnapshotCluster> {
  const [data, snapshot] = [join(folder, 'cluster'), join(folder, 'snapshot')];
  const bin = dirname((await findBinaries(await databaseAccount(data))).initdb);
  const servers = new Scope(scope.keepsFolders, scope.patience);
  await scope.defer(() => servers.close());
  await initialise(bin, data);
  await startServer(servers, bin, data);
  await ask(connectionUrl(data, administrator, 'postgres'), `create role ${serviceRole} login`);
  const cluster = await prepareCluster(folder, join(data, 'postmaster.pid'), data);
  const send = async (name: NodeJS.Signals) => {
    for (const pid of await cluster.processes()) signal(pid, name);
  };
  return {
    ...cluster,
    async takeSnapshot() {
      await send('SIGSTOP');
      await copyFolder(data, snapshot);
      await send('SIGCONT');
    },
    async goBack() {
      await send('SIGKILL');
      await rm(data, { recursive: true });
      await copyFolder(snapshot, data);
      await startServer(servers, bin, data);
    },
  };
}

/** As it is at one moment, without what belongs to the running server. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
  await Promise.all(
    ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'].map((name) => rm(join(to, name), { force: true })),
  );
}

const snapshotRestored: Fault = {
  name: 'snapshot-restored',
  what: 'the disk of PostgreSQL is set back to a snapshot while the nodes run: only how far it had written tells that',
  openCluster: openSnapshotCluster,
  async run(stage) {
    const { rig, client, random, long } = stage;
    const cluster = stage.cluster as SnapshotCluster;
    const [worker] = await Promise.all([rig.start('worker', withEmail), rig.start('api', withEmail)]);
    const send = (name: string) =>
      sendOrders(client, random.fork(name), long ? 500 : 20, (own) => randomOrder(own, { people: 60, maxGifts: 4 }));
    await send('before');
    const lostTime = await LostTime.prepare(stage);
    worker.signal('SIGSTOP');
    await send('waiting');
    await lostTime.begin();
    await cluster.takeSnapshot();
    worker.signal('SIGCONT');
    await lostTime.lose();
    await cluster.goBack();
    await expectNormal(stage, 15_000, 'the snapshot was restored');
    await lostTime.expectHistories(rig, 2);
    await lostTime.expectLost();
    await lostTime.expectNoted(rig, 1);
    return undefined;
  },
};

export const snapshotFaults = [snapshotRestored];
