import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDigests } from '../../src/giving/delivery/digests/plan.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { openTransport } from '../../src/giving/delivery/send/transport.ts';
import { type TurnOptions, takeTurn } from '../../src/giving/delivery/send/turn.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { openDigests } from '../support/digests.ts';
import { parseKeys } from '../support/keys.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

let [answer, greeting]: (string | undefined)[] = [];
const mailServer = await startMailServer({ onMail: () => answer, onSender: () => greeting });
const service = await startService({ ...mailSettings(mailServer.url), role: 'api' });
const { database } = service;
const { mailFrom } = mailSettings('');
const transport = await openTransport({ mailServer: mailServer.url, mailFrom, dkim: null });
cleanUp(async () => transport?.close({ force: true }));

/** Fails before its statement of a number, once. Counts all of them. */
function failingAt(nth: number) {
  let count = 0;
  const watched = <Of extends Queryable>(on: Of): Of => ({
    ...on,
    query: async (sql: string, values?: readonly unknown[]) => {
      if (count++ === nth) throw new Error('cut off');
      return on.query(sql, values);
    },
  });
  const watching: Database = {
    ...watched(database),
    transaction: (work) => database.transaction((tx) => work(watched(tx))),
  };
  return { watching, count: () => count };
}

/** One turn of a sender, whoever has the lease. */
async function turn(on: Database, workspaceId: number): Promise<void> {
  const options: TurnOptions = {
    database: on,
    owner: '00000000-0000-4000-8000-000000000001',
    pace: null,
    letterhead: { keys: parseKeys('k'.repeat(32)), from: mailFrom, bounces: null, publicUrl: service.url },
    transport,
    rush: new Rush(),
    signal: new AbortController().signal,
    onWritten() {},
    onUnreachable() {},
    onProblem() {},
  };
  await takeTurn(options, { workspaceId, isFailing: false }, () => {});
}

/** As after a restart: leases have ended. */
const restart = () => database.query('update digest_turns set taken_until = null');

test('an error before any statement, then a restart: no person gets a digest twice, and most get theirs', async () => {
  const { workspace, named, wants, clock, mailsTo, states } = await openDigests(service, mailServer, [
    'ada',
    'ben',
    'cleo',
  ]);
  for (const name of ['ada', 'ben']) await wants(name);
  let lost = 0;
  for (let nth = 0; ; nth++) {
    const before = mailServer.mails.length;
    await named('cleo').give([named('ada').id, named('ben').id], { message: `Week ${nth}.` });
    await clock.toMonday();
    const { watching, count } = failingAt(nth);
    await planDigests(watching).catch(() => {});
    await turn(watching, workspace.id).catch(() => {});
    const isOver = count() <= nth;
    await restart();
    await planDigests(database);
    await turn(database, workspace.id);
    const texts = (await Promise.all(['ada', 'ben'].map(mailsTo))).map((mails) =>
      mails.filter(({ text }) => text?.includes(`Week ${nth}.`)),
    );
    for (const mails of texts) assert.ok(mails.length <= 1, `an error before statement ${nth}`);
    const waiting = (await states()).filter(({ state }) => state === 'QUEUED' || state === 'DEFERRED');
    assert.deepEqual(waiting, []);
    lost += 2 - (mailServer.mails.length - before);
    if (isOver) {
      assert.ok(nth > 15, `${nth} statements`);
      break;
    }
  }
  // Those that were marked and not handed over.
  assert.ok(lost <= 4, `${lost} digests were lost`);
});

test('two nodes at once send each digest once', async () => {
  const names = ['dan', 'eve', 'fay', 'gus', 'hal'];
  const { workspace, named, wants, clock, mailsTo, states } = await openDigests(service, mailServer, names);
  for (const name of names) await wants(name);
  for (let week = 0; week < 5; week++) {
    await named('dan').give(names.slice(1).map((name) => named(name).id));
    await clock.toMonday();
    await Promise.all([planDigests(database), restart().then(() => planDigests(database)), planDigests(database)]);
    await Promise.all([turn(database, workspace.id), turn(database, workspace.id), turn(database, workspace.id)]);
    for (const name of names) assert.equal((await mailsTo(name)).length, week + 1);
  }
  assert.ok((await states()).every(({ state }) => state === 'SENT'));
});

test('an email is tried again only if the mail server has refused it', async () => {
  const { workspace, named, wants, clock, mailsTo, states } = await openDigests(service, mailServer, ['ida', 'jo']);
  await wants('ida');
  await named('jo').give([named('ida').id]);
  await clock.toMonday();
  await planDigests(database);
  answer = '451 4.3.0 Try again later';
  await turn(database, workspace.id);
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['DEFERRED'],
  );
  answer = undefined;
  await clock.passHours(1);
  await turn(database, workspace.id);
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['SENT'],
  );
  await named('jo').give([named('ida').id]);
  await clock.toMonday();
  await planDigests(database);
  answer = 'cut';
  await turn(database, workspace.id);
  answer = undefined;
  await clock.passHours(1);
  await turn(database, workspace.id);
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['SENT', 'SENDING'],
  );
  assert.equal((await mailsTo('ida')).length, 3, 'refused, taken, and taken without an answer');
});

test('a digest waits for a mail server that cannot be used, and not for longer than a day', async () => {
  const { workspace, named, wants, clock, mailsTo, states } = await openDigests(service, mailServer, ['kim', 'lea']);
  await wants('kim');
  const attempt = async () => {
    await turn(database, workspace.id);
    return (await states()).map(({ state }) => state);
  };
  const mondays = async () => {
    await named('lea').give([named('kim').id]);
    await clock.toMonday();
    await planDigests(database);
  };
  await mondays();
  greeting = '451 4.3.0 Not now';
  assert.deepEqual(await attempt(), ['QUEUED']);
  await clock.passHours(23);
  assert.deepEqual(await attempt(), ['QUEUED']);
  greeting = undefined;
  await clock.passHours(0.5);
  assert.deepEqual(await attempt(), ['SENT']);
  await mondays();
  greeting = '451 4.3.0 Not now';
  assert.deepEqual(await attempt(), ['SENT', 'QUEUED']);
  await clock.passHours(24);
  greeting = undefined;
  assert.deepEqual(await attempt(), ['SENT', 'CANCELLED']);
  assert.equal((await mailsTo('kim')).length, 1);
});
