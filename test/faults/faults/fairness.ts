import { setTimeout as sleep } from 'node:timers/promises';
import { createAccess } from '../../../bench/programs.ts';
import { eventually, within } from '../../support/eventually.ts';
import type { Random } from '../../support/random.ts';
import type { Access, Client } from '../client.ts';
import type { Fault, Stage } from '../fault.ts';
import { inParallel } from '../in-parallel.ts';
import { seconds } from '../journal.ts';
import { randomOrder } from '../orders.ts';
import type { Rig } from '../rig.ts';

const completedWithinMs = 2_000;
const givenUpAfterMs = 60_000;
const giftsEach = 1_000;

const starvation: Fault = {
  name: 'starvation',
  what: 'a workspace has many thousand gifts waiting; a small order of another is COMPLETED within 2 s, and shoutouts of the first are recorded',
  needsQuiet: true,
  async run(stage) {
    const { rig, random, long, journal } = stage;
    await rig.start('api');
    const flooded = await createAccess(rig.database, 1);
    const orders = long ? 1_050 : 15;
    await inParallel([...Array(orders).keys()], 4, (nth) => flood(rig, flooded, random.fork(`flood ${nth}`)));
    await rig.start('worker');
    const praise = praiseWhileFlooded(stage, flooded);
    let slowest = 0;
    let sent = 0;
    while ((await waiting(rig, flooded)) > 0) {
      slowest = Math.max(slowest, await orderOne(stage, sent++));
      await sleep(50);
    }
    await praise;
    journal.require(sent > 0, 'The backlog was gone before a small order could be sent.');
    const limit = completedWithinMs * journal.patience;
    journal.require(slowest <= limit, `A small order took ${seconds(slowest)} beside a backlog.`);
    return undefined;
  },
};

async function flood(rig: Rig, access: Access, random: Random): Promise<void> {
  const orderItems = Array.from({ length: giftsEach }, (_, nth) => ({
    message: 'Thank you!',
    amount: random.int(1, 100),
    recipient: { employeeNumber: `F${nth % 5_000}` },
  }));
  const body = { currency: 'CAD', orderItems };
  const order = () => post(rig, access, '/api/v1/orders', body);
  const status = await eventually(order, (answered) => answered !== 503, { everyMs: 200 });
  if (status !== 201) throw new Error(`the flood was answered ${status}`);
}

/** How long an order of one gift takes from being sent to COMPLETED. */
async function orderOne({ client, random }: Stage, nth: number): Promise<number> {
  const began = performance.now();
  const order = randomOrder(random.fork(`small ${nth}`), { people: 20, maxGifts: 1 });
  const { requestId } = await client.create(`small-${nth}`, order);
  if (requestId !== null) await within(givenUpAfterMs * client.journal.patience, () => isCompleted(client, requestId));
  return performance.now() - began;
}

async function isCompleted(client: Client, requestId: string): Promise<boolean> {
  return (await client.status(requestId))?.requestStatus === 'COMPLETED' || client.isClosed;
}

/** Gives shoutouts in the flooded workspace: writers get the lock between batches. */
async function praiseWhileFlooded({ rig, journal }: Stage, access: Access): Promise<void> {
  let slowest = 0;
  for (let nth = 0; (await waiting(rig, access)) > 0; nth++) {
    const shoutout = { message: 'Well done', recipient: { employeeNumber: `F${nth % 5_000}` } };
    const began = performance.now();
    let status = await post(rig, access, '/api/v1/shoutouts', shoutout);
    // On a shared machine a writer may get a 503.
    for (; status === 503 && journal.patience > 1; status = await post(rig, access, '/api/v1/shoutouts', shoutout))
      await sleep(100);
    journal.require(status === 201, `A shoutout beside a backlog was answered ${status}.`);
    slowest = Math.max(slowest, performance.now() - began);
    await sleep(30);
  }
  const limit = completedWithinMs * journal.patience;
  journal.require(slowest <= limit, `A shoutout beside a backlog took ${seconds(slowest)}.`);
}

async function post(rig: Rig, { token, workspaceId }: Access, path: string, body: unknown): Promise<number> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Workspace-id': String(workspaceId),
    'Content-Type': 'application/json',
  };
  const response = await fetch(rig.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

async function waiting(rig: Rig, { workspaceId }: Access): Promise<number> {
  const sql = 'select count(*) as count from pending_orders where workspace_id = $1';
  const [row] = await rig.database.query<{ count: number }>(sql, [workspaceId]);
  return (row as { count: number }).count;
}

export const fairnessFaults = [starvation];
