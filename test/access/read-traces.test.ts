import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grant } from '../../src/company/access/grants.ts';
import { fileRead, type Read, ReadTraces, readsOfPeople } from '../../src/company/access/read-traces.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const tokenKey = 'a-key-that-both-nodes-of-this-file-share';
const service = await startService({ mailServer: 'outbox', tokenKey });
const { database } = service;

interface Entry {
  actor: string;
  actorName: string | null;
  action: string;
  subjectId: string | null;
  detail: Record<string, unknown>;
}

/** What the audit log has about the reads of a caller, in the sequence of time. */
const entriesOf = (callerId: number) =>
  database.query<Entry>(
    `select actor, actor_name as "actorName", action, subject_id as "subjectId", detail
       from audit_log
      where workspace_id = $1
        and actor_id = $2
        and action in ('order.codes_read', 'gift.printed', 'mail.read', 'file.downloaded', 'people.listed')
      order by id`,
    [service.workspaceId, callerId],
  );

/** A program with a token of its own that calls a node of the service. */
async function addReader(at: TestService = service) {
  const { id, token } = await service.addToken({ name: 'Archive' });
  const call = (path: string, headers = {}, method = 'GET') =>
    at.call(`/api/v1/${path}`, { token, workspace: service.workspaceId, headers, method });
  return { id, call, entries: () => entriesOf(id) };
}

const ordered = (gifts: number) =>
  service.fulfilled(anOrder({ orderItems: Array.from({ length: gifts }, () => aGift()) }));

test('gift codes of an order leave after the audit log says who reads them', async () => {
  const { requestId } = await ordered(3);
  const reader = await addReader();
  assert.equal((await reader.call(`orders/${requestId}?size=2`)).status, 200);
  const entry = { actor: 'TOKEN', actorName: 'Archive', action: 'order.codes_read', subjectId: requestId };
  assert.deepEqual(await reader.entries(), [{ ...entry, detail: { reads: 1, gifts: 2 } }]);

  const { user, call } = await signIn(service, { name: 'Samir Marín' });
  await call(`/api/v1/orders/${requestId}`);
  assert.deepEqual(await entriesOf(user.id), [
    { ...entry, actor: 'USER', actorName: 'Samir Marín', detail: { reads: 1, gifts: 3 } },
  ]);
});

test('what holds no code of a gift leaves no entry', async () => {
  const { requestId } = await ordered(1);
  const reader = await addReader();
  for (const path of [`orders/${requestId}?page=1`, `orders/status/${requestId}`, `orders/${requestId}/details`])
    assert.equal((await reader.call(path)).status, 200);
  await reader.call('orders/019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f');
  await reader.call('gifts', { Accept: 'text/csv' }, 'HEAD');
  await reader.call('gifts?size=1');
  assert.deepEqual(await reader.entries(), []);
});

test('a caller who polls leaves one entry at once, and one with the number of reads when the service stops', async () => {
  const node = await startService({ role: 'api', database, tokenKey });
  const [first, second] = [await ordered(2), await ordered(1)];
  const reader = await addReader(node);
  await Promise.all(Array.from({ length: 20 }, () => reader.call(`orders/${first.requestId}`)));
  await reader.call(`orders/${second.requestId}`);
  assert.equal((await reader.entries()).length, 1);
  await node.stop();
  const [, counted, ...others] = await reader.entries();
  const { since, until, ...detail } = counted?.detail ?? {};
  assert.deepEqual([counted?.subjectId, detail, others], [null, { reads: 20, gifts: 39 }, []]);
  assert.ok(String(since) <= String(until));
});

test('without an entry in the audit log there are no codes', async () => {
  const { requestId } = await ordered(1);
  const reader = await addReader();
  await reader.call('me');
  await database.transaction(async (tx) => {
    await tx.query('lock table audit_log in access exclusive mode');
    const { status, body } = await reader.call(`orders/${requestId}`);
    assert.deepEqual([status, 'certificates' in body], [503, false]);
  });
  assert.equal((await reader.call(`orders/${requestId}`)).status, 200);
  assert.equal((await reader.entries()).length, 1);
});

