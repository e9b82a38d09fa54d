import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import { tokenIn } from '../support/approval-mails.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { headerOf, startMailServer } from '../support/mail-server.ts';
import { openTeam } from '../support/manager-mails.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const busy = new Set<string>();
const mailServer = await startMailServer({
  onRecipient: (address) => (busy.delete(address) ? '451 4.3.0 try later' : undefined),
});
const service = await startService({ ...mailSettings(mailServer.url), publicUrl: 'https://gifts.acme.example' });
const { database } = service;

test('a manager is asked who celebrates what and when, with the message, the gift and until when a line can be added', async () => {
  const { occur, ask, gathered, inbox, boss, ids, mailsAre } = await openTeam(service, mailServer);
  await ask(await occur(ids.ana, 'ASKED'));
  await gathered();
  const mail = await inbox.mail(boss, 'Ana Silva');
  assert.equal(mail.subject, 'Add a sentence for Ana Silva: Birthday, 20 December 2026');
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    assert.match(part, /Happy birthday, Ana!/);
    assert.match(part, /CA\$25\.00/);
    assert.match(part, /20 December 2026, (09:00|9:00 a\.m\.|14:00|2:00 p\.m\.)/);
    assert.match(part, /Without a sentence from you, the message goes out as it is\./);
    assert.match(part, /https:\/\/gifts\.acme\.example\/note#[\w-]{60,}/);
    assert.match(part, /Do not forward this email/);
  }
  assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated');
  await mailsAre(['SENT']);
  assert.equal((await inbox.all(boss, '')).length, 1);
});

test('people who celebrate on the same day are one email, in the language of the manager', async () => {
  const { occur, ask, gathered, inbox, boss, ids, workspace, mailsAre } = await openTeam(service, mailServer);
  await workspace.change(ids.lucie, { language: 'FR_CA' });
  await ask(await occur(ids.ana, 'ASKED'));
  await ask(await occur(ids.ben, 'ASKED'), await occur(ids.ana, 'ASKED', '2026-12-27'));
  await gathered();
  await mailsAre(['SENT', 'SENT', 'SENT']);
  const mails = await inbox.all(boss, '');
  assert.deepEqual(mails.map(({ subject }) => subject).sort(), [
    'Une phrase pour 2 personnes : 20 décembre 2026',
    'Une phrase pour Ana Silva : Anniversaire, 27 décembre 2026',
  ]);
  const both = mails.find(({ subject }) => subject?.includes('2 personnes'));
  assert.match(both?.text ?? '', /Ana Silva, Anniversaire, 20 décembre 2026[\s\S]*Ben Okoro, Anniversaire/);
});

test('the line is kept, can be changed or removed until the message goes out, and opening the link changes nothing', async () => {
  const { occur, ask, gathered, inbox, boss, ids, row, set, look, press, workspace } = await openTeam(
    service,
    mailServer,
  );
  const id = await occur(ids.ana, 'ASKED');
  await ask(id);
  await gathered();
  const token = tokenIn(await inbox.mail(boss, 'Ana Silva'));
  for (const path of ['/note', `/note?token=${token}&about=${id}&text=x`, '/note/look', `/note/${token}`])
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(service.url + path, { method });
      assert.ok(!(await response.text()).includes('Ana'), path);
    }
  const page = await look(token);
  assert.match(
    page.text,
    /^Add a sentence for Ana Silva .*Happy birthday, Ana! .*Your sentence for Ana Silva .*You write as Lucie Gagnon/,
  );
  assert.equal((await row(id)).line, null);

  const saved = await press(token, id, '  You carried the <launch>.\r\nThank you! ');
  assert.match(saved.text, /^Your sentence for Ana Silva is saved /);
  assert.equal((await row(id)).line, 'You carried the <launch>.\nThank you!');
  assert.ok(!saved.page.includes('<launch>'));
  const long = await press(token, id, 'x'.repeat(301));
  assert.deepEqual([long.status, /The sentence is too long/.test(long.text)], [400, true]);
  assert.match((await press(token, id, ' ')).text, /^Your sentence for Ana Silva is removed /);
  assert.equal((await row(id)).line, null);
  await press(token, id, 'The second one.');
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=automation.line_set');
  assert.deepEqual([entries.length, entries[0]?.actorName, entries[0]?.detail.way], [3, 'Lucie Gagnon', 'EMAIL']);

  await set(id, `state = 'SENT'`);
  const late = await press(token, id, 'Too late.');
  assert.deepEqual(
    [late.status, late.text],
    [409, 'The message to Ana Silva has gone out A sentence can no longer be added.'],
  );
  assert.equal((await look(token)).text, late.text);
  assert.equal((await row(id)).line, 'The second one.');
});

