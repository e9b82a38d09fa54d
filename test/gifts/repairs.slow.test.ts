import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByLongToken, findByShortToken } from '../../src/giving/gifts/gift.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import { giftStates } from '../../src/ground/contract/gift.ts';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { startService } from '../support/service.ts';
import { isReplay, refusal } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const keys = giftTokenKeys(parseTokenKeys(tokenKey));
const gifts = await openGifts(tokenKey);
const { workspace, issue, gift, repair, repaired, setState, setExpiry, setMail } = gifts;
const { database } = gifts.service;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10);
const ada = { email: 'ada@example.com' };
const bodies: Record<string, unknown> = { correct: { email: 'new@example.com' }, extend: { expiresOn: dayIn(30) } };

const belongs = /it was claimed, and belongs to the person who has claimed it/;
const neverExpires = /it was claimed, and a claimed gift does not expire/;

/** What each repair answers in each state: nothing where it is done, else the words of the 409. */
const table: Record<string, Record<(typeof giftStates)[number], RegExp | null>> = {
  resend: {
    ISSUED: null,
    CLAIMED: null,
    PARTLY_REDEEMED: null,
    REDEEMED: /cannot be sent again: it is redeemed: nothing is left to send\.$/,
    EXPIRED: /cannot be sent again: it has expired: extend it first, then send it again\.$/,
    CANCELLED: /cannot be sent again: it was cancelled: order a new one\.$/,
  },
  correct: {
    ISSUED: null,
    CLAIMED: belongs,
    PARTLY_REDEEMED: belongs,
    REDEEMED: /it is redeemed: order another one for the new address\.$/,
    EXPIRED: /it has expired: extend it first, then correct the address\.$/,
    CANCELLED: /it was cancelled: order a new one\.$/,
  },
  cancel: {
    ISSUED: null,
    CLAIMED: belongs,
    PARTLY_REDEEMED: belongs,
    REDEEMED: /it is redeemed: nothing is left to cancel\.$/,
    EXPIRED: null,
    CANCELLED: null,
  },
  extend: {
    ISSUED: null,
    CLAIMED: neverExpires,
    PARTLY_REDEEMED: neverExpires,
    REDEEMED: /it is redeemed: nothing is left to claim\.$/,
    EXPIRED: null,
    CANCELLED: /it was cancelled: order a new one\.$/,
  },
};

for (const [verb, byState] of Object.entries(table))
  test(`${verb}: what it does in each state, and what it says where it is refused`, async () => {
    const ids = await issue(...giftStates.map((_, nth) => ({ email: `${verb}${nth}@example.com` })));
    for (const [nth, state] of giftStates.entries()) {
      const id = ids[nth] as number;
      await setState(id, state);
      await setExpiry(id, inDays(state === 'EXPIRED' ? -1 : 5));
      const before = await gift(id);
      const answer = await repair(id, verb, bodies[verb]);
      const words = byState[state];
      if (words === null) assert.equal(answer.status, 200, `${state}: ${JSON.stringify(answer.body)}`);
      else {
        assert.match(refusal(answer, 409), words, state);
        assert.deepEqual(await gift(id), before, `${state}: nothing has changed`);
      }
    }
  });

test('a gift is sent again with the same tokens: once while it waits, and once for a key', async () => {
  const [id] = (await issue(ada)) as [number];
  assert.equal((await gift(id)).delivery, 'NONE');
  const first = await repaired(id, 'resend');
  assert.deepEqual([first.delivery, first.edition, first.address], ['QUEUED', 0, ada.email]);
  const mails = () =>
    database.query('select state, attempts, due_at, resend_key from mails where workspace_id = $1', [workspace.id]);
  const before = await mails();
  await repaired(id, 'resend');
  assert.deepEqual(await mails(), before, 'nothing new happens while it is QUEUED');
  await setMail(id, 'SENT');
  const keyed = { 'Idempotency-Key': 'once' };
  assert.deepEqual(
    [isReplay(await repair(id, 'resend', undefined, keyed)), (await gift(id)).delivery],
    [false, 'QUEUED'],
  );
  await setMail(id, 'SENT');
  assert.equal(isReplay(await repair(id, 'resend', undefined, keyed)), true);
  assert.equal((await gift(id)).delivery, 'SENT', 'the same request sends nothing');
  await repair(id, 'resend', undefined, { 'Idempotency-Key': 'twice' });
  assert.equal((await gift(id)).delivery, 'QUEUED');
});