test('the audit log says who prints gifts and who reads emails with their links', async () => {
  const { requestId, certificates } = await ordered(2);
  const reader = await addReader();
  const ids = certificates.map(({ id }) => id);
  await reader.call(`gifts/print?requestId=${requestId}`, { Accept: 'text/html' });
  await eventually(async () => (await reader.call(`outbox/${ids[0]}`)).status === 200);
  assert.deepEqual(
    (await reader.entries()).map(({ action, subjectId, detail }) => [action, subjectId, detail]),
    [
      ['gift.printed', requestId, { reads: 1, gifts: 2 }],
      ['mail.read', String(ids[0]), { reads: 1, gifts: 1 }],
    ],
  );
});

interface Traced {
  traces: ReadTraces;
  read: (read: Read) => Promise<void>;
  entries: () => Promise<Entry[]>;
  problems: unknown[];
}

let callers = 1_000_000;

/** Traces that are written every few milliseconds, of a caller of their own. */
function openTraces(on: Pick<Database, 'transaction'> = database): Traced {
  const problems: unknown[] = [];
  const traces = new ReadTraces(on as Database, { everyMs: 20, onProblem: (error) => problems.push(error) });
  cleanUp(() => traces.close());
  const callerId = ++callers;
  const grant = {
    callerId,
    token: { id: callerId, name: 'Polling' },
    session: null,
    workspaces: [],
  } as unknown as Grant;
  const read = async (one: Read) => void (await traces.note(grant, service.workspaceId, one));
  return { traces, read, entries: () => entriesOf(callerId), problems };
}

const codes: Read = { action: 'order.codes_read', subject: { id: 'an order', name: null }, gifts: 1 };
const sumOfReads = (entries: readonly Entry[]) => entries.reduce((sum, { detail }) => sum + Number(detail.reads), 0);

test('counted reads are written while a caller goes on reading, each once', async () => {
  const { traces, read, entries } = openTraces();
  let reads = 0;
  await eventually(async () => {
    await read(codes);
    reads++;
    return (await entries()).length >= 4;
  });
  await traces.close();
  const found = await entries();
  assert.equal(sumOfReads(found), reads);
  assert.deepEqual(
    found.map(({ action, subjectId }) => `${action} ${subjectId}`),
    found.map(() => 'order.codes_read an order'),
  );
});

test('each file has entries of its own', async () => {
  const { read, entries } = openTraces();
  for (const name of ['gifts', 'payroll-1', 'gifts']) await read(fileRead(name));
  assert.deepEqual((await entries()).map(({ subjectId }) => subjectId).slice(0, 2), ['gifts', 'payroll-1']);
});

test('lists of people have an entry an hour, and sooner after many people', async () => {
  const { traces, read, entries } = openTraces();
  const list = (people: number) => readsOfPeople(people < 600 ? 'gifts' : 'people', people) as Read;
  for (const people of [5, 600]) await read(list(people));
  await eventually(async () => (await entries()).length === 2);
  for (const people of [5, 600, 5, 600]) await read(list(people));
  await eventually(async () => (await entries()).length === 3);
  await traces.close();
  const found = (await entries()).map(({ subjectId, detail }) => [subjectId, detail.reads, detail.people]);
  assert.deepEqual(found, [
    ['gifts', 1, 5],
    ['people', 1, 600],
    ['people', 2, 1_200],
    ['gifts', 2, 10],
  ]);
});

test('reads that could not be written are counted in a later entry', async () => {
  let isAway = false;
  const away: Pick<Database, 'transaction'> = {
    transaction: (work) => {
      if (isAway) throw new Error('The database is away.');
      return database.transaction(work);
    },
  };
  const { traces, read, entries, problems } = openTraces(away);
  await read(codes);
  isAway = true;
  await read(codes);
  await eventually(async () => problems.length > 0);
  await read(codes);
  isAway = false;
  await traces.close();
  assert.equal(sumOfReads(await entries()), 3);
});
