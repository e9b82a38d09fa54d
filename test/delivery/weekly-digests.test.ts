import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { openDigests, unsubscribeAddress } from '../support/digests.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));
const { database } = service;
const open = (names: string[], opening = {}) => openDigests(service, mailServer, names, opening);

test('on Monday at eight, people who want it read what they received and gave, and the newest of the feed', async () => {
  const { workspace, named, wants, clock, send, mailTo, mailsTo, states } = await open(['ada', 'ben', 'cleo']);
  const [ada, ben, cleo] = [named('ada'), named('ben'), named('cleo')];
  await wants('ada');
  await ben.give([ada.id], { message: 'You kept the dock open.' });
  await ada.give([ben.id, cleo.id], { message: 'Both of you saved the launch.' });
  await cleo.give([ben.id], { message: 'The new menu is great.' });
  await send();
  assert.deepEqual(await states(), []);
  await clock.toMonday();
  await send();
  const { subject, text = '', html = '' } = await mailTo('ada');
  assert.equal(subject, 'You received a shoutout last week');
  for (const part of [text, html])
    for (const said of [
      'You received a shoutout',
      `From`,
      'You kept the dock open.',
      'You gave a shoutout',
      `${ben.name} and one other`,
      'Both of you saved the launch.',
      'New in the feed',
      'The new menu is great.',
      `${service.url}/my/${workspace.id}/feed`,
    ])
      assert.ok(part.includes(said), said);
  assert.equal(text.split('You kept the dock open.').length, 2, 'a post is listed once');
  assert.deepEqual(await mailsTo('ben'), []);
  assert.deepEqual(
    (await states()).map(({ kind, memberId, state }) => [kind, memberId, state]),
    [['WEEK', ada.id, 'SENT']],
  );
});

test('a week is sent once, however often the hour is searched for, and the next week is another', async () => {
  const { named, wants, clock, send, mailsTo } = await open(['dan', 'eve']);
  await wants('dan');
  await named('eve').give([named('dan').id], { message: 'First week.' });
  await clock.toMonday();
  await Promise.all([send(), send()]);
  await database.query('update digest_turns set looked_until = looked_until - interval $$1 day$$');
  await send();
  await clock.passHours(3);
  await send();
  assert.equal((await mailsTo('dan')).length, 1);
  await named('eve').give([named('dan').id], { message: 'Second week.' });
  await clock.toMonday();
  await send();
  const [, second] = await mailsTo('dan');
  assert.match(second?.text ?? '', /Second week\./);
  assert.doesNotMatch(second?.text ?? '', /First week\./);
  assert.equal((await mailsTo('dan')).length, 2);
});

test('nothing is sent where there is nothing to tell, nor to people who did not ask, have turned it off or have left', async () => {
  const { workspace, named, wants, clock, send, mailsTo, states } = await open(['fay', 'gus', 'hal', 'ida']);
  for (const name of ['fay', 'gus', 'hal']) await wants(name);
  await clock.toMonday();
  await send();
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['CANCELLED', 'CANCELLED', 'CANCELLED'],
  );
  await named('ida').give([named('fay').id, named('gus').id, named('hal').id]);
  await wants('gus', false);
  await workspace.call(`/api/v1/members/${named('hal').id}/leave`, { method: 'POST', body: {} });
  await clock.toMonday();
  await send();
  const counts = await Promise.all(['fay', 'gus', 'hal', 'ida'].map(async (name) => (await mailsTo(name)).length));
  assert.deepEqual(counts, [1, 0, 0, 0]);
});

test('a person who turns it off between the search and the sending gets none', async () => {
  const { workspace, named, wants, clock, send, mailsTo, states } = await open(['abe', 'bea']);
  await named('bea').give([named('abe').id]);
  await clock.toMonday();
  const today = await clock.today();
  await database.query(
    `insert into digest_mails (workspace_id, kind, period, member_id, state, due_at) values ($1, 'WEEK', $2, $3, 'QUEUED', $2::date + interval '8 hours')`,
    [workspace.id, today, named('abe').id],
  );
  await wants('bea');
  await send();
  assert.deepEqual(
    (await states()).map(({ memberId, state }) => [memberId, state]),
    [
      [named('abe').id, 'CANCELLED'],
      [named('bea').id, 'SENT'],
    ],
  );
  assert.deepEqual(await mailsTo('abe'), []);
});

test('eight o’clock is that of each person, and another time zone brings no second email in a week', async () => {
  const fields = [{ ownTimeZone: 'Pacific/Auckland' }, { ownTimeZone: 'Pacific/Honolulu' }, {}].map(
    ({ ownTimeZone }) => (ownTimeZone ? { timeZone: ownTimeZone } : {}),
  );
  const { workspace, named, wants, clock, send, mailsTo } = await open(['jo', 'kim', 'lea'], { fields });
  for (const name of ['jo', 'kim', 'lea']) await wants(name);
  await named('lea').give([named('jo').id, named('kim').id]);
  const counts = async () => Promise.all(['jo', 'lea', 'kim'].map(async (name) => (await mailsTo(name)).length));
  await clock.toMonday('Pacific/Auckland', 7);
  await send();
  assert.deepEqual(await counts(), [0, 0, 0]);
  await clock.passHours(1);
  await send();
  assert.deepEqual(await counts(), [1, 0, 0]);
  // It is Sunday there: their Monday comes once more.
  await workspace.change(named('jo').id, { timeZone: 'Pacific/Honolulu' });
  await clock.toMonday('UTC');
  await send();
  assert.deepEqual(await counts(), [1, 1, 0]);
  await clock.passHours(10);
  await send();
  assert.deepEqual(await counts(), [1, 1, 1]);
});