test('no email goes out about what was skipped, has another date, or is another manager’s', async () => {
  const { occur, ask, gathered, inbox, boss, ids, set, workspace, mailsAre } = await openTeam(service, mailServer);
  const [skipped, corrected, moved] = [
    await occur(ids.ana, 'ASKED'),
    await occur(ids.ana, 'ASKED', '2026-12-27'),
    await occur(ids.ben, 'ASKED', '2026-12-28'),
  ];
  await ask(skipped, corrected, moved);
  await set(skipped, `state = 'SKIPPED', reason = 'BY_HAND'`);
  await database.query('delete from occurrences where workspace_id = $1 and id = $2', [workspace.id, corrected]);
  await workspace.change(ids.ben, { managerId: ids.omar });
  await gathered();
  await mailsAre(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  assert.deepEqual(await inbox.all(boss, ''), []);
  // The new manager is asked, and the first one again if they are the manager again.
  await set(moved, `asked_member_id = ${ids.omar}`);
  await ask(moved);
  await workspace.change(ids.ben, { managerId: ids.lucie });
  await set(moved, `asked_member_id = ${ids.lucie}`);
  await ask(moved);
  await gathered();
  await inbox.mail(boss, 'Ben Okoro');
  await mailsAre(['CANCELLED', 'CANCELLED', 'SENT', 'CANCELLED']);
});

test('an email that the mail server takes later is sent once, to the address that the manager has then', async () => {
  const { occur, ask, gathered, inbox, boss, team, ids, workspace, mailsAre, look } = await openTeam(
    service,
    mailServer,
  );
  busy.add(boss);
  await ask(await occur(ids.ana, 'ASKED'));
  await gathered();
  await mailsAre(['DEFERRED']);
  const now = `lucie.g@${team}`;
  await workspace.change(ids.lucie, { email: now });
  await gathered();
  const token = tokenIn(await inbox.mail(now, 'Ana Silva'));
  await mailsAre(['SENT']);
  assert.deepEqual([(await inbox.all(now, '')).length, (await inbox.all(boss, '')).length], [1, 0]);
  // The mailbox that has the link is no longer the manager's.
  await workspace.change(ids.lucie, { email: `other@${team}` });
  const { status, page } = await look(token);
  assert.deepEqual([status, /Ana|birthday/.test(page)], [200, false]);
});

test('a link that another user opens, a changed link and a link of another page show nothing', async () => {
  const { occur, ask, gathered, inbox, boss, team, ids, workspace, look, press, row } = await openTeam(
    service,
    mailServer,
  );
  const id = await occur(ids.ana, 'ASKED');
  await ask(id);
  await gathered();
  const token = tokenIn(await inbox.mail(boss, 'Ana Silva'));
  const omar = await signIn(service, {
    workspace: workspace.id,
    role: 'PEOPLE_TEAM',
    email: `omar@${team}`,
    name: 'Omar Haddad',
  });
  const headers = { Cookie: omar.cookie, Origin: service.url };
  for (const { status, page } of [await look(token, headers), await press(token, id, 'From Omar.', headers)])
    assert.deepEqual([status, /You are signed in as Omar Haddad/.test(page), /Ana/.test(page)], [403, true, false]);
  assert.equal((await row(id)).line, null);
  const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  assert.equal((await look(changed)).status, 404);
  assert.equal((await inbox.post('/decide/look', { token })).status, 404);
  assert.equal((await look(token, { 'sec-fetch-site': 'cross-site' })).status, 403);
});

test('a manager without an address is not asked, and the row stays as it is', async () => {
  const { occur, ask, workspace, ids, row, mailsAre } = await openTeam(service, mailServer);
  await workspace.change(ids.lucie, { email: null, employeeNumber: '77' });
  const id = await occur(ids.ana, 'ASKED');
  await ask(id);
  await mailsAre([]);
  assert.equal((await row(id)).state, 'ASKED');
});
