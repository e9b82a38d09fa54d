import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { Webhook, WebhookAttempt, WebhookList, WebhookWithSecret } from '../../src/ground/contract/webhook.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const unused = 'http://127.0.0.1:9/hook';

const post = <Body = Webhook>({ call }: TestWorkspace, path: string, body?: unknown) =>
  call<Body>(`/api/v1/webhooks${path}`, { method: 'POST', ...(body !== undefined && { body }) });

async function add(workspace: TestWorkspace, webhook: object): Promise<WebhookWithSecret> {
  const { status, body } = await post<WebhookWithSecret>(workspace, '', webhook);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const find = (workspace: TestWorkspace, id: number) => workspace.read<Webhook>(`/api/v1/webhooks/${id}`);
const attemptsOf = async (workspace: TestWorkspace, id: number) =>
  (await workspace.read<{ attempts: WebhookAttempt[] }>(`/api/v1/webhooks/${id}/attempts`)).attempts;

const arrived = (receiver: Receiver, count: number) =>
  eventually(
    async () => receiver.received.length,
    (length) => length >= count,
  );

function verify(secret: string, { body, headers }: Received): void {
  new Verifier(secret).verify(body, headers as Record<string, string>);
}

const order = async (workspace: TestWorkspace) => workspace.finished(await workspace.submit([aGift()]));

test('a webhook that was added over HTTP gets the events from then on, signed with its secret', async () => {
  const workspace = await openWorkspace(service);
  await order(workspace);
  const receiver = await startReceiver();
  const { id, secret, ...added } = await add(workspace, {
    url: ` ${receiver.url} `,
    types: ['order.completed'],
    description: '  ',
  });
  assert.partialDeepStrictEqual(added, {
    url: receiver.url,
    types: ['order.completed'],
    ordering: 'none',
    description: null,
    enabled: true,
    disabledReason: null,
    waitingRetries: 0,
    failingSince: null,
  });
  const { requestId } = await order(workspace);
  await arrived(receiver, 1);
  const [received] = receiver.received as [Received];
  verify(secret, received);
  const { events } = await workspace.read<EventPage>('/api/v1/events?types=order.completed');
  assert.deepEqual(received.event, events[1], 'what is pushed is what is pulled');
  assert.equal((received.event.data as { requestId: string }).requestId, requestId);
  const [attempt] = await eventually(
    () => attemptsOf(workspace, id),
    ({ length }) => length > 0,
  );
  assert.partialDeepStrictEqual(attempt, { eventId: received.event.id, succeeded: true, status: 204, error: null });
});

test('the secret is shown when a webhook is made and rotated, and never again', async () => {
  const workspace = await openWorkspace(service);
  const { id, secret } = await add(workspace, { url: unused });
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const rotated = (await post<WebhookWithSecret>(workspace, `/${id}/rotate`)).body.secret;
  assert.match(rotated, /^whsec_/);
  assert.notEqual(rotated, secret);
  const silent = [
    await workspace.read(`/api/v1/webhooks`),
    await find(workspace, id),
    (await post(workspace, `/${id}/disable`)).body,
    (await post(workspace, `/${id}/enable`)).body,
    (await workspace.call(`/api/v1/webhooks/${id}`, { method: 'PATCH', body: { ordering: 'strict' } })).body,
  ];
  assert.doesNotMatch(JSON.stringify(silent), /whsec_|secret|keyVersion|rotatedAt/i);
  const stored = JSON.stringify(await service.database.query('select * from webhooks'));
  for (const shown of [secret, rotated]) assert.ok(!stored.includes(shown.slice(6)), 'the database holds no secret');
});

test('fields are changed one by one, and an unknown webhook is not found', async () => {
  const [workspace, other] = [await openWorkspace(service), await openWorkspace(service)];
  const { id } = await add(workspace, { url: unused, types: ['order.failed'], description: 'Payroll' });
  const change = (body: object, by = workspace) =>
    by.call<Webhook>(`/api/v1/webhooks/${id}`, { method: 'PATCH', body });
  assert.deepEqual((await change({ types: [] })).body.types, []);
  assert.equal((await change({ ordering: 'strict' })).body.ordering, 'strict');
  assert.equal((await change({ description: null })).body.description, null);
  assert.partialDeepStrictEqual(await find(workspace, id), { url: unused, types: [], ordering: 'strict' });
  for (const body of [{ types: ['order.complete'] }, { ordering: 'some' }, { url: '' }, { types: 'order.failed' }])
    refusal(await change(body), 400);
  refusal(await change({ types: [] }, other), 404);
  for (const path of ['', '/attempts']) refusal(await other.call(`/api/v1/webhooks/${id}${path}`), 404);
  for (const action of ['rotate', 'enable', 'disable', 'test']) refusal(await post(other, `/${id}/${action}`), 404);
  refusal(await post(other, `/${id}/replay`, { from: 1 }), 404);
  refusal(await other.call(`/api/v1/webhooks/${id}`, { method: 'DELETE' }), 404);
  assert.equal((await workspace.call(`/api/v1/webhooks/${id}`, { method: 'DELETE' })).status, 204);
  refusal(await workspace.call(`/api/v1/webhooks/${id}`), 404);
});

test('a workspace has at most 20 webhooks, also when they are added at once', async () => {
  const workspace = await openWorkspace(service);
  const added = await Promise.all(Array.from({ length: 22 }, () => post(workspace, '', { url: unused })));
  const refused = added.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 2);
  for (const answer of refused) assert.match(refusal(answer, 409), /at most 20 webhooks: delete one first/);
  assert.equal((await workspace.read<WebhookList>('/api/v1/webhooks')).webhooks.length, 20);
  refusal(await post(workspace, '', { url: 'http://10.1.2.3/' }), 409);
});

