import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftsOf } from '../support/gifts.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { isReplay, refusal } from '../support/workspace.ts';

// Nothing is sent before it is due, so the mails of tomorrow stay as they are.
const service = await startService({ mailServer: 'outbox' });
const { workspace, list } = await giftsOf(service);
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const order = (deliverAt: unknown, headers = {}) =>
  workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: anOrder({ deliverAt }), headers });

async function issued(deliverAt: unknown) {
  const { status, body } = await order(deliverAt);
  assert.equal(status, 201, JSON.stringify(body));
  await workspace.finished(body.requestId);
  const [gift] = (await list(`?requestId=${body.requestId}`)).gifts;
  assert.ok(gift);
  return gift;
}

test('gifts with a date are issued now and mailed then', async () => {
  const moment = inDays(300);
  const offset = moment.toISOString().replace('Z', '+00:00');
  for (const text of [moment.toISOString(), offset]) {
    const gift = await issued(text);
    assert.deepEqual([gift.state, gift.delivery, gift.dueAt], ['ISSUED', 'SCHEDULED', moment.toISOString()]);
  }
});

test('a date of the last day, and none, are now', async () => {
  for (const deliverAt of [inDays(-0.5).toISOString(), null, undefined])
    assert.match((await issued(deliverAt)).delivery, /^(QUEUED|SENT)$/);
});

test('a date that is no date, or too far away, is refused by its name', async () => {
  for (const [deliverAt, says] of [
    ['tomorrow', /deliverAt must be a date and a time with a zone/],
    ['2027-01-01', /deliverAt must be a date and a time with a zone/],
    ['2027-01-01T10:00:00', /deliverAt must be a date and a time with a zone/],
    ['2027-02-30T10:00:00Z', /deliverAt must be a date and a time with a zone/],
    ['2027-01-01T24:00:00Z', /deliverAt must be a date and a time with a zone/],
    ['', /deliverAt must be a date and a time with a zone/],
    [1_800_000_000, /deliverAt must be a string/],
    [inDays(400).toISOString(), /deliverAt must be at most a year ahead/],
    [inDays(-2).toISOString(), /deliverAt is in the past: leave it out/],
  ] as const)
    assert.match(refusal(await order(deliverAt), 400), says, String(deliverAt));
});

test('the date belongs to the body that a retry must repeat, and a retry is answered though it has passed', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const moment = inDays(3).toISOString();
  const first = await order(moment, headers);
  assert.equal(first.status, 201);
  assert.equal(isReplay(await order(moment, headers)), true);
  assert.match(refusal(await order(inDays(4).toISOString(), headers), 422), /differs in deliverAt/);
  assert.match(refusal(await order(undefined, headers), 422), /differs in deliverAt/);
  const past = inDays(-9).toISOString();
  await service.database.query(
    `update order_requests set body = jsonb_set(body, '{deliverAt}', to_jsonb($2::text)) where request_id = $1`,
    [first.body.requestId, past],
  );
  const late = await order(past, headers);
  assert.deepEqual([late.status, isReplay(late), late.body.requestId], [201, true, first.body.requestId]);
});

test('the days of a gift that expires count from the day on which it is mailed', async () => {
  await service.database.query('update workspaces set gift_days = 30 where id = $1', [workspace.id]);
  const gift = await issued(inDays(100).toISOString());
  const lastDay = new Date(Math.floor(inDays(131).getTime() / dayMs) * dayMs);
  assert.equal(gift.expiresAt, lastDay.toISOString());
});
