import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client.ts';
import type { Fault, Stage } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { LostTime, withEmail } from '../lost-time.ts';
import { randomOrder } from '../orders.ts';
import { expectNormal } from '../recovery.ts';
import { openReplicatedCluster, type ReplicatedCluster } from '../replication.ts';

const kind = { people: 60, maxGifts: 4 };
const normalWithinMs = 15_000;

const failoverLossy: Fault = {
  name: 'failover-lossy',
  what: 'the primary is killed, and a standby without the latest changes takes over, then another one; no node is started again',
  openCluster: openReplicatedCluster,
  async run(stage) {
    const { rig, client, random, long } = stage;
    const cluster = stage.cluster as ReplicatedCluster;
    const [worker, api] = await Promise.all([rig.start('worker', withEmail), rig.start('api', withEmail)]);
    const send = (name: string) =>
      sendOrders(client, random.fork(name), long ? 500 : 20, (own) => randomOrder(own, kind));
    await send('before');
    const lostTime = await LostTime.prepare(stage);
    const [first, second] = [await cluster.addStandby(), await cluster.addStandby()];
    worker.signal('SIGSTOP');
    await send('waiting');
    await lostTime.begin();
    await first.cutOff();
    // The second one has written more than the nodes ever see of the first one, and its timeline gets the same number.
    await cluster.writeMuch();
    await second.cutOff();
    worker.signal('SIGCONT');
    await lostTime.lose();
    await readReports(client);
    await first.takeOver();
    // The second failover loses this history too. It is in the log only if a worker has noted it before.
    await lostTime.expectNoted(rig, 1);
    await lostTime.lose();
    await readReports(client);
    await second.takeOver();
    await expectNormal(stage, normalWithinMs, 'the second failover');
    await lostTime.expectHistories(rig, 2);
    await lostTime.expectLost();
    await lostTime.expectNoted(rig, 2);
    await expectSameReports(stage, async () => {
      await api.end('SIGTERM');
      await rig.start('api', withEmail);
    });
    return undefined;
  },
};

const reports = ['overview', 'series', 'coverage', 'fairness', 'members/not-recognized'];

/** Lets the node keep in memory what reports count. */
function readReports(client: Client): Promise<unknown[]> {
  return Promise.all(reports.map((report) => client.read(`/api/v1/reports/${report}`)));
}

/** Checks that a node that has seen the lost time reports what a new one does. */
async function expectSameReports({ client, journal }: Stage, startAgain: () => Promise<void>): Promise<void> {
  const before = await readReports(client);
  await startAgain();
  const after = await readReports(client);
  for (const [nth, report] of reports.entries())
    journal.require(
      before[nth] !== null && isDeepStrictEqual(before[nth], after[nth]),
      `A node that has seen the lost time reports something else than a new one: ${report}.`,
    );
}

export const failoverFaults = [failoverLossy];