test('addresses that nothing may be posted to are refused with the reason', async () => {
  const workspace = await openWorkspace(service);
  for (const [url, says] of [
    ['http://169.254.169.254/latest/meta-data', /url cannot be used/],
    ['http://[fe80::1]/', /url cannot be used/],
    ['http://10.1.2.3/', /GIFTWIRE_WEBHOOK_NETWORKS/],
    ['http://[::ffff:192.168.0.1]/', /url cannot be used/],
    ['ftp://example.com/', /url must be an http or https URL/],
    ['hooks.example.com', /url must be an http or https URL/],
    ['https://user:password@example.com/', /url must not have a user name or password/],
  ] as const) {
    assert.match(refusal(await post(workspace, '', { url }), 400), says, url);
  }
  const { id } = await add(workspace, { url: unused });
  refusal(
    await workspace.call(`/api/v1/webhooks/${id}`, { method: 'PATCH', body: { url: 'http://192.168.1.1/' } }),
    400,
  );
  assert.equal((await find(workspace, id)).url, unused);
});

test('a sample of any type can be posted, and its outcome is the answer', async () => {
  const workspace = await openWorkspace(service);
  const receiver = await startReceiver();
  const { id, secret } = await add(workspace, { url: receiver.url });
  const taken = await post<WebhookAttempt>(workspace, `/${id}/test`, { type: 'members.imported' });
  assert.partialDeepStrictEqual(taken.body, { succeeded: true, status: 204, error: null });
  const [sample] = receiver.received as [Received];
  verify(secret, sample);
  assert.equal(sample.event.type, 'members.imported');
  await post(workspace, `/${id}/rotate`);
  await post(workspace, `/${id}/test`);
  verify(secret, receiver.received[1] as Received);
  assert.equal(receiver.received[1]?.event.type, 'order.completed');
  await receiver.close();
  const { body: failed } = await post<WebhookAttempt>(workspace, `/${id}/test`);
  assert.deepEqual([failed.succeeded, failed.status], [false, null]);
  assert.ok(failed.error);
  refusal(await post(workspace, `/${id}/test`, { type: 'order.complete' }), 400);
  assert.equal((await workspace.read<EventPage>('/api/v1/events')).latest, 0, 'a sample is no event');
});

test('one event or everything from a number is posted once more', async () => {
  const workspace = await openWorkspace(service);
  const receiver = await startReceiver();
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'] });
  for (let nth = 0; nth < 3; nth++) await order(workspace);
  await arrived(receiver, 3);
  const numbers = receiver.numbers().toSorted((a, b) => a - b) as [number, number, number];
  const replayed = await post(workspace, `/${id}/replay`, { eventId: `evt_${workspace.id}_${numbers[0]}` });
  assert.equal(replayed.status, 202, JSON.stringify(replayed.body));
  await arrived(receiver, 4);
  assert.equal(receiver.numbers()[3], numbers[0]);
  assert.equal((await post(workspace, `/${id}/replay`, { from: numbers[1] })).status, 202);
  await arrived(receiver, 6);
  assert.deepEqual(
    receiver
      .numbers()
      .slice(4)
      .toSorted((a, b) => a - b),
    numbers.slice(1),
  );
  assert.match(refusal(await post(workspace, `/${id}/replay`, {}), 400), /either eventId.*or from/);
  refusal(await post(workspace, `/${id}/replay`, { from: 1, eventId: `evt_${workspace.id}_1` }), 400);
  assert.match(refusal(await post(workspace, `/${id}/replay`, { from: 999 }), 400), /beyond the latest event/);
  refusal(await post(workspace, `/${id}/replay`, { eventId: `evt_${workspace.id}_999` }), 404);
});

