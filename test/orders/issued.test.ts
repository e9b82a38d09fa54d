import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBooks } from '../support/books.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { listMembers } from '../support/stored-members.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test("a new gift moves a member's last recognition to today, and the counts by day with it", async () => {
  const workspace = await openWorkspace(service);
  await workspace.gift({ email: 'a@example.com' }, { email: 'b@example.com' });
  await workspace.passDays(400);
  await workspace.gift({ email: 'a@example.com' }, { email: 'a@example.com' }, { email: 'c@example.com' });
  await checkBooks(database, workspace.id, 5);
  const days = await database.query<{ members: number }>(
    'select members from recognition_days where workspace_id = $1 and isfinite(day) order by day',
    [workspace.id],
  );
  assert.deepEqual(
    days.map(({ members }) => members),
    [1, 2],
  );
});

test('certificates are in the order of orderItems, each with its own text, amount and recipient', async () => {
  const workspace = await openWorkspace(service);
  const gifts = Array.from({ length: 120 }, (_, nth) =>
    aGift({
      message: `gift ${nth}`,
      amount: 1 + nth + (nth % 4) / 4,
      recipient: { employeeNumber: `${(nth * 7) % 11}` },
    }),
  );
  const { certificates, totalElements, id, status } = await workspace.outcome(await workspace.submit(gifts));
  assert.equal(totalElements, 120);
  assert.equal(status, 'COMPLETE');
  assert.ok(Number.isInteger(id));
  const numbers = new Map(
    (await listMembers(database, workspace.id)).map((member) => [member.id, member.employeeNumber]),
  );
  assert.deepEqual(
    certificates.map(({ message, amount, recipientUser }) => ({
      message,
      amount,
      recipient: { employeeNumber: numbers.get(recipientUser) },
    })),
    gifts,
  );
  assert.equal(new Set(certificates.flatMap((gift) => [gift.longToken, gift.shortToken])).size, 240);
  assert.deepEqual(
    Object.keys(certificates[0] ?? {}).sort(),
    ['amount', 'currency', 'id', 'longToken', 'message', 'recipientUser', 'senderName', 'shortToken'].sort(),
  );
});

test("the sender is the token's name, else the workspace's", async () => {
  for (const [tokenName, sender] of [
    ['HR bot', 'HR bot'],
    [null, 'Globex'],
  ] as const) {
    const workspace = await openWorkspace(service, { tokenName, name: 'Globex' });
    const { certificates } = await workspace.outcome(await workspace.submit([aGift()]));
    assert.equal(certificates[0]?.senderName, sender);
  }
});

test("each gift is an approved activity of type GIFT and moves the receiver's last recognition", async () => {
  const workspace = await openWorkspace(service);
  const [ada, bob] = await workspace.gift({ email: 'ada@example.com' }, { email: 'bob@example.com' });
  await workspace.gift({ email: 'ada@example.com' });
  const activities = (await workspace.activity('?size=1000')).activities.reverse();
  assert.deepEqual(
    activities.map(({ receiver }) => receiver.id),
    [ada, bob, ada],
  );
  for (const { type, status, sender, isPrivate, description, createdOn } of activities) {
    assert.deepEqual(
      { type, status, isPrivate, description },
      {
        type: 'GIFT',
        status: 'APPROVED',
        isPrivate: false,
        description: 'Thank you!',
      },
    );
    assert.equal(sender.self, true);
    assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
  }
  const day = activities[2]?.createdOn.slice(0, 10);
  assert.deepEqual(
    (await listMembers(database, workspace.id)).map(({ recognitions, lastDate, lastType }) => [
      recognitions,
      lastDate,
      lastType,
    ]),
    [
      [2, day, 'GIFT'],
      [1, activities[1]?.createdOn.slice(0, 10), 'GIFT'],
    ],
  );
  await checkBooks(database, workspace.id, 3);
});

test('createdOn never goes back, even if the clock does', async () => {
  const workspace = await openWorkspace(service);
  await database.query(`update activity_counters set latest = '2099-12-31 23:59:59.5Z' where workspace_id = $1`, [
    workspace.id,
  ]);
  await workspace.gift({ email: 'ada@example.com' });
  await workspace.gift({ email: 'bob@example.com' });
  assert.deepEqual(
    (await workspace.activity('?size=1000')).activities.reverse().map(({ createdOn }) => createdOn),
    ['2099-12-31T23:59:59.500000', '2099-12-31T23:59:59.500000'],
  );
  assert.equal((await listMembers(database, workspace.id))[0]?.lastDate, '2099-12-31');
});
