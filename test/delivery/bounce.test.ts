import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { takeBounce } from '../../src/giving/delivery/bounce.ts';
import { readReport } from '../../src/giving/delivery/bounce-report.ts';
import {
  type MailName,
  readMailNames,
  returnPathOf,
  signedName,
} from '../../src/giving/delivery/compose/message-id.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import type { Actor } from '../../src/ground/contract/actor.ts';
import fc from '../support/fast-check.ts';
import { parseKeys } from '../support/keys.ts';
import { giftLog, mailSettings, mailStates, orderGifts } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import type { ReceivedMail } from '../support/smtp.ts';

const tokenKey = '2:another key that is long enough for a test,1:a key that is long enough for a test';
const keys = parseKeys(tokenKey);
const mailServer = await startMailServer();
const service = await startService({ ...mailSettings(mailServer.url), tokenKey });
const { database, workspaceId } = service;
const reporter: Actor = { is: 'TOKEN', id: 7, name: 'Mail room' };

/** A report as Postfix sends it. */
function report(mail: ReceivedMail, { status = '5.1.1', action = 'failed' } = {}): string {
  return [
    'From: MAILER-DAEMON@mx.example',
    `To: ${mail.from}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Status: 2.0.0 is what somebody writes here.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${mail.to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 The account',
    '    does not exist',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    mail.raw.toString(),
    '--b--',
  ].join('\r\n');
}

async function sentGift(address: string) {
  const [gift] = await orderGifts(service, [address]);
  assert.ok(gift);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  return { gift, mail: mailServer.to(address)[0] as ReceivedMail };
}

function take(raw: string) {
  const facts = readReport(raw);
  assert.ok(facts);
  return takeBounce(database, keys, reporter, workspaceId, facts);
}

test('a mail that came back has failed, and its reminders end', async () => {
  const { gift, mail } = await sentGift('gone@acme.example');
  assert.deepEqual(await take(report(mail)), { giftId: gift.id, effect: 'FAILED' });
  await mailStates(service, gift.id, ['GIFT FAILED', 'REMINDER CANCELLED']);
  const entry = (await giftLog(service, gift.id)).at(-1);
  assert.equal(entry?.type, 'DELIVERY_FAILED');
  assert.equal(entry.detail.answer, '550 5.1.1 The account does not exist');
  assert.deepEqual(entry.detail.by, reporter);
  assert.deepEqual(await take(report(mail)), { giftId: gift.id, effect: 'KNOWN' });
});

test('a report of a delay is noted and fails nothing', async () => {
  const { gift, mail } = await sentGift('slow@acme.example');
  const raw = report(mail, { status: '4.4.1', action: 'delayed' });
  assert.deepEqual(await take(raw), { giftId: gift.id, effect: 'DEFERRED' });
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.deepEqual(
    (await giftLog(service, gift.id)).map(({ type }) => type),
    ['SENT', 'DEFERRED'],
  );
});

test('a report that says failed is the end, whatever its status; without an action the status decides', async () => {
  const { gift, mail } = await sentGift('given-up@acme.example');
  const raw = report(mail, { status: '4.4.7', action: 'Failed' });
  const reported = async (body: string) =>
    (await service.call('/api/v1/bounces', { method: 'POST', headers: { 'Content-Type': 'message/rfc822' }, body }))
      .body;
  assert.deepEqual(await reported(raw.replace(/^Action: .*\r\n/m, '')), { giftId: gift.id, effect: 'DEFERRED' });
  const delayed = report(mail, { status: '5.4.7', action: 'delayed' });
  assert.deepEqual(await reported(delayed), { giftId: gift.id, effect: 'DEFERRED' });
  assert.deepEqual(await reported(raw), { giftId: gift.id, effect: 'FAILED' });
  await mailStates(service, gift.id, ['GIFT FAILED', 'REMINDER CANCELLED']);
  const entry = (await giftLog(service, gift.id)).at(-1);
  assert.deepEqual([entry?.type, entry?.detail.status], ['DELIVERY_FAILED', '4.4.7']);
});

test('thanks that are delayed have not failed; thanks that came back have', async () => {
  const { gift } = await sentGift('thankful@acme.example');
  await database.query(
    `insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
     values ($1, $2, $3, 'THANKS', 0, 0, 'SENT', now())`,
    [workspaceId, gift.requestId, gift.position],
  );
  const name: MailName = { kind: 'THANKS', workspaceId, giftId: gift.id, edition: 0, nth: 0 };
  const messageId = signedName(keys, name, gift.keyVersion);
  const reported = async (status: string) =>
    (await service.call('/api/v1/bounces', { method: 'POST', body: { messageId, status } })).body;
  assert.deepEqual(await reported('4.4.1'), { giftId: gift.id, effect: 'DEFERRED' });
  assert.deepEqual(await reported('5.1.1'), { giftId: gift.id, effect: 'FAILED' });
  assert.deepEqual(
    (await giftLog(service, gift.id)).slice(-2).map(({ type }) => type),
    ['DEFERRED', 'THANKS_FAILED'],
  );
});

test('a reason that is cut inside a character is noted', async () => {
  const { gift, mail } = await sentGift('emoji@acme.example');
  const body = { returnPath: mail.from, status: '4.2.2', reason: `${'a'.repeat(499)}😀` };
  const { status, body: effect } = await service.call('/api/v1/bounces', { method: 'POST', body });
  assert.equal(status, 200, JSON.stringify(effect));
  assert.equal((await giftLog(service, gift.id)).at(-1)?.detail.answer, `${'a'.repeat(499)}�`);
});

test('a report about an earlier edition changes nothing that counts', async () => {
  const { gift, mail } = await sentGift('former@acme.example');
  await inWorkspace(database, workspaceId, (tx) =>
    moveGifts(tx, workspaceId, [{ type: 'REISSUED', gift, detail: { edition: 1, shortTokenHash: `${gift.id}` } }]),
  );
  assert.deepEqual(await take(report(mail)), { giftId: gift.id, effect: 'KNOWN' });
  assert.ok(!(await giftLog(service, gift.id)).some(({ type }) => type === 'DELIVERY_FAILED'));
});

test('a return path is enough, also of a mail whose key has been replaced; nobody else can make one', async () => {
  const { gift } = await sentGift('path@acme.example');
  const name: MailName = { kind: 'GIFT', workspaceId, giftId: gift.id, edition: 0, nth: 0 };
  const made = (byKeys: typeof keys) =>
    returnPathOf(signedName(byKeys, name, byKeys.current), 'bounces@acme.example', 'a@acme.example');
  const facts = (names: string) => ({ names, status: '5.1.1', isFinal: true, answer: '' });
  const forged = made(parseKeys('a key that somebody else has thought of'));
  assert.equal(await takeBounce(database, keys, reporter, workspaceId, facts(forged)), null);
  const former = made(parseKeys('1:a key that is long enough for a test'));
  assert.equal(await takeBounce(database, keys, reporter, workspaceId + 1, facts(former)), null);
  assert.equal(
    (await takeBounce(database, keys, reporter, workspaceId, facts(former.toUpperCase())))?.effect,
    'FAILED',
  );
});

const number = fc.integer({ min: 0, max: 99_999 });
const names = fc.record({
  kind: fc.constantFrom('GIFT', 'REMINDER', 'THANKS', 'CODE'),
  workspaceId: fc.integer({ min: 1, max: 1e12 }),
  giftId: fc.integer({ min: 1, max: 1e14 }),
  edition: number,
  nth: number,
});

test('a name is found in any text around it, and no changed one is', () => {
  fc.assert(
    fc.property(names, fc.string(), fc.string(), (name, before, after) => {
      const text = signedName(keys, name as MailName, keys.current);
      assert.deepEqual(readMailNames(keys, `${before}+${text}@${after}`)[0], { ...name });
      assert.deepEqual(
        readMailNames(
          keys,
          text.replace(/\d(?=\.[0-9a-f]{16}$)/, (digit) => `${(+digit + 1) % 10}`),
        ),
        [],
      );
    }),
  );
});

test('no text breaks the reader of reports', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'Content-Type: message/delivery-status',
      'Status: 5.1.1',
      'Status:',
      'Action: failed',
      'Action: delivered',
      'Action: constructor',
      'Diagnostic-Code: smtp; 550',
      ' more',
      '--b',
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const facts = readReport(lines.join('\r\n'));
      if (facts) assert.match(facts.status, /^[45]\.\d{1,3}\.\d{1,3}$/);
    }),
  );
  assert.equal(readReport('Content-Type: message/delivery-status\naction: constructor\n'), null);
  assert.equal(readReport('Subject: Out of office\r\n\r\nStatus: 5.1.1'), null);
  assert.ok(readReport(`Content-Type: message/delivery-status\n\nAction: failed\n${'Status: \n'.repeat(1e5)}`));
});
