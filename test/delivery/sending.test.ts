import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock, readClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { queueMail, resendGift, stopReminders } from '../../src/giving/delivery/queue.ts';
import { readGiftsById } from '../../src/giving/gifts/gift.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import { longToken, shortToken } from '../../src/giving/gifts/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { parseKeys } from '../support/keys.ts';
import { giftLog, mailSettings, mailStates, mailsOf, orderGifts, passDays } from '../support/mail-queue.ts';
import { headerOf, parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import type { ReceivedMail } from '../support/smtp.ts';

const tokenKey = 'a key that is long enough for a test';
const keys = parseKeys(tokenKey);
const mailServer = await startMailServer();
const service = await startService({
  ...mailSettings(mailServer.url),
  tokenKey,
  publicUrl: 'https://gifts.acme.example',
});
const { database, workspaceId } = service;

function mailsTo(address: string, count = 1): Promise<ReceivedMail[]> {
  return eventually(
    async () => mailServer.to(address),
    (mails) => mails.length >= count,
  );
}

async function mailTo(address: string, nth = 0) {
  return parseMail((await mailsTo(address, nth + 1))[nth] as ReceivedMail);
}

async function orderGift(address: string, message?: string) {
  const [gift] = await orderGifts(service, [address], message);
  assert.ok(gift);
  return gift;
}

test('an order ends with a mail that has the link, the short code, a text and an HTML part', async () => {
  const gift = await orderGift('mei@acme.example', 'You saved the launch.');
  const mail = await mailTo('mei@acme.example');
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    assert.match(part, /You saved the launch\./);
    assert.ok(part.includes(`https://gifts.acme.example/g#${longToken(keys, gift)}`));
  }
  assert.ok(mail.text?.includes(shortToken(keys, gift)));
  assert.equal(mail.from?.address, 'gifts@acme.example');
  assert.deepEqual(mail.to?.[0], { name: 'Mei', address: 'mei@acme.example' });
});

