import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const newcomer = { email: 'new@example.com' };

/** Runs `work` while another transaction adds the newcomer and holds the workspace's lock. */
async function whileBeingAdded<T>({ id }: TestWorkspace, work: () => Promise<T>): Promise<[number, T]> {
  let begun: Promise<T> | undefined;
  const memberId = await inWorkspace(database, id, async (tx) => {
    const [added] = await addMembers(tx, id, [newcomer]);
    begun = work();
    await eventually(countWaiting, (waiting) => waiting > 0);
    return added as number;
  });
  return [memberId, await (begun as Promise<T>)];
}

/** How many sessions of the service wait for another one's lock. */
async function countWaiting(): Promise<number> {
  const [row] = await database.query<{ waiting: number }>(
    `select count(*) as waiting
       from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

test('a shoutout for somebody who is being added goes to that person', async () => {
  const workspace = await openWorkspace(service);
  const [memberId, { status, body }] = await whileBeingAdded(workspace, () =>
    workspace.give(aShoutout({ recipient: newcomer })),
  );
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.receiver.id, memberId);
});

test('a gift for somebody who is being added goes to that person', async () => {
  const workspace = await openWorkspace(service);
  const [memberId] = await whileBeingAdded(workspace, () => workspace.gift(newcomer));
  const [activity] = (await workspace.activity()).activities;
  assert.equal(activity?.receiver.id, memberId);
});

test('concurrent orders and shoutouts are all accepted, and their numbers have no gaps', async () => {
  const workspace = await openWorkspace(service);
  const count = 60;
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const recipient = { email: `person${nth % 7}@example.com`, employeeNumber: String(nth % 5) };
      if (nth % 2) return (await workspace.give(aShoutout({ recipient }))).status;
      const body = anOrder({ orderItems: [aGift({ recipient })] });
      return (await workspace.call('/api/v1/orders', { method: 'POST', body })).status;
    }),
  );
  assert.deepEqual(new Set(answers), new Set([201]));
  const { totalElements } = await eventually(workspace.activity, (page) => page.totalElements === count);
  const [numbers] = await database.query<{ last: number }>(
    'select max(number) as last from activities where workspace_id = $1',
    [workspace.id],
  );
  assert.equal(numbers?.last, totalElements);
});
