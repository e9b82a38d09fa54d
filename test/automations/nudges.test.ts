import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenIn } from '../support/approval-mails.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { openTeam } from '../support/manager-mails.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));

const forgotten = {
  name: 'Not recognized',
  trigger: { is: 'UNRECOGNIZED' as const, days: 90 },
  action: { is: 'NUDGE' as const },
  messages: { EN: 'Thank you for your work, {firstName}.' },
};
const open = (settings = {}) => openTeam(service, mailServer, forgotten, settings);

test('a nudge is an email with a draft, and a press gives it as a shoutout from the manager, once', async () => {
  const team = await open();
  const { occur, nudge, gathered, inbox, boss, ids, row, look, press, workspace } = team;
  const id = await occur(ids.ana, 'DUE', undefined, null);
  assert.deepEqual(await nudge(id), { sent: [id], notDone: [] });
  assert.deepEqual(await row(id), { state: 'SENT', reason: null, line: null, shoutoutNumber: null });
  await gathered();
  const mail = await inbox.mail(boss, 'Ana Silva');
  assert.equal(mail.subject, 'A shoutout for Ana Silva?');
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    assert.match(part, /90 days without recognition/);
    assert.match(part, /Thank you for your work, Ana\./);
  }
  const token = tokenIn(mail);
  const { page, text } = await look(token);
  assert.match(page, /<textarea[^>]*>Thank you for your work, Ana\.<\/textarea>/);
  assert.match(text, /Give the shoutout/);
  assert.equal((await workspace.shoutouts('?status=APPROVED')).totalElements, 0);

  const empty = await press(token, id, '  ');
  assert.deepEqual([empty.status, /Write a shoutout of 1 to 1,000 characters/.test(empty.text)], [400, true]);
  const presses = await Promise.all(['You kept the dock open.', 'Another text.'].map((one) => press(token, id, one)));
  assert.deepEqual(presses.map(({ status }) => status).sort(), [200, 409]);
  for (const one of [...presses, await look(token)]) assert.match(one.text, /^You gave Ana Silva a shoutout /);
  const { shoutouts } = await workspace.shoutouts('?status=APPROVED');
  assert.deepEqual(
    shoutouts.map(({ sender, receiver, status }) => [sender.id, receiver.id, status]),
    [[ids.lucie, ids.ana, 'APPROVED']],
  );
  assert.equal(typeof (await row(id)).shoutoutNumber, 'number');
});

test('a shoutout from a nudge waits for approval where shoutouts do', async () => {
  const { occur, nudge, gathered, inbox, boss, ids, press, workspace } = await open({ asksForApproval: true });
  const [first, second] = [await occur(ids.ana, 'DUE'), await occur(ids.ben, 'DUE')];
  await nudge(first, second);
  await gathered();
  const mail = await inbox.mail(boss, '2 people');
  assert.match(mail.text ?? '', /Ana Silva[\s\S]*Ben Okoro/);
  const given = await press(tokenIn(mail), first, 'Thank you.');
  assert.match(given.text, /^You gave Ana Silva a shoutout .*Your shoutout for Ben Okoro/);
  const { shoutouts } = await workspace.shoutouts();
  assert.deepEqual(
    shoutouts.map(({ status }) => status),
    ['PENDING'],
  );
});

test('a nudge without a manager, or whose manager has no address, is not done, with the reason', async () => {
  const { occur, nudge, ids, row, workspace, mailsAre } = await open();
  const [alone, silent] = [await occur(ids.omar, 'DUE', undefined, null), await occur(ids.ana, 'DUE')];
  await workspace.change(ids.lucie, { email: null, employeeNumber: '78' });
  assert.deepEqual((await nudge(alone, silent)).notDone.sort(), [alone, silent].sort());
  for (const id of [alone, silent]) {
    const { state, reason } = await row(id);
    assert.deepEqual([state, reason], ['NOT_DONE', 'NO_MANAGER']);
  }
  await mailsAre([]);
});

test('a person who has left meanwhile gets no shoutout, and the page says whom to ask', async () => {
  const { occur, nudge, gathered, inbox, boss, ids, press, workspace, row } = await open();
  const id = await occur(ids.ana, 'DUE');
  await nudge(id);
  await gathered();
  const token = tokenIn(await inbox.mail(boss, 'Ana Silva'));
  await workspace.call(`/api/v1/members/${ids.ana}/leave`, { method: 'POST', body: {} });
  const rejected = await press(token, id, 'Thank you.');
  assert.deepEqual([rejected.status, /could not be given/.test(rejected.text)], [400, true]);
  assert.equal((await row(id)).shoutoutNumber, null);
});

test('a key that another caller has chosen marks no nudge as used', async () => {
  const { occur, nudge, ids, team, row, workspace } = await open();
  const id = await occur(ids.ana, 'DUE');
  await nudge(id);
  const headers = { 'Idempotency-Key': `nudge:${id}:00000000-0000-4000-8000-000000000000` };
  await workspace.given({ recipient: { email: `ana@${team}` }, message: 'Hello.' }, { headers });
  assert.equal((await row(id)).shoutoutNumber, null);
});
