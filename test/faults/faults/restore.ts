import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { ask } from '../../support/own-server.ts';
import { findDumpTools, openDumpableCluster } from '../distribution.ts';
import type { Fault, Stage } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { LostTime, withEmail } from '../lost-time.ts';
import { randomOrder } from '../orders.ts';
import { expectNormal } from '../recovery.ts';
import { Rig } from '../rig.ts';

const kind = { people: 60, maxGifts: 4 };

const restore: Fault = {
  name: 'restore',
  what: 'a dump with finished and waiting orders, restored into a second and a third database; what was issued meanwhile is lost',
  openCluster: openDumpableCluster,
  async run(stage) {
    const { scope, cluster, rig, client, journal, random, long } = stage;
    const count = long ? 2_000 : 60;
    const [worker, api] = await Promise.all([rig.start('worker', withEmail), rig.start('api', withEmail)]);
    const finished = await sendOrders(client, random.fork('finished'), count, (own) => randomOrder(own, kind));
    const done = await within(30_000 * journal.patience, async () => (await rig.pending()) === 0);
    journal.require(done, 'The orders before the dump were not finished.');
    for (const { requestId } of finished) if (requestId) await client.status(requestId);
    const lostTime = await LostTime.prepare(stage);
    await worker.end('SIGTERM');
    await sendOrders(client, random.fork('waiting'), count, (own) => randomOrder(own, kind));
    await lostTime.begin();

    const tools = findDumpTools().folder;
    const file = join(cluster.folder, 'orders.dump');
    const run = (program: string, ...args: string[]) => promisify(execFile)(join(tools, program), args);
    await run('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${cluster.url(rig.name)}`);
    const lastWorker = await rig.start('worker', withEmail);
    await lostTime.lose();
    await Promise.all([api.end('SIGTERM'), lastWorker.end('SIGTERM')]);

    const restoreInto = async (name: string) => {
      const restored = await Rig.open(scope, cluster, `${rig.name}_${name}`, 'empty');
      await run('pg_restore', '--exit-on-error', `--dbname=${cluster.url(restored.name)}`, file);
      client.url = restored.url;
      return { restored, program: await restored.start('all', withEmail) };
    };
    const first = await restoreInto('restored');
    // What is issued there is lost too: the same dump is restored once more.
    await lostTime.lose();
    await first.program.end('SIGTERM');
    const { restored } = await restoreInto('again');
    await lostTime.expectLost();
    await lostTime.expectHistories(restored, 2);
    return restored;
  },
};

/** Of the transaction that starts a history: "hist". */
const historyLock = 0x6869_7374;

const restoreInPlace: Fault = {
  name: 'restore-in-place',
  what: 'a dump is restored over its own database while the nodes run; what was issued after the dump is lost',
  openCluster: openDumpableCluster,
  async run(stage) {
    const { cluster, rig, client, random } = stage;
    const [worker] = await Promise.all([rig.start('worker', withEmail), rig.start('api', withEmail)]);
    await sendOrders(client, random.fork('before'), 20, (own) => randomOrder(own, kind));
    const lostTime = await LostTime.prepare(stage);
    worker.signal('SIGSTOP');
    await sendOrders(client, random.fork('waiting'), 20, (own) => randomOrder(own, kind));
    await lostTime.begin();
    const tools = findDumpTools().folder;
    const file = join(cluster.folder, 'orders.dump');
    const run = (program: string, ...args: string[]) => promisify(execFile)(join(tools, program), args);
    await run('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${cluster.url(rig.name)}`);
    worker.signal('SIGCONT');
    await lostTime.lose();
    await cluster.drop(rig.name);
    await cluster.create(rig.name, 'empty');
    // In parallel, sequences may be set after the nodes have noticed.
    await run('pg_restore', '--exit-on-error', '--jobs=4', `--dbname=${cluster.url(rig.name)}`, file);
    const histories = await expectSequences(stage);
    await expectNormal(stage, 15_000, 'the restore');
    await lostTime.expectHistories(rig, histories);
    await lostTime.expectLost();
    await lostTime.expectNoted(rig, histories - 1);
    return undefined;
  },
};

/** Waits until a node has moved what the restore has set. Returns the number of histories: sequences that are set late cost one more. */
async function expectSequences({ cluster, rig, journal }: Stage): Promise<number> {
  const query = <Row extends object>(sql: string) => ask<Row>(cluster.url(rig.name), sql).catch((): Row[] => []);
  const movedSql = `select min(coalesce(last_value, 0)) >= max(base) and count(distinct base) > 1 as "areMoved"
                      from pg_sequences, histories
                     where schemaname = 'public' and data_type = 'bigint'::regtype`;
  const areMoved = await within(10_000 * journal.patience, async () => {
    const [row] = await query<{ areMoved: boolean }>(movedSql);
    return row?.areMoved === true;
  });
  journal.require(areMoved, 'After the restore, sequences give ids of the lost time.');
  // Sequences move before the transaction that starts their history commits: it holds this lock.
  await query(`select pg_advisory_xact_lock(${historyLock})`);
  return (await query('select from histories')).length;
}

export const restoreFaults = [restore, restoreInPlace];