test('a gift without an address is sent once one is known', async () => {
  const [id] = (await issue({ employeeNumber: '4711' })) as [number];
  await setMail(id, 'NO_ADDRESS');
  assert.match(refusal(await repair(id, 'resend'), 409), /no email address .*: correct the address, or print it\.$/);
  const { recipient } = await gift(id);
  await workspace.change(recipient.id, { email: 'known@example.com' });
  const sent = await repaired(id, 'resend');
  assert.deepEqual([sent.delivery, sent.edition, sent.address], ['QUEUED', 0, 'known@example.com']);
});

test('where mail is off, for all or for the workspace, nothing is mailed, and the answer says what to do', async () => {
  const off = await startService({ mailServer: 'off' });
  const there = await giftsOf(off);
  const [id] = (await there.issue(ada)) as [number];
  for (const verb of ['resend', 'correct'])
    assert.match(refusal(await there.repair(id, verb, bodies[verb]), 409), /mail is switched off .*GIFTWIRE_SMTP_URL/);
  await there.repaired(id, 'cancel');
  const silent = await giftsOf(gifts.service);
  await database.query('update workspaces set mails_gifts = false where id = $1', [silent.workspace.id]);
  const [other] = (await silent.issue(ada)) as [number];
  for (const verb of ['resend', 'correct'])
    assert.match(refusal(await silent.repair(other, verb, bodies[verb]), 409), /this workspace emails no gifts/);
});

test('a corrected gift has new tokens, the old ones find nothing, and the order shows the new ones', async () => {
  const [id] = (await issue(ada)) as [number];
  const { token } = await workspace.read<{ token: { id: number } }>('/api/v1/me');
  const { requestId } = await gift(id);
  const order = async () => (await workspace.read<OrderRecord>(`/api/v1/orders/${requestId}`)).certificates[0];
  const old = await order();
  const corrected = await repaired(id, 'correct', { email: 'Ada.New@example.com' });
  assert.deepEqual(
    [corrected.edition, corrected.delivery, corrected.address, corrected.recipient.email],
    [1, 'QUEUED', 'Ada.New@example.com', ada.email],
  );
  assert.deepEqual(corrected.timeline.at(-1)?.detail, {
    edition: 1,
    by: { is: 'TOKEN', id: token.id, name: 'Payroll' },
    was: 'ada@example.com',
    address: 'Ada.New@example.com',
  });
  const renewed = await order();
  assert.ok(old && renewed && old.longToken !== renewed.longToken && old.shortToken !== renewed.shortToken);
  assert.equal(await findByLongToken(database, keys, old.longToken), null);
  assert.equal(await findByShortToken(database, keys, old.shortToken), null);
  assert.equal((await findByLongToken(database, keys, renewed.longToken))?.id, id);
  assert.equal((await findByShortToken(database, keys, renewed.shortToken))?.id, id);
  const again = await repaired(id, 'correct', { email: 'ada.new@EXAMPLE.com' });
  assert.deepEqual(again, corrected, 'the same address changes nothing');
});

test('a scheduled mail stays scheduled when its address is corrected, and is sent at once when it is sent again', async () => {
  const [id] = (await issue(ada)) as [number];
  const due = inDays(9);
  await setMail(id, 'SCHEDULED', due);
  const corrected = await repaired(id, 'correct', bodies.correct);
  assert.deepEqual([corrected.delivery, corrected.dueAt], ['SCHEDULED', due.toISOString()]);
  const states = await database.query('select edition, state from mails where workspace_id = $1 order by 1', [
    workspace.id,
  ]);
  assert.ok(states.some((row) => JSON.stringify(row) === '{"edition":0,"state":"CANCELLED"}'));
  assert.equal((await repaired(id, 'resend')).delivery, 'QUEUED');
});

