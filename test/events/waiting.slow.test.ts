import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendEvents } from '../../src/company/events/log.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { NewEvent } from '../../src/ground/contract/event.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import { readNow } from '../../src/ground/database/clock.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

async function append({ id }: TestWorkspace, type: 'member.added' | 'member.left' = 'member.added') {
  const event: NewEvent = { type, data: { id: 1 } };
  await inWorkspace(database, id, (tx, moment) => appendEvents(tx, id, moment, [event]));
}

const ask = (workspace: TestWorkspace, query: string) => workspace.read<EventPage>(`/api/v1/events?${query}`);

/** The service has looked for events since this was called. */
async function looked({ database: on } = service): Promise<void> {
  const now = await readNow(on);
  await eventually(async () => {
    const looks = await on.query(
      `select from pg_stat_activity
        where datname = current_database() and query like '%from event_counters%' and pid <> pg_backend_pid() and query_start > $1`,
      [now],
    );
    return looks.length > 0;
  });
}

/** Requests that wait for events until the signal fires. */
function startWaiting({ id, token }: TestWorkspace, count: number, signal: AbortSignal): Promise<number>[] {
  const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-id': String(id) };
  return Array.from({ length: count }, () =>
    fetch(`${service.url}/api/v1/events?wait=30`, { headers, signal }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
}

// Begins before the other tests, so that they run while it waits.
const patient = await openWorkspace(service);
await append(patient);
const longestWait = ask(patient, 'after=1&wait=30');
longestWait.catch(() => {});

test('a request that waits is answered when an event comes', async () => {
  const workspace = await openWorkspace(service);
  const waiting = ask(workspace, 'wait=30');
  await looked();
  await append(workspace);
  const { events, next } = await waiting;
  assert.deepEqual([events.map(({ number }) => number), next], [[1], 1]);
});

test('it goes on waiting past events of other types', async () => {
  const workspace = await openWorkspace(service);
  const waiting = ask(workspace, 'wait=30&types=member.left');
  await looked();
  await append(workspace);
  await looked();
  await append(workspace, 'member.left');
  const { events } = await waiting;
  assert.deepEqual(
    events.map(({ number, type }) => [number, type]),
    [[2, 'member.left']],
  );
});

test('without an event it is answered when its time is over, and what is there already is answered at once', async () => {
  const workspace = await openWorkspace(service);
  assert.deepEqual((await ask(workspace, 'wait=1')).events, []);
  await append(workspace);
  assert.equal((await ask(workspace, 'wait=30')).events.length, 1);
});

test('twenty wait without a database connection, the next is a 429, and those who go away leave nothing', async () => {
  const workspace = await openWorkspace(service);
  for (const _round of ['first', 'after all went away']) {
    const leaving = new AbortController();
    const waiting = startWaiting(workspace, 25, leaving.signal);
    const refused = await eventually(
      () => workspace.call('/api/v1/events?wait=1'),
      ({ status }) => status === 429,
    );
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.match((refused.body as { message: string }).message, /ask without wait/);
    assert.equal((await workspace.call('/api/v1/events')).status, 200);
    for (let sample = 0; sample < 5; sample++, await sleep(50)) {
      const [busy] = await database.query<{ count: number }>(
        `select count(*) as count
           from pg_stat_activity
          where datname = current_database()
            and state <> 'idle'
            and pid <> pg_backend_pid()`,
      );
      assert.ok((busy?.count ?? 99) <= 3, `${busy?.count} connections are in use`);
    }
    leaving.abort();
    const outcomes = await Promise.all(waiting);
    assert.equal(outcomes.filter((status) => status === 429).length, 5);
    assert.equal(outcomes.filter((status) => status === 0).length, 20, 'they waited until they went away');
    await eventually(
      () => workspace.call('/api/v1/events?wait=1'),
      ({ status }) => status === 200,
    );
  }
});

test("one workspace's readers take nothing from another's", async () => {
  const [busy, other] = [await openWorkspace(service), await openWorkspace(service)];
  const leaving = new AbortController();
  const waiting = startWaiting(busy, 25, leaving.signal);
  await eventually(
    () => busy.call('/api/v1/events?wait=1'),
    ({ status }) => status === 429,
  );
  assert.equal((await ask(other, 'wait=1')).events.length, 0);
  leaving.abort();
  await Promise.all(waiting);
});

test('requests that wait count against the rate limit of their token', async () => {
  const { id, call } = await openWorkspace(service);
  const { token } = await service.addToken({ workspaces: [id], rateLimitPerMinute: 2 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => call('/api/v1/events?wait=1', { token })));
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 2);
  for (const answer of limited) assert.match((answer.body as { type: string }).type, /security_error|invalid_field/);
});

test('a stop answers those who wait, and is not held up by them', async () => {
  const other = await startService();
  const leaving = new AbortController();
  const [beside] = startWaiting(await openWorkspace(service), 1, leaving.signal);
  const waiting = other.call<EventPage>('/api/v1/events?wait=30');
  await looked(other);
  await other.stop();
  const { status, body } = await waiting;
  assert.deepEqual([status, body.events], [200, []]);
  assert.equal(await Promise.race([beside, 'still waits']), 'still waits', 'one that began before');
  leaving.abort();
  await beside;
});

test('an after beyond the latest is refused and not waited for', async () => {
  const workspace = await openWorkspace(service);
  refusal(await workspace.call('/api/v1/events?after=7&wait=30'), 400);
});

test('the longest wait is answered, on a connection that had other requests before', async () => {
  assert.deepEqual((await longestWait).events, []);
});
