import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftDetails } from '../../src/ground/contract/gift.ts';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { openGifts } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { signIn } from '../support/sign-in.ts';

const { service, workspace, issue, gift } = await openGifts();

test('a manager corrects the address of a gift that they sent to one of their reports, and of no other', async () => {
  const people = ['maya', 'noah', 'olga'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  const [maya = 0, noah = 0] = await workspace.addPeople(people);
  await workspace.change(noah, { managerId: maya });
  const manager = await signIn(service, { role: 'MANAGER', email: 'maya@example.com', workspace: workspace.id });
  const body = anOrder({
    orderItems: ['noah', 'olga'].map((name) => aGift({ recipient: { email: `${name}@example.com` } })),
  });
  const sent = await manager.call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  const { certificates } = await workspace.outcome(sent.body.requestId);
  const [own = 0, toOlga = 0] = certificates.map(({ id }) => id);
  const [ofOthers = 0] = await issue({ email: 'noah@example.com' });
  const correct = (id: number) =>
    manager.call<GiftDetails & { message: string }>(`/api/v1/gifts/${id}/correct`, {
      method: 'POST',
      body: { email: 'new@example.com' },
    });
  const corrected = await correct(own);
  assert.deepEqual([corrected.status, corrected.body.address], [200, 'new@example.com']);
  const rejected = await correct(ofOthers);
  assert.equal(rejected.status, 403);
  assert.match(rejected.body.message, /Managers can only correct gifts that they sent/);
  assert.equal((await correct(toOlga)).status, 404, 'a gift that the manager does not see');
  assert.equal((await gift(ofOthers)).address, 'noah@example.com');
  const cancelled = await manager.call(`/api/v1/gifts/${own}/cancel`, { method: 'POST' });
  assert.equal(cancelled.status, 403);
});
