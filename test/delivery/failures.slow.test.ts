import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readGiftSettings } from '../../src/company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { isInFlight, queueMail } from '../../src/giving/delivery/queue.ts';
import { saveResults } from '../../src/giving/delivery/send/results.ts';
import { makeCode } from '../../src/giving/gifts/codes.ts';
import { type Gift, readGiftsById } from '../../src/giving/gifts/gift.ts';
import { eventually } from '../support/eventually.ts';
import { whileLocked } from '../support/held-locks.ts';
import { giftLog, mailSettings, mailStates, mailsOf, orderGifts, passDays } from '../support/mail-queue.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import type { MailAnswer } from '../support/smtp.ts';

/** What the mail server answers to a recipient, and to the mail itself, the first time and afterwards. */
const answers = new Map<string, MailAnswer[]>();
const next = (key: string) => answers.get(key)?.shift();
const whileReading = new Map<string, () => Promise<void>>();
const mailServer = await startMailServer({
  onRecipient: (address) => next(`RCPT ${address}`),
  async onMail({ to }) {
    await whileReading.get(to)?.();
    return next(`DATA ${to}`);
  },
});
const service = await startService(mailSettings(mailServer.url));
const { database, workspaceId } = service;

async function orderGift(address: string) {
  const [gift] = await orderGifts(service, [address]);
  assert.ok(gift);
  return gift;
}

test('a recipient whom the server refuses for good has failed, with the reason, and there is one event', async () => {
  answers.set('RCPT gone@acme.example', ['550 5.1.1 No such user']);
  const gift = await orderGift('gone@acme.example');
  await mailStates(service, gift.id, ['GIFT FAILED']);
  const [entry] = await giftLog(service, gift.id);
  assert.equal(entry?.type, 'DELIVERY_FAILED');
  assert.equal(entry.detail.answer, '550 5.1.1 No such user');
  const { body } = await service.call<{ events: { type: string; data: Record<string, unknown> }[] }>(
    '/api/v1/events?size=1000',
  );
  const events = body.events.filter(({ data }) => data.giftId === gift.id);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.status]),
    [['gift.delivery_failed', '5.1.1']],
  );
  assert.ok(!JSON.stringify(events).includes('gone@'));
});

