import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { reissueGift } from '../../src/giving/gifts/repairs.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import type { PayrollExport } from '../../src/ground/contract/payroll.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { readHistories, startHistory } from '../../src/ground/database/history.ts';
import { readWrongs } from '../support/books.ts';
import { cleanUp } from '../support/cleanup.ts';
import { administer, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, keys, tokenKey } from '../support/gift-page.ts';
import { anOrder } from '../support/orders.ts';
import { patient } from '../support/postgres.ts';
import { claim, readGift, spend } from '../support/redemptions.ts';
import { startService, type TestService } from '../support/service.ts';
import { addUser, useLink } from '../support/sign-in.ts';
import { aShoutout } from '../support/workspace.ts';

/** A copy of a database that no process uses, as a restore of its dump makes one. */
async function copyOf({ name }: TestDatabase): Promise<TestDatabase> {
  await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return eventually(() => createTestDatabase({ template: name }).catch(() => null));
}

/** Everything that a caller of a workspace gets to know: ids, numbers, secrets. */
async function work(service: TestService, database: TestDatabase, workspace: number, token: string) {
  const call = async <Body>(path: string, method = 'GET', body?: unknown) => {
    const answer = await service.call<Body>(path, { method, workspace, token, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { requestId } = await call<{ requestId: string }>('/api/v1/orders', 'POST', anOrder());
  const order = await eventually(
    () => call<OrderRecord>(`/api/v1/orders/${requestId}`),
    ({ state }) => state === 'COMPLETED',
  );
  const [gift] = order.certificates as [OrderRecord['certificates'][number]];
  await claim(database, workspace, gift.id);
  await spend(database, workspace, gift.id, 'payroll');
  const payroll = await call<PayrollExport>('/api/v1/payroll-exports', 'POST');
  const shoutout = await call<{ id: number }>('/api/v1/shoutouts', 'POST', aShoutout());
  const webhook = await call<{ id: number; secret: string }>('/api/v1/webhooks', 'POST', {
    url: 'https://example.com/hook',
  });
  const rotated = await call<{ secret: string }>(`/api/v1/webhooks/${webhook.id}/rotate`, 'POST');
  const made = await call<{ id: number; token: string }>('/api/v1/tokens', 'POST', {
    name: 'Other',
    scopes: ['orders:read'],
  });
  const events = await call<EventPage>('/api/v1/events?size=1000');
  const audit = await call<{ entries: { id: number }[] }>('/api/v1/audit');
  return { order, gift, payroll, shoutout, webhook, rotated, made, events, audit };
}

type Work = Awaited<ReturnType<typeof work>>;

/** The ids and numbers by kind, and what must never come again. */
function known({ order, gift, payroll, shoutout, webhook, rotated, made, events, audit }: Work) {
  return {
    orders: [order.id],
    requests: [order.requestId],
    gifts: [gift.id],
    links: [gift.longToken],
    codes: [gift.shortToken],
    payroll: [payroll.number],
    shoutouts: [shoutout.id],
    webhooks: [webhook.id],
    secrets: [webhook.secret, rotated.secret],
    tokens: [made.id, made.token],
    events: events.events.map(({ id }) => id),
    audit: audit.entries.map(({ id }) => id),
  };
}

test('after a restore nothing that was issued in the lost time refers to anything, and old links still open', async () => {
  const database = await createTestDatabase();
  const first = await startService({ tokenKey, database });
  const { workspaceId, token } = first;
  const kept = await createGifts(first).order();
  const corrected = await createGifts(first).order();
  const workspace = { workspace: workspaceId, token };
  const { latest: latestBefore, history } = (await first.call<EventPage>('/api/v1/events')).body;
  await first.stop();
  const accepting = await startService({ tokenKey, database, role: 'api' });
  const waiting = await accepting.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    body: anOrder(),
    ...workspace,
  });
  await accepting.stop();
  const restored = await copyOf(database);

  const lostService = await startService({ tokenKey, database });
  const lost = await work(lostService, database, workspaceId, token);
  const correct = async (on: TestDatabase) => {
    const gift = await readGift(on, workspaceId, corrected.id);
    return inWorkspace(on, workspaceId, (tx) => reissueGift(tx, keys, gift, atTheCommandLine));
  };
  const certificateOf = async (service: TestService, requestId: string) =>
    eventually(
      async () => (await service.call<OrderRecord>(`/api/v1/orders/${requestId}`, workspace)).body.certificates[0],
    );
  await correct(database);
  const requestOf = async (on: TestDatabase, id: number) =>
    (await on.query<{ id: string }>('select request_id as id from certificates where id = $1', [id]))[0]?.id as string;
  const lostCorrection = await certificateOf(lostService, await requestOf(database, corrected.id));
  const lostWaiting = await certificateOf(lostService, waiting.body.requestId);
  const signIn = await addUser(lostService, { workspace: workspaceId });
  const lostNext = (await lostService.call<EventPage>('/api/v1/events?size=1000', workspace)).body.next;
  await lostService.stop();

  const service = await startService({ tokenKey, database: restored });
  const gifts = createGifts(service);
  const statusOf = async (fields: Record<string, string>) => (await gifts.post('/g', fields)).status;
  const lostTokens = [lost.gift, lostCorrection, lostWaiting] as OrderRecord['certificates'];
  const findsNothing = async () => {
    for (const { longToken, shortToken } of lostTokens) {
      assert.equal(await statusOf({ token: longToken }), 404);
      assert.equal(await statusOf({ code: shortToken }), 404);
      for (const one of [longToken, shortToken]) {
        const check = { method: 'POST', body: { token: one }, ...workspace };
        assert.equal((await service.call('/api/v1/gifts/check', check)).status, 404);
      }
    }
    const paths = [
      `orders/${lost.order.requestId}`,
      `gifts/${lost.gift.id}`,
      `shoutouts/${lost.shoutout.id}`,
      `webhooks/${lost.webhook.id}`,
      `payroll-exports/${lost.payroll.number}`,
      ...lost.events.events.filter(({ number }) => number > latestBefore).map(({ id }) => `events/${id}`),
    ];
    for (const path of paths) assert.equal((await service.call(`/api/v1/${path}`, workspace)).status, 404, path);
    assert.equal((await service.call('/api/v1/me', { ...workspace, token: lost.made.token })).status, 401);
    assert.equal((await useLink(service.url, signIn.link)).status, 401);
    const cursor = await service.call<{ message: string }>(`/api/v1/events?after=${lostNext}`, workspace);
    assert.equal(cursor.status, 410);
    assert.match(cursor.body.message, new RegExp(`events from ${latestBefore + 1} to this number are lost`));
    assert.match(cursor.body.message, new RegExp(`after=${latestBefore}\\.$`));
  };
  await findsNothing();
  assert.equal(await statusOf({ token: kept.longToken }), 200, 'a link from before the restore still opens its gift');

  const after = await work(service, restored, workspaceId, token);
  const other = await service.addWorkspace();
  const elsewhere = await work(service, restored, other, (await service.addToken({ workspaces: [other] })).token);
  await correct(restored);
  const correction = await certificateOf(service, await requestOf(restored, corrected.id));
  const again = await certificateOf(service, waiting.body.requestId);
  assert.notEqual(correction?.longToken, lostCorrection?.longToken);
  assert.notEqual(again?.longToken, lostWaiting?.longToken);
  assert.equal(await statusOf({ token: again?.longToken ?? '' }), 200);
  await findsNothing();
  for (const done of [after, elsewhere])
    for (const [kind, ids] of Object.entries(known(done)))
      for (const [lostKind, lostIds] of Object.entries(known(lost)))
        if (kind === lostKind)
          for (const id of ids as unknown[])
            assert.ok(
              !(lostIds as unknown[]).includes(id) || isFromBefore(kind, id, latestBefore, workspaceId),
              `${kind}: ${id} was issued in the lost time`,
            );

  const page = (await service.call<EventPage>(`/api/v1/events?after=${latestBefore}&size=1000`, workspace)).body;
  assert.ok(page.events.length > 0 && page.events.every(({ number }) => number > lostNext));
  assert.notEqual(page.history, history);
  assert.equal(after.payroll.history, page.history);
  await eventually(async () => service.logLines().find(({ history: id }) => id === page.history));
  const audited = await eventually(
    async () => (await service.call<{ entries: { action: string }[] }>('/api/v1/audit', workspace)).body.entries,
    (entries) => entries.some(({ action }) => action === 'history.started'),
  );
  assert.equal(audited.filter(({ action }) => action === 'history.started').length, 1);
  assert.deepEqual(await readWrongs(restored), []);
  const verified = await service.call<{ faults: unknown[] }>('/api/v1/ledger/verify', workspace);
  assert.deepEqual(verified.body.faults, []);
});

/** Ids that both have because they are older than the restored state. */
function isFromBefore(kind: string, id: unknown, latestBefore: number, workspaceId: number): boolean {
  if (kind !== 'events' && kind !== 'audit') return false;
  if (kind === 'audit') return Number(id) < 1_000_000;
  const [, workspace, number] = String(id).split('_').map(Number);
  return workspace === workspaceId && (number as number) <= latestBefore;
}

test('each part of the identity that changes starts a new history, once', async () => {
  const database = await createTestDatabase();
  await database.query('select 1');
  let opened = 0;
  const reopen = async () => {
    // Another URL of the same database, as a new process would open it.
    const separator = database.url.includes('?') ? '&' : '?';
    const url = `${database.url}${separator}fallback_application_name=reopened_${++opened}`;
    const reopened = openDatabase({ url, maxConnections: 1, ...patient, name: 'test' });
    cleanUp(() => reopened.close());
    return readHistories(reopened);
  };
  assert.equal((await reopen()).length, 1);
  const parts = { system_identifier: '1', timeline: '0000002A', database_oid: '1', table_oid: '1' };
  for (const [nth, [part, value]] of Object.entries(parts).entries()) {
    await database.query(`update histories set ${part} = '${value}' where base = (select max(base) from histories)`);
    assert.equal((await reopen()).length, nth + 2, part);
    assert.equal((await reopen()).length, nth + 2, 'the same identity starts no other history');
  }
  const bases = (await readHistories(database)).map(({ base }) => base);
  assert.deepEqual(
    bases,
    [...new Set(bases)].sort((a, b) => b - a),
    'each history is ahead of the one before',
  );
});

test('an operator can start a new history, and every sequence continues above its base', async () => {
  const database = await createTestDatabase();
  const { base } = await startHistory(database, 'on request');
  const sequences = await database.query<{ name: string; next: number }>(
    `select sequencename as name, nextval(format('%I.%I', schemaname, sequencename)::regclass) as next
       from pg_sequences where schemaname = 'public' and data_type = 'bigint'::regtype`,
  );
  assert.ok(sequences.some(({ name }) => name === 'certificate_ids'));
  for (const { name, next } of sequences) assert.ok(next > base, name);
});
