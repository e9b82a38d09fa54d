import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { readPendingLines } from '../../src/giving/orders/pending-lines.ts';
import { Shoutouts } from '../../src/giving/recognition/give.ts';
import type { ChangedShoutouts, ShoutoutStep } from '../../src/giving/recognition/shoutout-steps.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGrant } from '../support/grant.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());
const workspace = await createGrant(database, { asksForApproval: true });

const give = (shoutouts: Shoutouts, email: string, idempotencyKey: string | null = null) =>
  shoutouts.give({
    tokenId: 1,
    workspace,
    idempotencyKey,
    shoutout: { recipient: { email }, message: 'Thank you!', isPrivate: false },
  });
const decide = (shoutouts: Shoutouts, number: number, decision: 'APPROVED' | 'DECLINED') =>
  shoutouts.decide(workspace, { id: number, decision, reason: null, actor: atTheCommandLine });
const statuses = async () =>
  (await database.query<{ status: string }>('select status from activities order by number')).map(
    ({ status }) => status,
  );

test('a step is told once of each shoutout that is given, approved or declined', async () => {
  const told: ChangedShoutouts[] = [];
  const shoutouts = new Shoutouts(database, readPendingLines, [{ afterCommit: (changed) => void told.push(changed) }]);
  const { record } = await give(shoutouts, 'ada@example.com', 'monday');
  await give(shoutouts, 'ada@example.com', 'monday');
  await give(shoutouts, 'bob@example.com');
  await decide(shoutouts, 1, 'APPROVED');
  await decide(shoutouts, 1, 'APPROVED');
  await decide(shoutouts, 2, 'DECLINED');
  assert.deepEqual(
    told.map(({ given, decided }) => [given.map(({ number }) => number), decided]),
    [
      [[1], []],
      [[2], []],
      [[], [{ id: 1, decision: 'APPROVED', decidedBy: workspace.memberId }]],
      [[], [{ id: 2, decision: 'DECLINED', decidedBy: workspace.memberId }]],
    ],
  );
  assert.deepEqual(told[0]?.given, [
    {
      number: 1,
      id: 1,
      status: 'PENDING',
      senderId: workspace.memberId,
      receiverId: record.receiver.id,
      isPrivate: false,
      idempotencyKey: 'monday',
    },
  ]);
});

test('if a step throws, nothing is given and nothing is decided', async () => {
  const failing: ShoutoutStep = { inTransaction: () => Promise.reject(new Error('the log is full')) };
  const shoutouts = new Shoutouts(database, readPendingLines, [failing]);
  const before = await statuses();
  await assert.rejects(give(shoutouts, 'eve@example.com'), /the log is full/);
  assert.deepEqual(await statuses(), before);
  await give(new Shoutouts(database, readPendingLines), 'eve@example.com');
  await assert.rejects(decide(shoutouts, 3, 'APPROVED'), /the log is full/);
  assert.deepEqual(await statuses(), [...before, 'PENDING']);
});
