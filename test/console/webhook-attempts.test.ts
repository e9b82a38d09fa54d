import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf, groupAttempts } from '../../console/src/screens/webhooks/group-attempts.ts';
import type { WebhookAttempt } from '../../sdk/src/index.ts';

let second = 60;
const attempt = (eventId: string, status: number | null, error: string | null): WebhookAttempt =>
  ({
    eventId,
    type: 'gift.sent',
    attemptedAt: `2026-11-18T06:00:${second--}.000Z`,
    durationMs: 3,
    status,
    error,
    answer: null,
    succeeded: status === 200,
  }) as WebhookAttempt;

test('failed attempts with the same status and message are one line at the place of the latest, and deliveries stay alone', () => {
  const unreachable = 'connect ECONNREFUSED';
  const list = [
    attempt('evt_1_9', null, unreachable),
    attempt('evt_1_8', 200, null),
    attempt('evt_1_9', null, unreachable),
    attempt('evt_1_7', 500, 'The endpoint responded with 500.'),
    attempt('evt_1_8', null, unreachable),
    attempt('evt_1_6', 200, null),
  ];
  const groups = groupAttempts(list);
  assert.deepEqual(
    groups.map((group) => [group.attempts[0].eventId, group.attempts.length, eventsOf(group).length]),
    [
      ['evt_1_9', 3, 2],
      ['evt_1_8', 1, 1],
      ['evt_1_7', 1, 1],
      ['evt_1_6', 1, 1],
    ],
  );
  assert.equal(groups[0]?.attempts[0], list[0], 'the time of the line is that of the latest attempt');
});