test('a mail says that a program wrote it, how to end reminders, and asks providers to track nothing', async () => {
  await orderGift('headers@acme.example');
  const mail = await mailTo('headers@acme.example');
  assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated');
  assert.equal(headerOf(mail, 'x-auto-response-suppress'), 'All');
  assert.equal(headerOf(mail, 'content-language'), 'en-CA');
  assert.equal(headerOf(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.match(headerOf(mail, 'list-unsubscribe') ?? '', /^<https:\/\/gifts\.acme\.example\/g\/quiet\/[\w-]+>$/);
  assert.match(headerOf(mail, 'x-smtpapi') ?? '', /"clicktrack":\{"settings":\{"enable":0/);
  assert.match(headerOf(mail, 'x-msys-api') ?? '', /"click_tracking":false/);
  for (const [name, value] of [
    ['x-mailgun-track', 'no'],
    ['x-pm-tracklinks', 'None'],
    ['x-mc-track', 'none'],
    ['x-mailjet-trackclick', '0'],
  ])
    assert.equal(headerOf(mail, name as string), value);
});

test('names cannot add headers', async () => {
  const orderItems = [
    {
      message: 'Hello\r\nBcc: all@acme.example\r\n\r\n<script>alert(1)</script>',
      amount: 25,
      recipient: {
        email: 'inject@acme.example',
        firstName: 'Eve\nBcc: a@acme.example',
        lastName: '"<b>, c@acme.example',
      },
    },
  ];
  await service.fulfilled({ orderItems, currency: 'CAD' });
  const [received] = await mailsTo('inject@acme.example');
  const mail = await parseMail(received as ReceivedMail);
  assert.equal(headerOf(mail, 'bcc'), undefined);
  assert.deepEqual(
    mail.to?.map(({ address }) => address),
    ['inject@acme.example'],
  );
  assert.ok(!mail.html?.includes('<script>alert'));
});

test('the log of a gift has what the mail server answered, and there is one event', async () => {
  const gift = await orderGift('log@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const [entry, ...others] = await giftLog(service, gift.id);
  assert.deepEqual(others, []);
  assert.equal(entry?.type, 'SENT');
  const { answer, messageId, ...detail } = entry.detail;
  assert.deepEqual(detail, { kind: 'GIFT', address: 'log@acme.example' });
  assert.match(String(answer), /^250 /);
  assert.equal(messageId, (await mailTo('log@acme.example')).messageId);
  const { body } = await service.call<{ events: { type: string; data: object }[] }>('/api/v1/events?size=1000');
  const events = body.events.filter(({ data }) => 'giftId' in data && data.giftId === gift.id);
  const { id: giftId, requestId, memberId } = gift;
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, data })),
    [{ type: 'gift.sent', data: { giftId, requestId, memberId } }],
  );
});

test('a mail that is sent again has the same Message-ID and return path', async () => {
  const gift = await orderGift('again@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const resend = (key: string) =>
    inWorkspace(database, workspaceId, (tx) => resendGift(tx, workspaceId, gift, { key }));
  assert.deepEqual(await resend('one'), { state: 'QUEUED', isReplay: false });
  const mails = await mailsTo('again@acme.example', 2);
  const [first, second] = await Promise.all(mails.map(parseMail));
  assert.equal(first?.messageId, second?.messageId);
  assert.match(String(first?.messageId), /^<gift\.g\..+@acme\.example>$/);
  assert.equal(mails[0]?.from, mails[1]?.from);
  assert.match(String(mails[0]?.from), /^bounces\+gift\.g\..+@acme\.example$/);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.deepEqual(await resend('one'), { state: 'SENT', isReplay: true });
});

test('a gift that is sent again at the moment of its reminder gets both emails once, and the next reminder', async () => {
  const gift = await orderGift('both@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await inWorkspace(database, workspaceId, async (tx) => {
    await resendGift(tx, workspaceId, gift);
    await advanceClock(tx, workspaceId, 4 * 86_400);
  });
  const rows = await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SENT', 'REMINDER SCHEDULED']);
  assert.deepEqual(
    rows.map(({ kind, nth }) => [kind, nth]),
    [
      ['GIFT', 0],
      ['REMINDER', 1],
      ['REMINDER', 2],
    ],
  );
  assert.equal(mailServer.to('both@acme.example').length, 3);
});

test('a gift without an address is mailed once somebody gives one', async () => {
  const orderItems = [{ message: 'Hi', amount: 25, recipient: { employeeNumber: 'E-77' } }];
  const { certificates } = await service.fulfilled({ orderItems, currency: 'CAD' });
  const id = certificates[0]?.id as number;
  await mailStates(service, id, ['GIFT NO_ADDRESS']);
  const [gift] = await readGiftsById(database, workspaceId, [id]);
  assert.ok(gift);
  const resend = (address?: string) =>
    inWorkspace(database, workspaceId, (tx) => resendGift(tx, workspaceId, gift, address ? { address } : {}));
  assert.deepEqual(await resend(), { state: 'NO_ADDRESS', isReplay: false });
  assert.deepEqual(await resend('found@acme.example'), { state: 'QUEUED', isReplay: false });
  await mailsTo('found@acme.example');
});

test('the mail about a cancelled gift is not sent', async () => {
  const deliverAt = new Date(Date.now() + 3_600_000).toISOString();
  const gift = await orderGift('cancelled@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await inWorkspace(database, workspaceId, async (tx) => {
    await moveGifts(tx, workspaceId, [{ type: 'CANCELLED', gift }]);
    await queueMail(tx, workspaceId, { gift, kind: 'CODE', nth: 1, dueAt: deliverAt });
  });
  await passDays(service, 4);
  await mailStates(service, gift.id, ['CODE CANCELLED', 'GIFT SENT', 'REMINDER CANCELLED']);
  assert.equal(mailServer.to('cancelled@acme.example').length, 1);
});

