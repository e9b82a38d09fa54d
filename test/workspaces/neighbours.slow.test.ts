import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEachWorkspace } from '../../src/company/workspaces/each.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { Failure } from '../../src/ground/errors.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, whileLocked } from '../support/held-locks.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { aGift } from '../support/orders.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** While it is set, the mail server takes no mail to these addresses. */
let kept: Promise<void> | null = null;
const mailServer = await startMailServer({
  async onMail({ to }) {
    if (to.startsWith('kept')) await kept;
    return undefined;
  },
});
const service = await startService(mailSettings(mailServer.url));
const { database } = service;

const openSome = (count: number) =>
  Promise.all(Array.from({ length: count }, () => openWorkspace(service))) as Promise<TestWorkspace[]>;
const idsOf = (workspaces: readonly TestWorkspace[]) => workspaces.map(({ id }) => id);
const giftTo = (email: string) => [aGift({ recipient: { email } })];

/**
 * Asks for what needs the workspace's lock, all at once. It may be refused with 503, and is not repeated. `waiting` is an order that
 * has not failed, so that trying it again is a 409.
 */
function crowd({ id, token }: TestWorkspace, waiting: string) {
  const write = (path: string, body?: unknown) =>
    service.call(path, { method: 'POST', token, workspace: id, body }).then(({ status }) => status);
  return Promise.all(
    Array.from({ length: 8 }, (_, nth) => [
      write('/api/v1/shoutouts', aShoutout()),
      write('/api/v1/reasons', { description: `Reason ${nth}` }),
      write('/api/v1/members', { email: `new${nth}@example.com` }),
      write('/api/v1/pools', { name: `Codes ${nth}`, currency: 'CAD' }),
      write(`/api/v1/orders/${waiting}/retry`),
    ]).flat(),
  );
}

test('while the locks of many workspaces are held, everything of another one goes on', async () => {
  const locked = await openSome(7);
  const [neighbour] = (await openSome(1)) as [TestWorkspace];
  const receiver = await startReceiver();
  const hook = { method: 'POST', body: { url: receiver.url } };
  assert.equal((await neighbour.call('/api/v1/webhooks', hook)).status, 201);
  let crowds: Promise<number[]>[] = [];
  const { waiting, answers } = await whileLocked(database.url, idsOf(locked), async () => {
    const waiting = await Promise.all(locked.map((workspace) => workspace.submit([aGift()])));
    crowds = locked.map((workspace, nth) => crowd(workspace, waiting[nth] as string));
    const answers: number[] = [];
    // A busy machine may need a second try. What waits for a lock waits for longer than three.
    const { id, token } = neighbour;
    const post = async (path: string, body: unknown) => {
      const ask = () => service.call(path, { method: 'POST', token, workspace: id, body });
      let answer = await ask();
      for (let tries = 1; answer.status === 503 && tries < 3; tries++) answer = await ask();
      answers.push(answer.status);
    };
    await post('/api/v1/shoutouts', aShoutout());
    await post('/api/v1/members', { email: 'somebody@example.com' });
    await post('/api/v1/pools', { name: 'Codes', currency: 'CAD' });
    const requestId = await neighbour.submit(giftTo('neighbour@example.com'));
    assert.equal((await neighbour.finished(requestId)).requestStatus, 'COMPLETED');
    await eventually(async () => mailServer.to('neighbour@example.com').length > 0);
    await eventually(async () => receiver.received.some(({ event }) => event.type === 'gift.sent'));
    for (const [nth, workspace] of locked.entries())
      assert.equal((await workspace.status(waiting[nth] as string)).requestStatus, 'ACCEPTED', 'still locked');
    return { waiting, answers };
  });
  assert.deepEqual(answers, [201, 201, 201]);
  for (const [nth, workspace] of locked.entries())
    assert.equal((await workspace.finished(waiting[nth] as string)).requestStatus, 'COMPLETED');
  const statuses = new Set((await Promise.all(crowds)).flat());
  assert.deepEqual(
    [...statuses].filter((status) => ![201, 409, 503].includes(status)),
    [],
  );
});