test('a delivery under way does not undo a replay', async () => {
  const workspace = await openWorkspace(service);
  const held: ServerResponse[] = [];
  let holds = false;
  const receiver = await startReceiver((_received, response) => {
    if (holds) held.push(response);
    else response.writeHead(204).end();
  });
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'], ordering: 'strict' });
  for (let nth = 0; nth < 3; nth++) await order(workspace);
  await arrived(receiver, 3);
  const [first, ...others] = receiver.numbers() as [number, ...number[]];
  holds = true;
  await order(workspace);
  await arrived(receiver, 4);
  assert.equal((await post(workspace, `/${id}/replay`, { from: first })).status, 202);
  await arrived(receiver, 5);
  // After three seconds a delivery posts no further events: those behind the first are left to the next one.
  await sleep(3_100);
  holds = false;
  for (const response of held) response.writeHead(204).end();
  await eventually(
    async () => receiver.numbers().slice(5),
    (numbers) => others.every((number) => numbers.includes(number)),
  );
});

test('a replay from a number that was not reached yet leaves nothing out', async () => {
  const workspace = await openWorkspace(service);
  const receiver = await startReceiver();
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'] });
  await post(workspace, `/${id}/disable`);
  for (let nth = 0; nth < 3; nth++) await order(workspace);
  const { latest } = await workspace.read<EventPage>('/api/v1/events');
  assert.equal((await post(workspace, `/${id}/replay`, { from: latest })).status, 202);
  await post(workspace, `/${id}/enable`);
  await arrived(receiver, 3);
});

test('an answer with a NUL, and one that is cut inside a character, is kept, and its event comes once', async () => {
  const workspace = await openWorkspace(service);
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(200).end(`\0${'a'.repeat(999)}😀`);
  });
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'] });
  await order(workspace);
  await eventually(
    () => find(workspace, id),
    ({ deliveredThrough }) => deliveredThrough > 1,
  );
  assert.match((await attemptsOf(workspace, id))[0]?.answer ?? '', /^a{999}�$/);
  assert.equal(receiver.received.length, 1);
});

test('a delivery that cannot be written down is repeated after a pause', async () => {
  const workspace = await openWorkspace(service);
  const { database } = service;
  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on webhooks
      for each row when (new.workspace_id = ${workspace.id} and new.cursor > old.cursor) execute function refuse()`);
  const receiver = await startReceiver();
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'] });
  await order(workspace);
  await eventually(
    () =>
      database.query<{ waits: boolean }>(
        'select lease_owner is null and lease_until > clock_timestamp() as waits from webhooks where id = $1',
        [id],
      ),
    ([webhook]) => {
      assert.ok(receiver.received.length < 4, 'the endpoint gets it over and over');
      return webhook?.waits === true;
    },
  );
  await database.pool.query('drop trigger refuse on webhooks');
  await eventually(
    () => find(workspace, id),
    ({ deliveredThrough }) => deliveredThrough > 1,
  );
});

test('a webhook that is disabled gets nothing until it is enabled, then what it has missed', async () => {
  const workspace = await openWorkspace(service);
  const receiver = await startReceiver();
  const { id } = await add(workspace, { url: receiver.url, types: ['order.completed'] });
  assert.partialDeepStrictEqual((await post(workspace, `/${id}/disable`)).body, {
    enabled: false,
    disabledReason: 'BY_HAND',
  });
  await post(workspace, `/${id}/disable`);
  const { events } = await workspace.read<EventPage>('/api/v1/events?types=webhook.disabled');
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ id, reason: 'BY_HAND' }],
  );
  await order(workspace);
  assert.equal(receiver.received.length, 0);
  assert.equal((await post(workspace, `/${id}/enable`)).body.enabled, true);
  await arrived(receiver, 1);
});

test('webhooks need their own scope', async () => {
  const workspace = await openWorkspace(service);
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['events:read'] });
  refusal(await workspace.call('/api/v1/webhooks', { token }), 403);
  const { token: manager } = await service.addToken({ workspaces: [workspace.id], scopes: ['webhooks:manage'] });
  refusal(await workspace.call('/api/v1/events', { token: manager }), 403);
  assert.equal((await workspace.call('/api/v1/webhooks', { token: manager })).status, 200);
});
