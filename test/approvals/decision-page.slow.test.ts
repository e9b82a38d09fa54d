import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks } from '../../src/ground/config/texts.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import { createInbox, formIn } from '../support/approval-mails.ts';
import { openGate } from '../support/approvals.ts';
import { setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService({
  ...mailSettings(mailServer.url),
  trustedProxies: parseNetworks('127.0.0.0/8', 'test'),
});
const { database } = service;
const inbox = createInbox(service, mailServer);
const lucie = 'lucie@example.com';
const elena = 'elena@example.com';

/** An order that waits, with the tokens of both approvers. Tests tell their orders apart by the amount. */
async function waiting(amount: number) {
  const gate = await openGate(service);
  const orderItems = [aGift({ amount, message: 'You ran the dock alone.' })];
  const requestId = await gate.send(gate.users.priya, { orderItems, note: 'Two nights.' });
  const about = `CA$${amount.toFixed(2)}`;
  const [first, second] = [await inbox.token(lucie, about), await inbox.token(elena, about)];
  const state = async () => (await gate.details(requestId)).approval?.state;
  return { gate, requestId, token: first, second, about, state };
}

test('the page shows the request, and a press decides it in the name of the approver, through the email', async () => {
  const { gate, requestId, token, state } = await waiting(151.01);
  const { status, text } = await inbox.look(token);
  assert.equal(status, 200);
  for (const said of ['Priya Nair asks you for CA$151.01', 'You ran the dock alone.', 'Two nights.', 'Large gifts'])
    assert.ok(text.includes(said), said);
  assert.match(text, /You decide as Lucie Gagnon\./);
  assert.equal(await state(), 'WAITING');
  const decided = await inbox.decide(token, 'APPROVED', 'Well deserved.');
  assert.deepEqual([decided.status, /^You approved this/.test(decided.text)], [200, true]);
  assert.equal((await gate.workspace.finished(requestId)).requestStatus, 'COMPLETED');
  const { entries } = await gate.workspace.read<AuditPage>('/api/v1/audit?action=order.approved');
  assert.deepEqual(
    entries.map(({ actorName, detail }) => [actorName, detail.way, detail.comment]),
    [['Lucie Gagnon', 'EMAIL', 'Well deserved.']],
  );
  const mail = await inbox.mail('priya@example.com', 'CA$151.01');
  assert.match(mail.text ?? '', /Lucie Gagnon approved the order[\s\S]*Well deserved\./);
});

test('a scanner that follows the link, also with HEAD or its token in the path, decides nothing', async () => {
  const { token, state } = await waiting(151.02);
  for (const path of ['/decide', `/decide?token=${token}&decision=APPROVED`, '/decide/look', `/decide/${token}`])
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(service.url + path, { method });
      assert.ok(!(await answer.text()).includes('Priya'), path);
    }
  const looked = await inbox.post('/decide', { token, decision: 'APPROVED' });
  assert.deepEqual([looked.status, /has changed since you opened this page/.test(looked.text)], [409, true]);
  assert.equal(await state(), 'WAITING');
});

test('to decline takes a comment, which stays on the page until it is right', async () => {
  const { gate, requestId, token, state } = await waiting(151.03);
  const without = await inbox.decide(token, 'DECLINED', '  ');
  assert.deepEqual([without.status, await state()], [400, 'WAITING']);
  assert.match(without.text, /To decline, write a comment/);
  const long = await inbox.decide(token, 'DECLINED', `${'x'.repeat(1_001)}<b>`);
  assert.equal(long.status, 400);
  assert.match(long.text, /The comment is too long\./);
  assert.ok(long.page.includes('x&lt;b&gt;') || long.page.includes('x&#60;b&#62;'));
  const declined = await inbox.decide(token, 'DECLINED', 'Please send 100.00.');
  assert.match(declined.text, /^You declined this CA\$151\.03 .* was not sent/);
  const { failure } = await gate.details(requestId);
  assert.match(failure ?? '', /Lucie Gagnon declined the order: Please send 100\.00\./);
});

test('a comment counts as the API counts it: a line break and an emoji are one character each', async () => {
  const { gate, requestId, token } = await waiting(151.13);
  const comment = `${'\u{1f381}'.repeat(499)}\r\n${'x'.repeat(500)}`;
  assert.equal((await inbox.decide(token, 'APPROVED', comment)).status, 200);
  const { approval } = await gate.details(requestId);
  assert.equal(approval?.decisions[0]?.comment, comment.replace('\r', ''));
});

test('a limit that was set meanwhile is told in the language of the page, and the order waits on', async () => {
  const { gate, token, state } = await waiting(151.14);
  await setBudget(database, gate.workspace.id, { amount: 100 });
  const { form, lang } = { form: formIn((await inbox.look(token)).page), lang: 'fr' };
  const { status, text } = await inbox.post('/decide', { token, form, lang, decision: 'APPROVED' });
  assert.deepEqual([status, await state()], [409, 'WAITING']);
  assert.match(text, /La commande dépasse une limite du budget ou d’un destinataire\. Refusez-la/);
  assert.ok(!text.includes('send'), text);
});

