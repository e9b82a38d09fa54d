import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedName } from '../../src/giving/delivery/compose/message-id.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { refusal } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const keys = giftTokenKeys(parseTokenKeys(tokenKey));
const { service, workspace, issue, gift, setMail } = await openGifts(tokenKey);

/** A gift whose mail was sent, and the name of that mail. */
async function mailed(): Promise<{ id: number; name: string }> {
  const [id] = (await issue({ email: 'ada@example.com' })) as [number];
  await setMail(id, 'SENT');
  return {
    id,
    name: signedName(keys, { kind: 'GIFT', workspaceId: workspace.id, giftId: id, edition: 0, nth: 0 }, keys.current),
  };
}

const report = (body: unknown, type = 'application/json', from = workspace) =>
  from.call('/api/v1/bounces', { method: 'POST', body, headers: { 'Content-Type': type } });

const raw = (name: string) =>
  [
    'From: MAILER-DAEMON@mx.example.net',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Final-Recipient: rfc822; ada@example.com',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 No such user',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: <${name}@example.com>`,
    '',
    '--b--',
  ].join('\r\n');

test('a bounce as JSON fails the delivery of its gift, once', async () => {
  const { id, name } = await mailed();
  const bounce = { returnPath: `bounces+${name}@example.com`, status: '5.1.1', reason: '550 No such user' };
  const { status, body } = await report(bounce);
  assert.deepEqual([status, body], [200, { giftId: id, effect: 'FAILED' }]);
  const failed = await gift(id);
  assert.equal(failed.delivery, 'FAILED');
  assert.partialDeepStrictEqual(failed.timeline.at(-1), {
    type: 'DELIVERY_FAILED',
    detail: { answer: '550 No such user', status: '5.1.1' },
  });
  assert.deepEqual((await report(bounce)).body, { giftId: id, effect: 'KNOWN' });
  assert.deepEqual(await gift(id), failed);
});

test('a bounce as the mail server sent it does the same', async () => {
  for (const type of ['message/rfc822', 'multipart/report; report-type=delivery-status; boundary="b"']) {
    const { id, name } = await mailed();
    assert.deepEqual((await report(raw(name), type)).body, { giftId: id, effect: 'FAILED' });
    assert.match(String((await gift(id)).timeline.at(-1)?.detail.answer), /550 5\.1\.1 No such user/);
  }
});

test('what names no mail of the workspace, or is no report, changes nothing', async () => {
  const { id, name } = await mailed();
  const forged = `${name.slice(0, -1)}${name.endsWith('0') ? '1' : '0'}`;
  const elsewhere = await giftsOf(service);
  for (const answer of [
    await report({ messageId: forged, status: '5.1.1' }),
    await report({ messageId: '<other@example.com>', status: '5.1.1' }),
    await report({ messageId: name, status: '5.1.1' }, undefined, elsewhere.workspace),
    await report(raw(forged), 'message/rfc822'),
  ])
    assert.match(refusal(answer, 404), /No email of this workspace has this name/);
  assert.match(refusal(await report('Subject: I am away', 'message/rfc822'), 400), /must be a delivery status report/);
  assert.match(refusal(await report({ status: '5.1.1' }), 400), /must have a messageId or a returnPath/);
  assert.match(
    refusal(await report({ messageId: name, status: '2.0.0' }), 400),
    /status must be a status code of a failure/,
  );
  refusal(await report('x'.repeat(2 * 1024 * 1024), 'message/rfc822'), 413);
  refusal(await report('a,b', 'text/csv'), 415);
  assert.equal((await gift(id)).delivery, 'SENT');
});