test('after a downtime of a day the week goes on without its digest', async () => {
  const { named, wants, clock, send, states } = await open(['max', 'nia']);
  await wants('max');
  await named('nia').give([named('max').id]);
  await clock.toTuesday();
  await send();
  assert.deepEqual(await states(), []);
});

test('people who may not open the feed get no digest', async () => {
  const { workspace, named, clock, send, mailsTo, states } = await open(['oli']);
  const [pat] = await workspace.addPeople([{ email: 'pat-without-role@example.com', firstName: 'Pat' }]);
  await database.query('insert into member_preferences (workspace_id, member_id, digest) values ($1, $2, true)', [
    workspace.id,
    pat,
  ]);
  await named('oli').give([pat as number]);
  await clock.toMonday();
  await send();
  assert.deepEqual(
    (await states()).map(({ state }) => state),
    ['CANCELLED'],
  );
  await named('oli').give([pat as number]);
  const admin = await workspace.call('/api/v1/settings/employees', { method: 'PATCH', body: { access: 'ALL' } });
  assert.equal(admin.status, 200);
  await clock.toMonday();
  await send();
  assert.equal(mailServer.to('pat-without-role@example.com').length, 1);
  assert.deepEqual(await mailsTo('oli'), []);
});

test('a record that was merged into another brings no second email', async () => {
  const { workspace, named, wants, clock, send, mailsTo, states } = await open(['quin', 'rae', 'sol'], {
    fields: [{}, { timeZone: 'Pacific/Honolulu' }],
  });
  for (const name of ['quin', 'rae']) await wants(name);
  await named('sol').give([named('quin').id, named('rae').id]);
  await clock.toMonday();
  await send();
  await workspace.merge(named('quin').id, named('rae').id);
  await clock.passHours(11);
  await send();
  assert.deepEqual([(await mailsTo('quin')).length, (await mailsTo('rae')).length], [1, 0]);
  assert.equal((await states()).length, 1);
});

test('digests are in the language of their reader', async () => {
  const { named, wants, clock, send, mailTo } = await open(['tom', 'una', 'val'], {
    fields: [{ language: 'FR_CA' }, { language: 'ES_MX' }],
  });
  for (const name of ['tom', 'una']) await wants(name);
  await named('val').give([named('tom').id, named('una').id]);
  await clock.toMonday();
  await send();
  const [french, spanish] = [await mailTo('tom'), await mailTo('una')];
  assert.match(french.text ?? '', /Votre semaine de reconnaissance[\s\S]*Se désabonner/);
  assert.match(spanish.text ?? '', /Su semana de reconocimiento[\s\S]*Cancelar la suscripción/);
});

test('one click or the page turns the email off without a sign-in; looking at the page changes nothing', async () => {
  const { workspace, named, wants, clock, send, mailTo, mailsTo } = await open(['wes', 'xia']);
  const wes = named('wes');
  for (const name of ['wes', 'xia']) await wants(name);
  await named('xia').give([wes.id]);
  await clock.toMonday();
  await send();
  const address = unsubscribeAddress(await mailTo('wes'));
  assert.ok((await mailTo('wes')).text?.includes(address));
  const digest = async () => (await wes.ask<{ digest: boolean }>(200, '/me/preferences')).digest;
  const shownAt = async (at: string) => (await (await fetch(at)).text()).replaceAll(at.slice(service.url.length), '');
  const shown = await shownAt(address);
  assert.match(shown, /Unsubscribe\?/);
  assert.equal(shown, await shownAt(unsubscribeAddress(await mailTo('xia'))), 'it says nothing about the person');
  assert.equal(await digest(), true);
  const click = () =>
    fetch(address, {
      method: 'POST',
      headers: { Origin: 'https://mail.example', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  assert.equal((await click()).status, 200);
  assert.equal(await digest(), false);
  await wants('wes');
  assert.equal((await click()).status, 200);
  assert.equal(await digest(), false, 'the link stays valid');
  const audited = await database.query<{ actor: string; detail: object }>(
    `select actor, detail from audit_log where workspace_id = $1 and action = 'member.preferences_changed' order by id`,
    [workspace.id],
  );
  assert.deepEqual(audited.at(-1), { actor: 'MEMBER', detail: { digest: false } });
  await named('xia').give([wes.id]);
  await clock.toMonday();
  await send();
  assert.equal((await mailsTo('wes')).length, 1);
  for (const wrong of [`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`, address.slice(0, -4)])
    for (const method of ['GET', 'POST']) assert.equal((await fetch(wrong, { method })).status, 404);
});

test('an erased person leaves no address behind, and their link does nothing', async () => {
  const { workspace, named, wants, clock, send, mailTo, states } = await open(['yan', 'zoe']);
  const { id } = named('yan');
  await wants('yan');
  await named('zoe').give([id]);
  await clock.toMonday();
  await send();
  assert.equal((await states()).length, 1);
  const address = unsubscribeAddress(await mailTo('yan'));
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, id));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
  await eventually(
    async () => {
      while (await runErasure(database));
      return (await states()).length;
    },
    (rows) => rows === 0,
  );
  assert.equal((await fetch(address, { method: 'POST' })).status, 200);
  const kept = await database.query('select from member_preferences where workspace_id = $1 and member_id = $2', [
    workspace.id,
    id,
  ]);
  assert.deepEqual(kept, []);
});
