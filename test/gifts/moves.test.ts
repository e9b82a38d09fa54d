import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { type Gift, readGiftsById } from '../../src/giving/gifts/gift.ts';
import { type Move, moveGifts } from '../../src/giving/gifts/moves.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database, workspaceId } = service;

async function issued(count: number): Promise<Gift[]> {
  const orderItems = Array.from({ length: count }, (_, nth) => ({
    message: 'Thank you',
    amount: 25,
    recipient: { email: `person${nth}@example.com`, firstName: 'Mei' },
  }));
  const { certificates } = await service.fulfilled({ orderItems, currency: 'CAD' });
  return readGiftsById(
    database,
    workspaceId,
    certificates.map(({ id }) => id),
  );
}

function move(moves: Move[]): Promise<Move[]> {
  return inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, moves));
}

test('a gift is read with its recipient, order and reason', async () => {
  const [gift] = await issued(1);
  assert.partialDeepStrictEqual(gift, {
    workspaceId,
    position: 0,
    edition: 0,
    state: 'ISSUED',
    amount: 25,
    currency: 'CAD',
    message: 'Thank you',
    reason: 'Thank you',
    firstName: 'Mei',
    email: 'person0@example.com',
    senderName: 'Payroll',
    expiresAt: null,
  });
});

test('a claimed gift can neither be claimed again nor cancelled, and its log has one entry', async () => {
  const [gift] = (await issued(1)) as [Gift];
  const moves = async (type: Move['type']) => (await move([{ type, gift }])).map((done) => done.type);
  assert.deepEqual(await moves('CLAIMED'), ['CLAIMED']);
  assert.deepEqual(await moves('CLAIMED'), []);
  assert.deepEqual(await moves('CANCELLED'), []);
  const log = await database.query('select type from gift_log where workspace_id = $1 and request_id = $2', [
    workspaceId,
    gift.requestId,
  ]);
  assert.deepEqual(log, [{ type: 'CLAIMED' }]);
  const [after] = await readGiftsById(database, workspaceId, [gift.id]);
  assert.equal(after?.state, 'CLAIMED');
  assert.ok(after.claimedAt);
});

test('of several gifts those move whose state allows it, each with its event', async () => {
  const gifts = (await issued(3)) as [Gift, Gift, Gift];
  await move([{ type: 'CANCELLED', gift: gifts[1] }]);
  const { body: before } = await service.call<{ latest: number }>('/api/v1/events');
  const done = await move(gifts.map((gift): Move => ({ type: 'CLAIMED', gift })));
  assert.deepEqual(
    done.map(({ gift }) => gift.id),
    [gifts[0].id, gifts[2].id],
  );
  const { body } = await service.call<{ events: { type: string; data: unknown }[] }>(
    `/api/v1/events?after=${before.latest}`,
  );
  assert.deepEqual(
    body.events.map(({ type, data }) => ({ type, data })),
    [gifts[0], gifts[2]].map(({ id, requestId, memberId }) => ({
      type: 'gift.claimed',
      data: { giftId: id, requestId, memberId },
    })),
  );
});
