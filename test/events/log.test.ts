import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEvents } from '../../src/company/events/log.ts';
import { readEvents } from '../../src/company/events/read.ts';
import { removeOldEvents } from '../../src/company/events/retention.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { EventRecord, NewEvent } from '../../src/ground/contract/event.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const [ada, grace] = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }];
const open = () => openWorkspace(service, { people: [ada, grace], actsAs: grace.email });
/** Without people, so that its log is empty. */
const openEmpty = () => openWorkspace(service);

const read = (workspace: TestWorkspace, query = '') => workspace.read<EventPage>(`/api/v1/events${query}`);
const ofType = async (workspace: TestWorkspace, ...types: string[]) =>
  (await read(workspace, `?types=${types.join(',')}`)).events;
const dataOf = (events: readonly EventRecord[]) => events.map(({ data }) => data as Record<string, unknown>);
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);

/** Makes fulfilment fail for every gift with this message, and the log refuse every event of this type. */
async function poison(): Promise<void> {
  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_gift before insert on certificates
       for each row when (new.message = 'poison') execute function refuse();
    create trigger refuse_event before insert on events
       for each row when (new.type = 'shoutout.declined') execute function refuse()`);
}
await poison();

async function append(workspaceId: number, count: number, type: 'member.added' | 'member.left' = 'member.added') {
  const events = upTo(count).map((id): NewEvent => ({ type, data: { id } }));
  await inWorkspace(database, workspaceId, (tx, moment) => appendEvents(tx, workspaceId, moment, events));
}

test('a completed order is an event with its ids, amounts and reference', async () => {
  const workspace = await open();
  const before = Date.now();
  const { body } = await workspace.order([ada, grace, ada], { headers: { 'X-Customer-Request-Id': 'bonus-7' } });
  const { orderId } = await workspace.finished(body.requestId);
  const [event, ...others] = await ofType(workspace, 'order.completed');
  assert.deepEqual(others, []);
  assert.deepEqual(event?.data, {
    requestId: body.requestId,
    customerRequestId: 'bonus-7',
    orderId,
    gifts: 3,
    total: 75,
    currency: 'CAD',
  });
  assert.deepEqual(
    [event?.id, event?.workspaceId, event?.type],
    [`evt_${workspace.id}_${event?.number}`, workspace.id, 'order.completed'],
  );
  const at = Date.parse(event?.timestamp as string);
  assert.ok(before <= at && at <= Date.now());
  assert.deepEqual(await workspace.read(`/api/v1/events/${event?.id}`), event);
});

test('a failed order is an event, and the orders beside it have theirs', async () => {
  const workspace = await open();
  const bad = await workspace.submit([aGift({ message: 'poison' })]);
  const good = await workspace.submit([aGift()]);
  assert.equal((await workspace.finished(bad)).requestStatus, 'FAILED');
  await workspace.finished(good);
  assert.deepEqual(dataOf(await ofType(workspace, 'order.failed')), [{ requestId: bad, customerRequestId: null }]);
  assert.deepEqual(
    dataOf(await ofType(workspace, 'order.completed')).map(({ requestId }) => requestId),
    [good],
  );
});

test('a shoutout is an event when it is given and when it is decided, and a refused one is none', async () => {
  const workspace = await openWorkspace(service, {
    people: [ada, grace],
    actsAs: grace.email,
    asksForApproval: true,
  });
  const { token: approver } = await service.addToken({ workspaces: [workspace.id] });
  const { id } = await workspace.given(aShoutout(), { headers: { 'Idempotency-Key': 'once' } });
  await workspace.given(aShoutout(), { headers: { 'Idempotency-Key': 'once' } });
  refusal(await workspace.give(aShoutout({ recipient: grace })), 400);
  assert.equal((await workspace.decide(id, 'approve', { token: approver })).status, 200);
  assert.equal((await workspace.decide(id, 'approve', { token: approver })).status, 200);
  const [adaId, graceId] = workspace.memberIds;
  assert.deepEqual(dataOf(await ofType(workspace, 'shoutout.given')), [
    { id, status: 'PENDING', isPrivate: false, senderId: graceId, receiverId: adaId },
  ]);
  const [approved, ...others] = await ofType(workspace, 'shoutout.approved', 'shoutout.declined');
  assert.deepEqual([approved?.type, dataOf(approved ? [approved] : [])[0]?.id, others], ['shoutout.approved', id, []]);
});

test('a change whose event cannot be written is not made', async () => {
  const workspace = await openWorkspace(service, { people: [ada, grace], actsAs: grace.email, asksForApproval: true });
  const { token: approver } = await service.addToken({ workspaces: [workspace.id] });
  const { id } = await workspace.given(aShoutout());
  const { latest } = await read(workspace);
  assert.equal((await workspace.decide(id, 'decline', { token: approver })).status, 500);
  assert.equal((await workspace.shoutouts()).shoutouts[0]?.status, 'PENDING');
  assert.equal((await read(workspace)).latest, latest);
});

test('under concurrent writers, a reader that goes on from the last number misses nothing', async () => {
  const workspace = await open();
  const writers = upTo(4).map(async () => {
    for (let nth = 0; nth < 10; nth++) {
      await workspace.given(aShoutout());
      await workspace.submit([aGift(), aGift()]);
    }
  });
  const pulled: EventRecord[] = [];
  const orders = () => pulled.filter(({ type }) => type === 'order.completed').length;
  let after = 0;
  while (orders() < 40) {
    const page = await read(workspace, `?after=${after}&size=7&wait=5`);
    pulled.push(...page.events);
    after = page.next;
  }
  await Promise.all(writers);
  pulled.push(...(await read(workspace, `?after=${after}&size=1000`)).events);
  assert.deepEqual(
    pulled.map(({ number }) => number),
    upTo(pulled.length),
  );
  assert.equal(pulled.filter(({ type }) => type === 'shoutout.given').length, 40);
  assert.equal(orders(), 40);
});

test('pages are the oldest first after a number, and say where to go on', async () => {
  const workspace = await openEmpty();
  const { history, ...empty } = await read(workspace);
  assert.deepEqual(empty, { events: [], next: 0, latest: 0 });
  assert.match(history, /^[0-9a-f]{8}-/);
  await append(workspace.id, 5);
  await append(workspace.id, 1, 'member.left');
  await append(workspace.id, 2);
  const page = async (query: string) => {
    const { events, next, latest } = await read(workspace, query);
    return [events.map(({ number }) => number), next, latest];
  };
  assert.deepEqual(await page(''), [upTo(8), 8, 8]);
  assert.deepEqual(await page('?size=3'), [[1, 2, 3], 3, 8]);
  assert.deepEqual(await page('?after=3&size=3'), [[4, 5, 6], 6, 8]);
  assert.deepEqual(await page('?after=8'), [[], 8, 8]);
  assert.deepEqual(await page('?types=member.left'), [[6], 8, 8]);
  assert.deepEqual(await page('?types=member.left&size=1'), [[6], 6, 8]);
  assert.deepEqual(await page('?types=order.failed&after=2'), [[], 8, 8]);
  assert.deepEqual(await page('?types=member.left,%20member.added&after=5&size=2'), [[6, 7], 7, 8]);
});

test('a question that cannot be answered is refused with what to ask instead', async () => {
  const workspace = await openEmpty();
  await append(workspace.id, 2);
  const refused = async (query: string) => refusal(await workspace.call(`/api/v1/events?${query}`), 400);
  assert.match(await refused('after=3'), /after is beyond the latest event of this workspace, which is 2/);
  assert.match(await refused('types=order.complete'), /types has order\.complete, which is no type; there are order\./);
  for (const query of ['after=-1', 'after=x', 'size=0', 'size=1001', 'wait=31', 'wait=-1', 'types=', 'since=1'])
    await refused(query);
});

test("another workspace's event is not found, and looks like one that does not exist", async () => {
  const [ours, theirs] = [await openEmpty(), await openEmpty()];
  await append(theirs.id, 1);
  const foreign = await ours.call(`/api/v1/events/evt_${theirs.id}_1`);
  const unknown = await ours.call(`/api/v1/events/evt_${ours.id}_1`);
  refusal(foreign, 404);
  assert.deepEqual(foreign.body, unknown.body);
  assert.deepEqual((await read(ours)).events, []);
  await append(ours.id, 1);
  refusal(await ours.call(`/api/v1/events/evt_${theirs.id}_1`), 404);
});

test('no event holds a gift token, a message, a name or an address', async () => {
  const people = [
    {
      email: 'secret.receiver@example.com',
      firstName: 'Secretfirst',
      lastName: 'Secretlast',
      employeeNumber: 'SECRET77',
    },
    { email: 'secret.sender@example.com', firstName: 'Secretfirst' },
  ];
  const workspace = await openWorkspace(service, {
    people,
    actsAs: 'secret.sender@example.com',
    asksForApproval: true,
  });
  const { token: approver } = await service.addToken({ workspaces: [workspace.id] });
  const recipient = { email: 'secret.receiver@example.com' };
  const record = await workspace.outcome(await workspace.submit([aGift({ recipient, message: 'secret words' })]));
  await workspace.finished(await workspace.submit([aGift({ recipient: { email: 'secret.stranger@example.com' } })]));
  const { id } = await workspace.given(aShoutout({ recipient, message: 'secret words' }));
  await workspace.decide(id, 'approve', { token: approver, body: { reason: 'secret words' } });
  const stored = JSON.stringify(await database.query('select * from events where workspace_id = $1', [workspace.id]));
  assert.ok((await read(workspace)).latest >= 4);
  assert.doesNotMatch(stored, /secret/i);
  for (const { longToken, shortToken } of record.certificates)
    for (const token of [longToken, shortToken]) assert.ok(!stored.includes(token));
});

test('old events are removed in pieces, and who asks for them is told the oldest number', async () => {
  const workspace = await openEmpty();
  const { id } = workspace;
  await append(id, 12_000);
  await database.query(
    `update events set created_at = created_at - interval '91 days' where workspace_id = $1 and number <= 11000`,
    [id],
  );
  assert.match(refusal(await workspace.call('/api/v1/events?after=12001'), 400), /12000/);
  const pieces: number[] = [];
  for (let removed = -1; removed !== 0; pieces.push(removed)) removed = await removeOldEvents(database, 90);
  assert.deepEqual(pieces, [5_000, 5_000, 1_000, 0]);
  const gone = await workspace.call<{ message: string; status: number; type: string }>('/api/v1/events?after=10999');
  assert.deepEqual([gone.status, gone.body.status, gone.body.type], [410, 410, 'invalid_field']);
  assert.match(gone.body.message, /the oldest is 11001\. Ask with after=11000/);
  assert.equal((await workspace.call(`/api/v1/events?after=0&wait=30`)).status, 410);
  const numbersOf = async (query: string) => (await read(workspace, query)).events.map(({ number }) => number);
  assert.deepEqual(await numbersOf('?size=2'), [11_001, 11_002]);
  assert.deepEqual(await numbersOf('?after=11000&size=1'), [11_001]);
  refusal(await workspace.call(`/api/v1/events/evt_${id}_11000`), 404);
  await workspace.outcome(await workspace.submit([aGift()]));
  assert.equal((await ofType(workspace, 'order.completed')).length, 1);
});

for (const types of [null, ['member.added' as const]])
  test(`events that are removed while a page${types ? ' of a type' : ''} is read are no silent gap`, async () => {
    const { id } = await openEmpty();
    await append(id, 4);
    await database.query(
      `update events set created_at = created_at - interval '91 days' where workspace_id = $1 and number <= 2`,
      [id],
    );
    /** Removes old events after each statement. */
    const removing: Queryable = {
      async query<Row>(sql: string, values?: readonly unknown[]) {
        const rows = await database.query<Row>(sql, values);
        await removeOldEvents(database, 90);
        return rows;
      },
    };
    const { events } = await readEvents(removing, id, { after: 0, size: 20, types });
    assert.deepEqual(
      events.map(({ number }) => number),
      upTo(4),
    );
    await assert.rejects(readEvents(removing, id, { after: 0, size: 20, types }), /the oldest is 3/);
  });

test('the log needs its own scope, and an order that is sent again is no second event', async () => {
  const workspace = await open();
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['orders:read'] });
  refusal(await workspace.call('/api/v1/events', { token }), 403);
  const headers = { 'Idempotency-Key': 'again' };
  const send = () =>
    workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: anOrder(), headers });
  const [first] = [await send(), await send()];
  await workspace.finished(first.body.requestId);
  assert.equal((await ofType(workspace, 'order.completed')).length, 1);
});
