import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimCode } from '../../src/giving/gifts/codes.ts';
import { longToken } from '../../src/giving/gifts/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, keys, titleOf, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const gifts = createGifts(service);

async function mailsOf(kind: string, id: number): Promise<{ nth: number }[]> {
  const { requestId } = await gifts.read({ id });
  return service.database.query('select nth from mails where request_id = $1 and kind = $2 order by nth', [
    requestId,
    kind,
  ]);
}

const typesSince = async (count: number) => (await gifts.events()).slice(count);

test('looking at a gift any number of times is one event and claims nothing', async () => {
  const { longToken: token, shortToken: code, id } = await gifts.order();
  const before = (await gifts.events()).length;
  for (let nth = 0; nth < 3; nth++) {
    await Promise.all([gifts.post('/g', { token }), gifts.post('/g/look', { token }), gifts.post('/g', { code })]);
    assert.equal((await gifts.read({ id })).state, 'ISSUED');
  }
  assert.deepEqual(await typesSince(before), ['gift.viewed']);
});

test('a hundred claims at the same time are one', async () => {
  const { longToken: token, id } = await gifts.order();
  const before = (await gifts.events()).length;
  const answers = await Promise.all(Array.from({ length: 100 }, () => gifts.post('/g/claim', { token })));
  const served = answers.filter(({ status }) => status === 200);
  assert.ok(served.length > 0);
  // A busy service says so, and a browser's next try is answered.
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 503].includes(status)),
    [],
  );
  for (const answer of served) assert.equal(titleOf(answer), 'It is yours, Mei');
  assert.deepEqual(await typesSince(before), ['gift.claimed']);
  const { requestId } = await gifts.read({ id });
  const log = `select type from gift_log where request_id = $1 and type <> 'SENT'`;
  assert.deepEqual(await service.database.query(log, [requestId]), [{ type: 'CLAIMED' }]);
});

test('a claim ends what waits to be mailed about the gift', async () => {
  const { longToken: token, id } = await gifts.order();
  await eventually(async () => (await gifts.reminders({ id })).includes('SCHEDULED'));
  await gifts.post('/g/claim', { token });
  assert.deepEqual(await gifts.reminders({ id }), ['CANCELLED']);
});

test('thanks are sent once, and a second note changes nothing', async () => {
  const { longToken: token, id } = await gifts.order();
  const early = await gifts.post('/g/thanks', { token, thanks: 'Too early' });
  assert.equal(early.status, 409);
  await gifts.post('/g/claim', { token });
  const before = (await gifts.events()).length;
  const notes = Array.from({ length: 20 }, (_, nth) => gifts.post('/g/thanks', { token, thanks: `Thank you ${nth}` }));
  await Promise.all(notes);
  const { thanks } = await gifts.read({ id });
  assert.match(thanks ?? '', /^Thank you \d+$/);
  const later = await gifts.post('/g/thanks', { token, thanks: 'Another' });
  assert.ok(later.text.includes(thanks as string));
  assert.equal((await gifts.read({ id })).thanks, thanks);
  assert.deepEqual(await typesSince(before), ['gift.thanked']);
});

test('a note has 1 to 500 characters of text', async () => {
  const { longToken: token, id } = await gifts.order();
  await gifts.post('/g/claim', { token });
  for (const thanks of ['', '  \n ', 'x'.repeat(501), 'nul\0'])
    assert.equal((await gifts.post('/g/thanks', { token, thanks })).status, 400, JSON.stringify(thanks));
  assert.equal((await gifts.read({ id })).thanks, null);
  const longest = '🎁'.repeat(499);
  assert.equal((await gifts.post('/g/thanks', { token, thanks: ` ${longest}\r\n ` })).status, 200);
  assert.equal((await gifts.read({ id })).thanks, longest);
});

