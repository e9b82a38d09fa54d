import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEvents } from '../../bench/measures/events.ts';
import { appendEvents } from '../../src/company/events/log.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLog } from '../support/deliveries.ts';

const database = await createTestDatabase();

test('the benchmark fills a log while the service appends to it, and no number is given twice or left out', async () => {
  const { id } = await openLog(database);
  const append = () =>
    inWorkspace(database, id, (tx, moment) =>
      appendEvents(tx, id, moment, [{ type: 'member.added', data: { id: 1 } }]),
    );
  await Promise.all(Array.from({ length: 12 }, (_, nth) => (nth % 2 === 0 ? addEvents(database, id, 50) : append())));
  const events = await database.query<{ number: number }>(
    'select number from events where workspace_id = $1 order by number',
    [id],
  );
  assert.deepEqual(
    events.map(({ number }) => number),
    Array.from({ length: 306 }, (_, nth) => nth + 1),
  );
});