test('a recipient at whom the server breaks off every conversation does not hold up the others', async () => {
  answers.set('RCPT bad@acme.example', Array(1_000).fill('cut'));
  answers.set('RCPT throttled@acme.example', Array(1_000).fill('421 4.7.0 Too many mails to this mailbox'));
  await orderGift('bad@acme.example');
  await orderGift('throttled@acme.example');
  const gift = await orderGift('after@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  answers.delete('RCPT bad@acme.example');
  answers.delete('RCPT throttled@acme.example');
});

test('a mail that the server puts off is tried again later', async () => {
  answers.set('RCPT busy@acme.example', ['451 4.7.1 Greylisted']);
  const gift = await orderGift('busy@acme.example');
  const [deferred] = await mailStates(service, gift.id, ['GIFT DEFERRED']);
  assert.equal(deferred?.attempts, 1);
  assert.deepEqual(mailServer.to('busy@acme.example'), []);
  await passDays(service, 1);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.deepEqual(
    (await giftLog(service, gift.id)).map(({ type }) => type),
    ['DEFERRED', 'SENT'],
  );
});

test('a mail with a code is tried again while the code is good, and withdrawn when it has ended', async () => {
  const address = 'code@acme.example';
  const gift = await orderGift(address);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const mailCode = () =>
    inWorkspace(database, workspaceId, async (tx) => {
      const made = await makeCode(tx, gift);
      assert.ok(typeof made === 'object');
      await queueMail(tx, workspaceId, { gift, kind: 'CODE', nth: made.nth });
    });
  const minute = 1 / 1_440;
  answers.set(`RCPT ${address}`, ['451 4.7.1 Greylisted']);
  await mailCode();
  await mailStates(service, gift.id, ['CODE DEFERRED', 'GIFT SENT', 'REMINDER SCHEDULED']);
  await passDays(service, 5 * minute);
  await mailStates(service, gift.id, ['CODE SENT', 'GIFT SENT', 'REMINDER SCHEDULED']);
  answers.set(`RCPT ${address}`, ['451 4.7.1 Greylisted']);
  await mailCode();
  await mailStates(service, gift.id, ['CODE SENT', 'CODE DEFERRED', 'GIFT SENT', 'REMINDER SCHEDULED']);
  await passDays(service, 15 * minute);
  await mailStates(service, gift.id, ['CODE SENT', 'CODE CANCELLED', 'GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(mailServer.to(address).length, 2);
});

test('a mail that the server puts off for five days has failed', async () => {
  answers.set('RCPT full@acme.example', Array<MailAnswer>(50).fill('452 4.2.2 Mailbox full'));
  const gift = await orderGift('full@acme.example');
  const state = async () => (await mailsOf(service, gift.id))[0];
  for (;;) {
    const before = await eventually(
      state,
      (mail) => mail !== undefined && (mail.state === 'FAILED' || mail.dueAt > new Date()),
    );
    if (before?.state === 'FAILED') break;
    await passDays(service, 1.3);
    await eventually(state, (mail) => mail?.attempts !== before?.attempts);
  }
  const log = await giftLog(service, gift.id);
  assert.equal(log.length, 14);
  assert.equal(log.at(-1)?.type, 'DELIVERY_FAILED');
  answers.delete('RCPT full@acme.example');
});

test('a connection that is cut before the mail costs no attempt, and the mail arrives once', async () => {
  answers.set('RCPT cut@acme.example', ['cut']);
  const gift = await orderGift('cut@acme.example');
  const [sent] = await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(sent?.attempts, 0);
  assert.equal(mailServer.to('cut@acme.example').length, 1);
});

test('a mail without an answer may have arrived, and is sent again with the same Message-ID', async () => {
  answers.set('DATA unknown@acme.example', ['cut']);
  const gift = await orderGift('unknown@acme.example');
  await mailStates(service, gift.id, ['GIFT DEFERRED']);
  await passDays(service, 1);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const ids = await Promise.all(
    mailServer.to('unknown@acme.example').map(async (mail) => (await parseMail(mail)).messageId),
  );
  assert.equal(ids.length, 2);
  assert.equal(new Set(ids).size, 1);
});

test('a gift is in flight while its mail is handed over', async () => {
  const giftIds = () =>
    database.query<{ id: number }>('select id from certificates where workspace_id = $1 order by id desc limit 1', [
      workspaceId,
    ]);
  const ask = async () => {
    const [{ id }] = (await giftIds()) as [{ id: number }];
    return inWorkspace(database, workspaceId, (tx) => isInFlight(tx, workspaceId, id));
  };
  const seen: boolean[] = [];
  whileReading.set('flying@acme.example', async () => void seen.push(await ask()));
  const gift = await orderGift('flying@acme.example');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.deepEqual(seen, [true]);
  assert.equal(await ask(), false);
});

test('a result that is written twice, because nobody heard of its commit, is one entry and one event', async () => {
  const address = 'twice@acme.example';
  const { id } = await orderGift(address);
  await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const before = await giftLog(service, id);
  const settings = await readGiftSettings(database, workspaceId);
  await inWorkspace(database, workspaceId, async (tx) => {
    const [gift] = (await readGiftsById(tx, workspaceId, [id])) as [Gift];
    const due = {
      kind: 'GIFT',
      edition: 0,
      nth: 0,
      attempts: 0,
      giftSentAt: null,
      isQuiet: false,
      decision: null,
      codeEndsAt: null,
    } as const;
    const mail = { ...due, gift, address, dueAt: new Date(), readAt: new Date() };
    await saveResults(tx, workspaceId, settings, [
      { mail, messageId: '<1>', outcome: { is: 'sent', answer: '250' }, waitedSeconds: 0 },
    ]);
  });
  assert.deepEqual(await giftLog(service, id), before);
  await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
});

test('a mail whose result the database does not take at first is not sent again', async () => {
  const address = 'written.later@acme.example';
  // A sequence counts what is rolled back, too.
  await database.query('create sequence failed_writes minvalue 0');
  await database.query(
    `create function fail_to_write() returns trigger language plpgsql as
     $$ begin perform nextval('failed_writes'); raise exception 'no room'; end $$`,
  );
  await database.query(
    `create trigger fails before update on mails
        for each row when (new.state = 'SENT') execute function fail_to_write()`,
  );
  const gift = await orderGift(address);
  await eventually(async () => {
    const [row] = await database.query<{ failed: number }>('select last_value::int as failed from failed_writes');
    return Number(row?.failed) >= 2;
  });
  await database.query('drop trigger fails on mails');
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(mailServer.to(address).length, 1);
});

test('a mail whose result waits to be written is not sent again, also when the lease has ended', async () => {
  const address = 'once@acme.example';
  const over = Promise.withResolvers<void>();
  let locked: Promise<void> | null = null;
  whileReading.set(address, async () => {
    const isLocked = Promise.withResolvers<void>();
    locked = whileLocked(database.url, [workspaceId], () => {
      isLocked.resolve();
      return over.promise;
    });
    await isLocked.promise;
  });
  const gift = await orderGift(address);
  await eventually(async () => locked !== null);
  await database.query(`update mail_queues set lease_until = now() - interval '1 minute' where workspace_id = $1`, [
    workspaceId,
  ]);
  // The sender looks for mails several times in this second.
  await sleep(1_000);
  over.resolve();
  await locked;
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(mailServer.to(address).length, 1);
});