test('of two approvers the first decides, and the link of the other says who did and when', async () => {
  const { token, second, state } = await waiting(151.04);
  const { page } = await inbox.look(second);
  await inbox.decide(token, 'APPROVED', 'Yes.');
  const late = await inbox.post('/decide', { token: second, form: formIn(page), decision: 'DECLINED', comment: 'No.' });
  assert.equal(late.status, 409);
  assert.match(late.text, /^Lucie Gagnon approved this .* Yes\. .*Decided Lucie Gagnon, \d+ \w+ 2\d{3}, \d+:\d\d/);
  assert.equal(await state(), 'APPROVED');
});

test('a form decides what its page has shown, for its own link alone', async () => {
  const [one, other] = [await waiting(151.05), await waiting(151.06)];
  const { page } = await inbox.look(one.token);
  for (const token of [other.token, one.second]) {
    const { status } = await inbox.post('/decide', { token, form: formIn(page), decision: 'APPROVED' });
    assert.equal(status, 409);
  }
  assert.deepEqual([await one.state(), await other.state()], ['WAITING', 'WAITING']);
});

test('a link that another person opens in their own session shows nothing and decides nothing', async () => {
  const { gate, token, about, state } = await waiting(151.07);
  const { form } = { form: formIn((await inbox.look(token)).page) };
  const headers = { Cookie: gate.users.olga.cookie, Origin: service.url };
  const looked = await inbox.look(token, headers);
  const decided = await inbox.post('/decide', { token, form, decision: 'APPROVED' }, headers);
  for (const { status, page, text } of [looked, decided]) {
    assert.equal(status, 403);
    assert.match(text, /^This link is for another person You are signed in as Olga Owner\./);
    assert.ok(!page.includes('Priya') && !page.includes(about));
  }
  assert.equal(await state(), 'WAITING');
  const own = { Cookie: gate.users.lucie.cookie, Origin: service.url };
  assert.equal((await inbox.decide(token, 'APPROVED', '', own)).status, 200);
});

test('the link of a person who lost the role, has left or has another address shows nothing and decides nothing', async () => {
  const undo: [string, (userId: number, workspaceId: number) => Promise<unknown>][] = [
    [
      'role',
      (id, workspace) =>
        database.query('delete from user_roles where user_id = $1 and workspace_id = $2', [id, workspace]),
    ],
    [
      'address',
      (id) => database.query(`update users set email = 'other-' || id || '@example.com' where id = $1`, [id]),
    ],
  ];
  for (const [nth, [what, change]] of undo.entries()) {
    const { gate, token, about, state } = await waiting(151.11 + nth);
    const form = formIn((await inbox.look(token)).page);
    await change(gate.users.lucie.user.id, gate.workspace.id);
    const looked = await inbox.look(token);
    const decided = await inbox.post('/decide', { token, form, decision: 'APPROVED' });
    for (const { page, text } of [looked, decided]) {
      assert.match(text, what === 'role' ? /^You are no longer asked/ : /^This link no longer works/, what);
      assert.ok(!page.includes('Priya') && !page.includes(about), what);
    }
    assert.equal(await state(), 'WAITING', what);
  }
});

test('an order that is retried asks again by a new email, and its former link decides nothing', async () => {
  const { gate, requestId, token, second, state } = await waiting(151.09);
  const { page } = await inbox.look(second);
  await inbox.decide(token, 'DECLINED', 'Not now.');
  const path = `/api/v1/orders/${requestId}/retry`;
  assert.equal((await gate.users.priya.call(path, { method: 'POST', body: {} })).status, 200);
  await eventually(
    () => inbox.all(elena, 'CA$151.09'),
    (mails) => mails.length === 2,
  );
  const posted = await inbox.post('/decide', { token: second, form: formIn(page), decision: 'APPROVED' });
  assert.match(posted.text, /^This link no longer works The request waits for your decision\./);
  assert.equal(await state(), 'WAITING');
});

test('an unknown, altered or lost link is not found, other sites cannot post, and guesses are limited', async () => {
  const { token, state } = await waiting(151.08);
  const altered = Buffer.from(token, 'base64url');
  altered[30] = (altered[30] as number) ^ 1;
  for (const wrong of ['', 'x', altered.toString('base64url'), `${token}A`])
    assert.equal((await inbox.look(wrong)).status, 404);
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };
  const form = formIn((await inbox.look(token)).page);
  const posted = await inbox.post('/decide', { token, form, decision: 'APPROVED' }, elsewhere);
  assert.deepEqual([posted.status, await state()], [403, 'WAITING']);
  await database.query('update approval_mails set mail_id = gen_random_uuid() where address = $1', [lucie]);
  assert.equal((await inbox.look(token)).status, 404);
  const guesser = { 'X-Forwarded-For': '203.0.113.9' };
  const statuses: number[] = [];
  for (let guess = 0; guess < 61; guess++) statuses.push((await inbox.look('x', guesser)).status);
  assert.deepEqual([statuses[59], statuses[60]], [404, 429]);
});