test('reminders come on days 3 and 10 and end with a claim', async () => {
  const [gift, claimed, quiet] = await orderGifts(service, ['r1@acme.example', 'r2@acme.example', 'r3@acme.example']);
  assert.ok(gift && claimed && quiet);
  for (const { id } of [gift, claimed, quiet]) await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await inWorkspace(database, workspaceId, async (tx) => {
    await moveGifts(tx, workspaceId, [{ type: 'CLAIMED', gift: claimed }]);
    await stopReminders(tx, workspaceId, quiet);
  });
  await passDays(service, 4);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SENT', 'REMINDER SCHEDULED']);
  await passDays(service, 7);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SENT', 'REMINDER SENT']);
  await mailStates(service, claimed.id, ['GIFT SENT', 'REMINDER CANCELLED']);
  assert.deepEqual(
    (await mailsOf(service, quiet.id)).map(({ kind, nth, state }) => [kind, nth, state]),
    [
      ['GIFT', 0, 'SENT'],
      ['REMINDER', 0, 'CANCELLED'],
      ['REMINDER', 1, 'CANCELLED'],
    ],
  );
  const ids = await Promise.all(mailServer.to('r1@acme.example').map(async (one) => (await parseMail(one)).messageId));
  assert.equal(new Set(ids).size, 3);
  assert.equal(mailServer.to('r2@acme.example').length, 1);
  assert.equal(mailServer.to('r3@acme.example').length, 1);
  assert.deepEqual(
    (await giftLog(service, gift.id)).map(({ type }) => type),
    ['SENT', 'REMINDED', 'REMINDED'],
  );
});

test('every mail about a corrected gift goes to the corrected address', async () => {
  const { id } = await orderGift('mistyped@acme.example');
  await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const correct = { method: 'POST', body: { email: 'right@acme.example' } };
  // While its mail is being written down as sent, it cannot be corrected.
  await eventually(async () => (await service.call(`/api/v1/gifts/${id}/correct`, correct)).status === 200);
  const former = ['GIFT SENT', 'REMINDER CANCELLED'];
  await mailStates(service, id, [...former, 'GIFT SENT', 'REMINDER SCHEDULED']);
  const [gift] = await readGiftsById(database, workspaceId, [id]);
  assert.ok(gift);
  await inWorkspace(database, workspaceId, (tx) => queueMail(tx, workspaceId, { gift, kind: 'CODE', nth: 1 }));
  await passDays(service, 4);
  await mailStates(service, id, [...former, 'GIFT SENT', 'CODE SENT', 'REMINDER SENT', 'REMINDER SCHEDULED']);
  assert.equal(mailServer.to('right@acme.example').length, 3);
  assert.equal(mailServer.to('mistyped@acme.example').length, 1, 'only the mail before the correction');
});

test('a workspace that switches mails off sends none that waits', async () => {
  const switchMails = (mailsGifts: boolean) =>
    service.call('/api/v1/settings', { method: 'PATCH', body: { mailsGifts } });
  const { now } = await readClock(database, workspaceId);
  const deliverAt = new Date(now.getTime() + 3_600_000).toISOString();
  const recipient = { email: 'later@acme.example' };
  const order = { orderItems: [{ message: 'Hi', amount: 25, recipient }], currency: 'CAD', deliverAt };
  const { certificates } = await service.fulfilled(order);
  const id = certificates[0]?.id as number;
  await mailStates(service, id, ['GIFT SCHEDULED']);
  const reminded = await orderGift('reminded@acme.example');
  await mailStates(service, reminded.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal((await switchMails(false)).status, 200);
  await passDays(service, 4);
  await mailStates(service, id, ['GIFT CANCELLED']);
  await mailStates(service, reminded.id, ['GIFT SENT', 'REMINDER CANCELLED']);
  assert.equal((await switchMails(true)).status, 200);
  assert.deepEqual(
    ['later', 'reminded'].map((name) => mailServer.to(`${name}@acme.example`).length),
    [0, 1],
  );
});

test('no log line has a token of a gift', async () => {
  const gift = await orderGift('logs@acme.example');
  await mailsTo('logs@acme.example');
  const lines = JSON.stringify(service.logLines());
  for (const secret of [longToken(keys, gift), shortToken(keys, gift)]) assert.ok(!lines.includes(secret));
});
