import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { createInbox, tokenIn } from '../support/approval-mails.ts';
import { openGate } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { headerOf, startMailServer } from '../support/mail-server.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService({ ...mailSettings(mailServer.url), publicUrl: 'https://gifts.acme.example' });
const { database } = service;
const inbox = createInbox(service, mailServer);
const lucie = 'lucie@example.com';
const elena = 'elena@example.com';
const priya = 'priya@example.com';
const owner = 'owner@example.com';

const orderOf = (amount: number, changes: Record<string, unknown> = {}) => ({
  orderItems: [aGift({ amount, message: 'You ran the dock alone.' })],
  ...changes,
});

test('each approver gets one email that says who asks, why, how much, for how many, by which rule and until when', async () => {
  const gate = await openGate(service);
  const gifts = Array.from({ length: 12 }, () => aGift({ amount: 150.25 }));
  await gate.send(gate.users.priya, { orderItems: gifts, note: 'Two nights, 3 and 4 November.' });
  for (const address of [lucie, elena]) {
    const mail = await inbox.mail(address, 'CA$1,803.00');
    assert.equal(mail.subject, 'Priya Nair asks you to approve CA$1,803.00');
    for (const part of [mail.text ?? '', mail.html ?? '']) {
      assert.match(part, /12 gifts/);
      assert.match(part, /Two nights, 3 and 4 November\./);
      assert.match(part, /Large gifts/);
      assert.match(part, /Decide by/);
      assert.match(part, /https:\/\/gifts\.acme\.example\/decide#[\w-]{60,}/);
      assert.match(part, /Do not forward this email/);
    }
    assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated');
    assert.equal(headerOf(mail, 'x-pm-tracklinks'), 'None');
  }
  const tokens = await Promise.all([lucie, elena].map((one) => inbox.token(one, 'CA$1,803.00')));
  assert.notEqual(tokens[0], tokens[1]);
  assert.deepEqual([await inbox.all(priya, 'CA$1,803.00'), await inbox.all(owner, 'CA$1,803.00')], [[], []]);
  assert.equal((await inbox.all(lucie, 'CA$1,803.00')).length, 1);
});

test('the orders of one file are one email, and one decision', async () => {
  const gate = await openGate(service);
  const ids: string[] = [];
  for (const amount of [201.5, 202.5, 203.5])
    ids.push(
      await gate.send(gate.users.priya, orderOf(amount), { headers: { 'X-Customer-Request-id': 'year-end.csv' } }),
    );
  const mail = await inbox.mail(lucie, 'CA$607.50');
  assert.match(mail.text ?? '', /For 3 gifts\./);
  const decided = await inbox.decide(tokenIn(mail), 'APPROVED', 'For the year.');
  assert.match(decided.text, /^You approved this CA\$607\.50 for 3 gifts goes out as ordered/);
  for (const id of ids) assert.equal((await gate.workspace.finished(id)).requestStatus, 'COMPLETED');
  assert.match((await inbox.mail(priya, 'CA$607.50')).text ?? '', /For the year\./);
  assert.equal((await inbox.all(priya, 'CA$607.50')).length, 1);
});

test('a batch is one email to each approver, when all its orders are here, and one answer to its sender', async () => {
  const gate = await openGate(service);
  const batch = { id: 'winter', orders: 3 };
  const ids: string[] = [];
  for (const amount of [301.5, 302.5, 303.5]) ids.push(await gate.send(gate.users.priya, orderOf(amount, { batch })));
  for (const address of [lucie, elena])
    assert.match((await inbox.mail(address, 'CA$907.50')).text ?? '', /For 3 gifts\./);
  const decided = await inbox.decide(await inbox.token(lucie, 'CA$907.50'), 'DECLINED', 'In spring.');
  assert.match(decided.text, /^You declined this/);
  for (const id of ids) assert.equal((await gate.workspace.finished(id)).requestStatus, 'FAILED');
  assert.match((await inbox.mail(priya, 'CA$907.50')).text ?? '', /In spring\./);
  for (const address of [lucie, elena, priya]) assert.equal((await inbox.all(address, 'CA$907.50')).length, 1);
  for (const amount of ['CA$301.50', 'CA$302.50', 'CA$604.00', 'CA$303.50'])
    assert.deepEqual(await inbox.all(lucie, amount), []);
});

test('the second level is asked when the first has approved, and reads who did', async () => {
  const named = (memberId: number) => ({ approvers: [{ is: 'MEMBER' as const, memberId }] });
  const gate = await openGate(service);
  await gate.changeRule({ levels: [named(gate.ids.lucie), named(gate.ids.elena)] });
  const requestId = await gate.send(gate.users.priya, orderOf(150.02));
  const first = await inbox.token(lucie, 'CA$150.02');
  assert.deepEqual(await inbox.all(elena, 'CA$150.02'), []);
  await gate.decided(gate.users.lucie, requestId, 'APPROVED');
  const second = await inbox.mail(elena, 'CA$150.02');
  assert.match(second.text ?? '', /Lucie Gagnon approved it first\. Your decision is the last\./);
  assert.match((await inbox.look(first)).text, /^You approved this .* waits for the second level now/);
  assert.match((await inbox.look(tokenIn(second))).text, /Approved first Lucie Gagnon/);
  await inbox.decide(tokenIn(second), 'APPROVED');
  assert.equal((await gate.workspace.finished(requestId)).requestStatus, 'COMPLETED');
});

test('owners are asked with the reason when no approver can decide, also if the last one leaves later', async () => {
  const gate = await openGate(service);
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: gate.ids.elena }] }] });
  await gate.send(gate.users.priya, { orderItems: [aGift({ amount: 150.03, recipient: { email: elena } })] });
  const reason = /You are asked as an owner: no approver of the rule can decide\./;
  assert.match((await inbox.mail(owner, 'CA$150.03')).text ?? '', reason);
  await gate.send(gate.users.priya, orderOf(150.04));
  const token = await inbox.token(elena, 'CA$150.04');
  await gate.workspace.call(`/api/v1/members/${gate.ids.elena}/leave`, { method: 'POST', body: {} });
  const asked = await inbox.mail(owner, 'CA$150.04');
  assert.match(asked.text ?? '', reason);
  assert.match((await inbox.look(tokenIn(asked))).text, /No approver of the rule “Large gifts” can decide/);
  const former = await inbox.look(token);
  assert.deepEqual([former.status, /150\.04|Priya/.test(former.page)], [403, false]);
});

