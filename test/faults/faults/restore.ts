import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { findDumpTools, openDumpableCluster } from '../distribution.ts';
import type { Fault } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { randomOrder } from '../orders.ts';
import { Rig } from '../rig.ts';

const kind = { people: 60, maxGifts: 4 };

const restore: Fault = {
  name: 'restore',
  what: 'a dump with finished and waiting orders, restored into a second database; the service goes on there',
  openCluster: openDumpableCluster,
  async run({ scope, cluster, rig, client, journal, random, long }) {
    const count = long ? 2_000 : 60;
    const [worker, api] = await Promise.all([rig.start('worker'), rig.start('api')]);
    const finished = await sendOrders(client, random.fork('finished'), count, (own) => randomOrder(own, kind));
    const done = await within(30_000 * journal.patience, async () => (await rig.pending()) === 0);
    journal.require(done, 'The orders before the dump were not finished.');
    for (const { requestId } of finished) if (requestId) await client.status(requestId);
    await worker.end('SIGTERM');
    await sendOrders(client, random.fork('waiting'), count, (own) => randomOrder(own, kind));

    const tools = findDumpTools().folder;
    const file = join(cluster.folder, 'orders.dump');
    const run = (program: string, ...args: string[]) => promisify(execFile)(join(tools, program), args);
    await run('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${cluster.url(rig.name)}`);
    await api.end('SIGTERM');
    const restored = await Rig.open(scope, cluster, `${rig.name}_restored`, 'empty');
    await run('pg_restore', '--exit-on-error', `--dbname=${cluster.url(restored.name)}`, file);
    await restored.start('all');
    client.url = restored.url;
    return restored;
  },
};

export const restoreFaults = [restore];