test('orders that are tried again in a locked workspace leave the other workspaces alone', async () => {
  const [locked, neighbour] = (await openSome(2)) as [TestWorkspace, TestWorkspace];
  const { again, answer } = await whileLocked(database.url, [locked.id], async () => {
    const waiting = await locked.submit([aGift()]);
    const call = { method: 'POST', token: locked.token, workspace: locked.id };
    const again = Array.from({ length: 30 }, () => service.call(`/api/v1/orders/${waiting}/retry`, call));
    await eventually(async () => (await countWaiting(database, 'people')) > 0);
    const { id, token } = neighbour;
    const answer = await service.call('/api/v1/shoutouts', { ...call, token, workspace: id, body: aShoutout() });
    assert.ok((await countWaiting(database, 'people')) <= 1, 'one of them has a connection');
    return { again, answer };
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  for (const { status } of await Promise.all(again)) assert.ok(status === 409 || status === 503, `${status}`);
});

test('workspaces whose sent mails cannot be written down keep no other from sending', async () => {
  const locked = await openSome(5);
  const [neighbour] = (await openSome(1)) as [TestWorkspace];
  const taken = Promise.withResolvers<void>();
  kept = taken.promise;
  const orders = await Promise.all(locked.map(({ submit, id }) => submit(giftTo(`kept${id}@example.com`))));
  for (const [nth, workspace] of locked.entries()) await workspace.finished(orders[nth] as string);
  const sentBy = async ({ id }: TestWorkspace) =>
    (await database.query(`select from mails where workspace_id = $1 and state = 'SENT'`, [id])).length;
  await whileLocked(database.url, idsOf(locked), async () => {
    taken.resolve();
    await neighbour.finished(await neighbour.submit(giftTo('free@example.com')));
    await eventually(
      () => sentBy(neighbour),
      (mails) => mails === 1,
    );
    for (const workspace of locked) assert.equal(await sentBy(workspace), 0, 'still locked');
  });
  for (const workspace of locked)
    await eventually(
      () => sentBy(workspace),
      (mails) => mails === 1,
    );
  for (const { id } of locked) assert.equal(mailServer.to(`kept${id}@example.com`).length, 1, 'sent once');
});

test('writers of locked workspaces leave connections of their pool to others', async () => {
  // Without a limit on how long a lock is waited for.
  const pool = openDatabase({ url: database.url, name: 'test', maxConnections: 3, statementTimeoutMs: null });
  cleanUp(() => pool.close());
  const locked = await openSome(4);
  const [neighbour] = (await openSome(1)) as [TestWorkspace];
  const write = ({ id }: TestWorkspace) => inWorkspace(pool, id, async () => 'written');
  const writers = await whileLocked(database.url, idsOf(locked), async () => {
    const waiting = locked.flatMap((workspace) => Array.from({ length: 5 }, () => write(workspace)));
    const settled = Promise.allSettled(waiting);
    for (let nth = 0; nth < 20; nth++) assert.equal(await write(neighbour), 'written');
    return { settled };
  });
  const outcomes = await writers.settled;
  assert.equal(outcomes.length, 20);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal((outcome.reason as Failure).kind, 'unavailable');
  assert.ok(
    outcomes.some(({ status }) => status === 'fulfilled'),
    'those who waited got the lock',
  );
});

test('writers of a workspace come in the order in which they asked', async () => {
  const [workspace] = (await openSome(1)) as [TestWorkspace];
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, (_, nth) => inWorkspace(database, workspace.id, async () => order.push(nth))),
  );
  assert.deepEqual(order, [...order.keys()]);
});

test('what is done in each workspace is done in the others if it fails in one', async () => {
  const done: number[] = [];
  const work = async ({ workspaceId }: { workspaceId: number }) => {
    if (workspaceId % 2) throw new Failure('unavailable', `${workspaceId} is locked`);
    done.push(workspaceId);
  };
  const found = [1, 2, 3, 4].map((workspaceId) => ({ workspaceId }));
  await assert.rejects(inEachWorkspace(found, work), /1 is locked/);
  assert.deepEqual(done, [2, 4]);
});
