import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemberActivityPage } from '../../src/ground/contract/member-activity.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: [
    { email: 'ada@example.com', firstName: 'Ada' },
    { email: 'li@example.com', firstName: 'Li' },
  ],
  actsAs: 'li@example.com',
});
const [ada = 0, li = 0] = workspace.memberIds;
const list = (id: number, query = '') => workspace.read<MemberActivityPage>(`/api/v1/members/${id}/activities${query}`);
const typesOf = ({ activities }: MemberActivityPage) => activities.map(({ type }) => type);

test('what a person received and gave is listed, newest first, with the gift behind it', async () => {
  await workspace.gift({ email: 'ada@example.com' });
  const { id } = (await workspace.given(aShoutout())) as { id: number };
  const received = await list(ada);
  assert.deepEqual(typesOf(received), ['SHOUTOUT', 'GIFT']);
  assert.deepEqual([received.activities[0]?.shoutoutId, received.activities[0]?.giftId], [id, null]);
  assert.equal(received.activities[1]?.shoutoutId, null);
  const { activities } = await workspace.activity();
  for (const [nth, { giftId, shoutoutId, ...activity }] of received.activities.entries())
    assert.deepEqual(activity, activities[nth], 'the report says the same');
  assert.equal(typeof received.activities[1]?.giftId, 'number');
  assert.deepEqual(await list(li, '?direction=given'), {
    ...received,
    activities: received.activities.map((one) => ({ ...one, sender: { ...one.sender, self: true } })),
  });
  assert.deepEqual((await list(ada, '?direction=given')).activities, []);
});

test('pages follow one another in both directions, and merged records count', async () => {
  await workspace.gift({ employeeNumber: 'old' });
  const [old = 0] = (await workspace.members('?search=old')).members.map(({ id }) => id);
  await workspace.given(aShoutout());
  await workspace.gift({ email: 'ada@example.com' }, { email: 'ada@example.com' });
  await workspace.merge(old, ada);
  for (const [member, direction] of [
    [ada, 'received'],
    [li, 'given'],
  ] as const)
    for (const size of [1, 2, 3, 7]) {
      const seen: MemberActivityPage['activities'] = [];
      let after: string | null | undefined;
      do {
        const cursor: string = after ? `&after=${after}` : '';
        const page = await list(member, `?direction=${direction}&size=${size}${cursor}`);
        seen.push(...page.activities);
        after = page.next;
      } while (after);
      const { activities, next } = await list(member, `?direction=${direction}&size=100`);
      assert.deepEqual([seen, next], [activities, null], `${direction} ${size}`);
      assert.equal(activities.length, 6);
      const times = activities.map(({ createdOn }) => createdOn);
      assert.deepEqual(times, times.toSorted().reverse());
    }
  assert.deepEqual(await list(old), await list(ada));
});

test('an unknown person is not found, and a wrong parameter is named', async () => {
  refusal(await workspace.call('/api/v1/members/999999/activities'), 404);
  assert.match(
    refusal(await workspace.call(`/api/v1/members/${ada}/activities?direction=up`), 400),
    /direction must be/,
  );
  assert.match(
    refusal(await workspace.call(`/api/v1/members/${ada}/activities?page=1`), 400),
    /page is not a parameter/,
  );
});
