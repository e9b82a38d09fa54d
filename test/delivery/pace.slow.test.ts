import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { claimQueues } from '../../src/giving/delivery/send/claim.ts';
import {
  beginProbe,
  endProbe,
  noteFailure,
  paceOf,
  returnPermits,
  takePermits,
} from '../../src/giving/delivery/send/pace.ts';
import { readNow } from '../../src/ground/database/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/held-locks.ts';
import { mailSettings, mailStates, orderGifts } from '../support/mail-queue.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const addresses = (count: number, name: string) =>
  Array.from({ length: count }, (_, nth) => `${name}${nth}@acme.example`);

test('while the mail server is away it gets few connections, and then every mail', async () => {
  const first = await startMailServer();
  const service = await startService(mailSettings(first.url));
  const [early] = await orderGifts(service, ['early@acme.example']);
  await mailStates(service, early?.id as number, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await first.close();
  const away = await startMailServer({ port: first.port, onSender: () => 'cut' });
  const gifts = await orderGifts(service, addresses(60, 'away'));
  const failures = async () =>
    (await service.database.query<{ failures: number }>('select failures from mail_pace'))[0];
  await eventually(failures, (pace) => (pace?.failures ?? 0) >= 3);
  const { failures: counted } = (await failures()) as { failures: number };
  // The first failure may cost all connections of a pool, and each one after it costs one.
  assert.ok(away.connections() <= 5 + counted, `${away.connections()} connections for ${counted} failures`);
  assert.ok(service.logLines().some(({ msg }) => String(msg).startsWith('The mail server could not be used.')));
  const doctor = await giftwire(['doctor'], { DATABASE_URL: service.database.url });
  assert.match(doctor.stdout, /✗ emails +\d+ emails wait, .*: the mail server could not be used \d+ times in a row\n/);
  assert.equal(doctor.code, 27, doctor.stdout);
  await away.close();
  const back = await startMailServer({ port: first.port });
  for (const { id } of gifts) await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(new Set(back.mails.map(({ to }) => to)).size, 60);
  const [pace] = await service.database.query('select failures from mail_pace');
  assert.deepEqual(pace, { failures: 0 });
  await service.stop();
});

test('after a failure of the mail server one email of all workspaces tries it, and the others follow once it was taken', async () => {
  const [arrived, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  const mailServer = await startMailServer({
    onMail: () => {
      arrived.resolve();
      return taken.promise;
    },
  });
  const service = await startService(mailSettings(mailServer.url));
  const { database } = service;
  await database.query('update mail_pace set failures = 1, resume_at = now()');
  // Until both workspaces have a sender that wants to try.
  await database.transaction(async (tx) => {
    await tx.query('select from mail_pace for update');
    for (const name of ['one', 'two'])
      await (await openWorkspace(service)).gift(...addresses(3, name).map((email) => ({ email })));
    await eventually(async () => (await countWaiting(database, 'mails')) === 2);
  });
  await arrived.promise;
  const inFlight = async () => {
    const found = await database.query('select unnest(in_flight) from mail_queues');
    assert.ok(found.length <= 1, `${found.length} emails try the server`);
    return found;
  };
  const claimed = () => database.query('select from mail_queues where lease_owner is not null');
  await eventually(async () => (await inFlight()).length === 1 && (await claimed()).length === 1);
  assert.equal(mailServer.mails.length, 1);
  taken.resolve(undefined);
  await eventually(async () => mailServer.mails.length === 6);
  assert.equal(new Set(mailServer.mails.map(({ to }) => to)).size, 6);
  await service.stop();
});

test('two services on one database send each mail once, and take permits for them', async () => {
  const mailServer = await startMailServer();
  const tokenKey = 'a key that is long enough for a test';
  const settings = { ...mailSettings(mailServer.url), mailPerMinute: 600, tokenKey };
  const one = await startService(settings);
  const two = await startService({ ...settings, database: one.database });
  const countedAt = () => one.database.query('select counted_at from mail_pace');
  const before = await countedAt();
  const gifts = await orderGifts(one, addresses(30, 'limited'));
  for (const { id } of gifts) await mailStates(one, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(mailServer.mails.length, 30);
  assert.notDeepEqual(await countedAt(), before);
  await Promise.all([one.stop(), two.stop()]);
});

test('senders that ask at the same time share the permits that there are', async () => {
  const database = await createTestDatabase();
  // So slow that none comes back.
  const pace = { most: 10, perSecond: 1e-9 };
  await returnPermits(database, pace, pace.most);
  const granted = await Promise.all(Array.from({ length: 8 }, () => takePermits(database, pace, 3)));
  assert.deepEqual(
    granted.toSorted((a, b) => b - a),
    [3, 3, 3, 1, 0, 0, 0, 0],
  );
});

test('permits come back evenly, and those that were not used at once', async () => {
  const database = await createTestDatabase();
  const pace = paceOf(60);
  assert.deepEqual(pace, { most: 1, perSecond: 1 });
  assert.equal(await takePermits(database, pace, 5), 1);
  assert.equal(await takePermits(database, pace, 0), 0);
  await returnPermits(database, pace, 1);
  assert.equal(await takePermits(database, pace, 5), 1);
  assert.equal(await takePermits(database, null, 5), 5);
  for (const perMinute of [1, 59, 60, 600, 1_000_000]) {
    const { most, perSecond } = paceOf(perMinute) as { most: number; perSecond: number };
    assert.ok(most - 1 + perSecond * 60 <= perMinute + 1e-6);
  }
});

test('pauses after failures grow to five minutes, and failures during a pause count once', async () => {
  const database = await createTestDatabase();
  for (let failure = 0; failure < 12; failure++) {
    const before = await readNow(database);
    const resumeAt = (await noteFailure(database, true)) as Date;
    const after = await readNow(database);
    const pauseMs = 1_000 * Math.min(300, 2 ** failure);
    // It began between the two; a Date has no microseconds.
    assert.ok(resumeAt.getTime() - before.getTime() >= 0.8 * pauseMs - 1, `failure ${failure}`);
    assert.ok(resumeAt.getTime() - after.getTime() <= 1.2 * pauseMs + 1, `failure ${failure}`);
  }
  assert.equal(await noteFailure(database, false), null);
  assert.equal(await beginProbe(database), false, 'nobody tries during a pause');
  await database.query('update mail_pace set resume_at = now()');
  assert.deepEqual([await beginProbe(database), await beginProbe(database)], [true, false], 'one sender tries');
  await endProbe(database, true);
  assert.deepEqual(await database.query('select failures from mail_pace'), [{ failures: 0 }]);
});

test('the workspace whose turn was longest ago comes first', async () => {
  const database = await createTestDatabase();
  const add = () =>
    database.transaction((tx) =>
      createWorkspace(tx, theService, { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false }),
    );
  const ids = [(await add()).id, (await add()).id, (await add()).id];
  const turns = ['2 hours', '3 hours', '1 hour'];
  await database.query(
    `insert into mail_queues (workspace_id, next_due, lease_until)
     select id, now() - interval '1 minute', now() - turn
       from unnest($1::bigint[], $2::interval[]) as queue (id, turn)`,
    [ids, turns],
  );
  const claim = async () => (await claimQueues(database, randomUUID(), null, 1))[0]?.workspaceId;
  assert.deepEqual([await claim(), await claim(), await claim(), await claim()], [ids[1], ids[0], ids[2], undefined]);
});

test('one workspace with many mails does not keep another waiting', async () => {
  const mailServer = await startMailServer();
  const service = await startService({ ...mailSettings(mailServer.url), mailPerMinute: 1_200 });
  const flood = await orderGifts(service, addresses(100, 'flood'));
  const other = await service.addWorkspace({ name: 'Neighbour' });
  const { token } = await service.addToken({ workspaces: [other] });
  const orderItems = [{ message: 'Hi', amount: 5, recipient: { email: 'neighbour@other.example' } }];
  const { status } = await service.call('/api/v1/orders', {
    method: 'POST',
    token,
    workspace: other,
    body: { orderItems, currency: 'CAD' },
  });
  assert.equal(status, 201);
  await eventually(async () => mailServer.to('neighbour@other.example')[0]);
  assert.ok(mailServer.mails.length < flood.length, 'the neighbour’s mail came before the end of the flood');
  await service.stop();
});

test('without an address for bounces they go to the sender', async () => {
  const mailServer = await startMailServer();
  const service = await startService({ mailServer: mailServer.url, mailFrom: 'gifts@acme.example' });
  await orderGifts(service, ['plain@acme.example']);
  const mail = await eventually(async () => mailServer.to('plain@acme.example')[0]);
  assert.equal(mail.from, 'gifts@acme.example');
  assert.match(String((await parseMail(mail)).messageId), /@acme\.example>$/);
  await service.stop();
});