test('the sender reads the decision and the comment in their language, and the requester too', async () => {
  const gate = await openGate(service);
  const speak = (language: string) =>
    database.query('update users set language = $2 where id = $1', [gate.users.priya.user.id, language]);
  await speak('fr');
  const requestId = await gate.send(gate.users.priya, orderOf(150.05));
  await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'Let us make it 100.00 now.');
  const mail = await inbox.mail(priya, '150,05');
  assert.match(mail.subject ?? '', /^Refus/);
  assert.equal(headerOf(mail, 'content-language'), 'fr');
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    assert.match(part, /Lucie Gagnon a refusé la commande/);
    assert.match(part, /Let us make it 100\.00 now\./);
    assert.ok(part.includes(`https://gifts.acme.example/w/${gate.workspace.id}/approvals/${requestId}`));
  }
  const delegated = await gate.send(null, orderOf(150.06, { sender: { email: priya } }));
  await gate.decided(gate.users.lucie, delegated, 'APPROVED', 'Well deserved.');
  assert.match((await inbox.mail(priya, '150,06')).text ?? '', /Well deserved\./);
  await speak('en');
});

test('an order that lapses is told to its sender once', async () => {
  const gate = await openGate(service);
  await gate.send(gate.users.priya, orderOf(150.07));
  await inbox.mail(lucie, 'CA$150.07');
  await database.transaction((tx) => advanceClock(tx, gate.workspace.id, 8 * 86_400));
  const mail = await inbox.mail(priya, 'CA$150.07');
  assert.equal(mail.subject?.startsWith('No decision in time: CA$150.07'), true);
  assert.match(mail.text ?? '', /No approver decided in time/);
  const { text } = await inbox.look(await inbox.token(lucie, 'CA$150.07'));
  assert.match(text, /^The time to decide is over .*150\.07 .* was not sent/);
  assert.equal((await inbox.all(priya, 'CA$150.07')).length, 1);
});

test('an email about an order that was decided meanwhile is not sent', async () => {
  const gate = await openGate(service);
  const headers = { 'X-Customer-Request-id': 'decided at once' };
  const requestId = await gate.send(gate.users.priya, orderOf(150.08), { headers });
  await gate.decided(gate.users.lucie, requestId, 'APPROVED');
  const states = await eventually(
    () =>
      database.query<{ state: string; kind: string }>(
        'select distinct kind, state from approval_mails where request_id = $1 order by kind',
        [requestId],
      ),
    (rows) => rows.every(({ state }) => state !== 'QUEUED'),
  );
  assert.deepEqual(states, [
    { kind: 'ASKED', state: 'CANCELLED' },
    { kind: 'DECIDED', state: 'SENT' },
  ]);
  assert.deepEqual(await inbox.all(lucie, 'CA$150.08'), []);
});

test('without a mail server orders wait and are decided as before', async () => {
  const silent = await startService({ mailServer: 'off' });
  const gate = await openGate(silent);
  const requestId = await gate.send(gate.users.priya, orderOf(150.09));
  await gate.decided(gate.users.lucie, requestId, 'APPROVED');
  assert.equal((await gate.workspace.finished(requestId)).requestStatus, 'COMPLETED');
  assert.deepEqual(await silent.database.query('select from approval_mails'), []);
});
