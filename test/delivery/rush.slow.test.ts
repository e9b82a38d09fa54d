import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

test('a large batch of orders begins a rush, which ends by itself; small ones begin none', async () => {
  const rush = new Rush();
  rush.note(15);
  assert.equal(rush.isOn(), false);
  rush.note(16);
  assert.equal(rush.isOn(), true);
  await eventually(
    () => Promise.resolve(rush.isOn()),
    (isOn) => !isOn,
  );
});

test('mails are sent during a rush, and all of them after it', async () => {
  const server = await startMailServer();
  const service = await startService(mailSettings(server.url));
  const orders = Array.from({ length: 120 }, (_, nth) =>
    service.create(
      anOrder({
        orderItems: [{ message: 'Thank you', amount: 5, recipient: { email: `person${nth}@example.com` } }],
      }),
    ),
  );
  for (const { status } of await Promise.all(orders)) assert.equal(status, 201);
  await eventually(
    () => Promise.resolve(new Set(server.mails.map(({ to }) => to)).size),
    (reached) => reached === 120,
  );
});