test('a gift that has ended or was cancelled cannot be claimed, and says what to do', async () => {
  await gifts.set(`gift_days = 10, reply_to = 'people@example.com'`);
  const ended = await gifts.order();
  await gifts.set('gift_days = null');
  const cancelled = await gifts.order();
  await gifts.move(cancelled, 'CANCELLED');
  await gifts.advance(12 * 86_400);
  const before = (await gifts.events()).length;
  for (const [{ longToken: token }, title] of [
    [ended, /^This gift expired on /],
    [cancelled, /cancelled this gift$/],
  ] as const) {
    const looked = await gifts.post('/g', { token });
    assert.equal(looked.status, 200);
    assert.match(titleOf(looked), title);
    const claimed = await gifts.post('/g/claim', { token });
    assert.equal(claimed.status, 409);
    assert.match(titleOf(claimed), title);
    assert.match(claimed.text, /href="mailto:people@example\.com\?subject/);
    assert.doesNotMatch(claimed.text, /action="\/g\/claim"/);
  }
  // Time has passed, so that gifts may be reminded of and end in between.
  const types = (await typesSince(before)).filter((type) => !['gift.reminded', 'gift.expired'].includes(type));
  assert.deepEqual(types, ['gift.viewed']);
});

test('the page of a cancelled gift names the sender to ask once', async () => {
  await gifts.set('reply_to = null');
  const cancelled = await gifts.order();
  await gifts.move(cancelled, 'CANCELLED');
  const { text } = await gifts.post('/g', { token: cancelled.longToken });
  assert.equal(text.match(/\bask /gi)?.length, 1, text);
});

test('the link and the code of an earlier edition end at once, also for a claim', async () => {
  const certificate = await gifts.order();
  await gifts.post('/g', { token: certificate.longToken });
  const after = await gifts.reissue(certificate);
  for (const path of ['/g', '/g/look', '/g/claim', '/g/thanks', '/g/code'])
    for (const fields of [{ token: certificate.longToken }, { code: certificate.shortToken }])
      assert.equal((await gifts.post(path, fields as never)).status, 404, path);
  assert.equal((await gifts.read(certificate)).state, 'ISSUED');
  assert.equal((await gifts.post('/g/claim', { token: longToken(keys, after) })).status, 200);
});

test('a large gift asks for the digits that were mailed, and takes those of the newest mail alone', async () => {
  await gifts.set('code_above = 50');
  const small = await gifts.order({ amount: 50 });
  assert.equal(titleOf(await gifts.post('/g/claim', { token: small.longToken })), 'It is yours, Mei');

  const { longToken: token, id } = await gifts.order({ amount: 51 });
  const gift = await gifts.read({ id });
  assert.equal(titleOf(await gifts.post('/g/claim', { token })), 'One more step');
  assert.equal((await mailsOf('CODE', id)).length, 1);
  await gifts.post('/g/code', { token });
  assert.equal((await mailsOf('CODE', id)).length, 1, 'one a minute at most');
  await gifts.advance(61);
  await gifts.post('/g/code', { token });
  assert.equal((await mailsOf('CODE', id)).length, 2);

  const digits = claimCode(keys, gift, 2);
  assert.match(digits, /^\d{6}$/);
  assert.equal((await gifts.post('/g/claim', { token, digits: claimCode(keys, gift, 1) })).status, 409);
  assert.equal((await gifts.read({ id })).state, 'ISSUED');
  const claimed = await gifts.post('/g/claim', { token, digits: `${digits.slice(0, 3)} ${digits.slice(3)}` });
  assert.deepEqual([claimed.status, titleOf(claimed)], [200, 'It is yours, Mei']);
});

test('digits end after 15 minutes and after five wrong tries', async () => {
  const wrong = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  await gifts.set('code_above = 50');
  const { longToken: token, id } = await gifts.order({ amount: 51 });
  const gift = await gifts.read({ id });
  await gifts.post('/g/claim', { token });
  const first = claimCode(keys, gift, 1);
  await gifts.advance(15 * 60 + 1);
  assert.match((await gifts.post('/g/claim', { token, digits: first })).text, /This code has expired/);

  await gifts.post('/g/code', { token });
  const second = claimCode(keys, gift, 2);
  const tries = await Promise.all(
    Array.from({ length: 5 }, () => gifts.post('/g/claim', { token, digits: wrong(second) })),
  );
  assert.equal(tries.filter(({ text }) => /not the code from the latest/.test(text)).length, 4);
  assert.match((await gifts.post('/g/claim', { token, digits: second })).text, /This code has expired/);
  assert.equal((await gifts.read({ id })).state, 'ISSUED');

  for (let nth = 3; nth <= 12; nth++) {
    await gifts.advance(61);
    await gifts.post('/g/code', { token });
  }
  assert.equal((await mailsOf('CODE', id)).length, 10, 'ten a day at most');
  await gifts.advance(86_400);
  await gifts.post('/g/code', { token });
  const eleventh = claimCode(keys, gift, 11);
  assert.equal((await gifts.post('/g/claim', { token, digits: eleventh })).status, 200);
});

test('somebody without an address is told that no digits can be mailed', async () => {
  await gifts.set('code_above = 50');
  const { longToken: token } = await gifts.order({ amount: 51, recipient: { employeeNumber: '4711' } });
  for (const path of ['/g/claim', '/g/claim', '/g/code']) {
    const answer = await gifts.post(path, { token });
    assert.deepEqual([answer.status, titleOf(answer)], [409, 'We cannot email you a verification code']);
  }
});
