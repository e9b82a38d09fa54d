import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import { nextReminder } from '../../src/giving/delivery/reminders.ts';
import { readGiftsById } from '../../src/giving/gifts/gift.ts';
import { eventually } from '../support/eventually.ts';
import { mailStates, orderGifts, passDays } from '../support/mail-queue.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox' });
const { database, workspaceId } = service;
await database.query(`update workspaces set gift_days = 30, time_zone = 'America/Toronto' where id = $1`, [
  workspaceId,
]);

/** As it is written down, not as it counts. */
async function storedState(id: number): Promise<string | undefined> {
  const [row] = await database.query<{ state: string }>('select state from certificates where id = $1', [id]);
  return row?.state;
}

test('a gift that nobody claims is reminded of three times and expires with its last day', async () => {
  const [gift] = await orderGifts(service, ['late@acme.example']);
  assert.ok(gift?.expiresAt);
  const local = gift.expiresAt.toLocaleTimeString('en-CA', { timeZone: 'America/Toronto', hour12: false });
  assert.match(local, /^(00|24):00:00$/);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await passDays(service, 3.1);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED', 'REMINDER SENT']);
  await passDays(service, 7);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED', 'REMINDER SENT', 'REMINDER SENT']);
  await passDays(service, 15);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SENT', 'REMINDER SENT', 'REMINDER SENT']);
  await passDays(service, 10);
  const [now] = await readGiftsById(database, workspaceId, [gift.id]);
  assert.equal(now?.state, 'EXPIRED', 'it counts as expired at once');
  await eventually(
    () => storedState(gift.id),
    (state) => state === 'EXPIRED',
  );
  const { body } = await service.call<{ events: { type: string }[] }>('/api/v1/events?size=1000');
  assert.equal(body.events.filter(({ type }) => type === 'gift.expired').length, 1);
});

test('a gift whose mail is being handed over expires afterwards', async () => {
  const [gift] = await orderGifts(service, ['flying@acme.example']);
  assert.ok(gift);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const fly = (until: string) =>
    database.query(`update mail_queues set in_flight = $2, lease_until = ${until} where workspace_id = $1`, [
      workspaceId,
      [gift.id],
    ]);
  await fly(`now() + interval '1 hour'`);
  await passDays(service, 40);
  await expireGifts(database);
  assert.equal(await storedState(gift.id), 'ISSUED');
  await fly('now()');
  await eventually(
    () => storedState(gift.id),
    (state) => state === 'EXPIRED',
  );
});

const day = 86_400_000;
const sent = new Date('2027-01-01T15:00:00Z');
const later = (days: number) => new Date(sent.getTime() + days * day);
const settings = { reminderDays: [3, 10], reminderDaysBeforeExpiry: 7 };

test('reminders follow the settings, and never come within a day of each other or after the end', () => {
  const next = (last: Date, expiresAt: Date | null = null, chosen = settings) =>
    nextReminder(chosen, { giftSentAt: sent, last, expiresAt });
  assert.deepEqual(next(sent), later(3));
  assert.deepEqual(next(later(3)), later(10));
  assert.equal(next(later(10)), null);
  const expiresAt = new Date('2027-01-31T05:00:00Z');
  assert.deepEqual(next(later(10), expiresAt), new Date('2027-01-24T14:00:00Z'), 'in the morning');
  assert.equal(next(later(2.5), later(5)), null, 'the one on day 3 would come too soon after another mail');
  assert.deepEqual(next(sent, later(4)), later(3));
  assert.equal(next(later(3), later(4)), null);
  assert.equal(next(sent, expiresAt, { ...settings, reminderDays: [] })?.toISOString(), '2027-01-24T14:00:00.000Z');
});