test('a cancelled gift has no mail that waits, and cancelling it again changes nothing', async () => {
  const [id] = (await issue(ada)) as [number];
  await setMail(id, 'QUEUED');
  const cancelled = await repaired(id, 'cancel');
  assert.deepEqual([cancelled.state, cancelled.delivery], ['CANCELLED', 'NONE']);
  assert.deepEqual(await repaired(id, 'cancel'), cancelled);
});

test('while its mail is being sent, a gift is neither cancelled nor corrected', async () => {
  const [id] = (await issue(ada)) as [number];
  await repaired(id, 'resend');
  const lease = (until: string, ids: number[]) =>
    database.query(
      `update mail_queues set in_flight = $2, lease_until = now() + $3::interval where workspace_id = $1`,
      [workspace.id, ids, until],
    );
  await lease('1 minute', [id]);
  for (const verb of ['cancel', 'correct']) {
    const answer = await repair(id, verb, bodies[verb]);
    assert.match(refusal(answer, 409), /its email is being sent at this moment: try again in some seconds\.$/);
    assert.equal(answer.headers.get('retry-after'), '5');
  }
  await lease('-1 second', [id]);
  await repaired(id, 'cancel');
});

test('a gift that expired before its mail was sent is mailed once it is extended, and one that was mailed is not', async () => {
  const [withdrawn, sent] = (await issue({ email: 'late@example.com' }, { email: 'intime@example.com' })) as [
    number,
    number,
  ];
  for (const [id, state] of [
    [withdrawn, 'CANCELLED'],
    [sent, 'SENT'],
  ] as const) {
    await setExpiry(id, '2020-01-01T00:00:00Z');
    await setState(id, 'EXPIRED');
    await setMail(id, state);
  }
  const deliveries = [withdrawn, sent].map(
    async (id) => (await repaired(id, 'extend', { expiresOn: dayIn(30) })).delivery,
  );
  assert.deepEqual(await Promise.all(deliveries), ['QUEUED', 'SENT']);
});

test('an extended gift ends with its day where the workspace is, and an expired one can be claimed again', async () => {
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone: 'America/Toronto' } });
  const [id, free] = (await issue(ada, { email: 'free@example.com' })) as [number, number];
  await setExpiry(id, inDays(-3));
  assert.equal((await gift(id)).state, 'EXPIRED', 'also before that is written down');
  const extended = await repaired(id, 'extend', { expiresOn: '2031-07-04' });
  assert.deepEqual([extended.state, extended.expiresAt], ['ISSUED', '2031-07-05T04:00:00.000Z']);
  assert.deepEqual(await repaired(id, 'extend', { expiresOn: '2031-07-04' }), extended, 'the same day changes nothing');
  assert.match(refusal(await repair(id, 'extend', { expiresOn: dayIn(2) }), 409), /for longer already/);
  assert.equal((await repaired(id, 'extend', { expiresOn: null })).expiresAt, null);
  assert.match(refusal(await repair(id, 'extend', { expiresOn: '2031-07-04' }), 409), /no expiry date already/);
  assert.match(refusal(await repair(free, 'extend', { expiresOn: dayIn(2) }), 409), /no expiry date already/);
  for (const [expiresOn, says] of [
    ['2020-01-01', /expiresOn must be today or later/],
    ['0000-01-01', /expiresOn must be a date/],
    ['2026-02-30', /expiresOn must be a date/],
    ['9999-12-31', /expiresOn must be within ten years/],
    [undefined, /expiresOn is required/],
    [7, /expiresOn must be a string/],
  ] as const)
    assert.match(refusal(await repair(id, 'extend', { expiresOn }), 400), says);
});

test('a repair of a gift that the workspace has not is a 404, and one with a bad address a 400', async () => {
  const [id] = (await issue(ada)) as [number];
  const elsewhere = await giftsOf(gifts.service);
  for (const verb of ['resend', 'correct', 'cancel', 'extend'])
    assert.match(refusal(await elsewhere.repair(id, verb, bodies[verb]), 404), /There is no gift with this id/);
  assert.match(refusal(await repair(id, 'correct', { email: 'nobody' }), 400), /email must be an e-mail address/);
  assert.match(refusal(await repair(id, 'correct', {}), 400), /email is required/);
});
