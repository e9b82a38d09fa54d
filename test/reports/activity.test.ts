import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TeamActivityPage } from '../../src/ground/contract/report.ts';
import fc from '../support/fast-check.ts';
import { ada, addShoutouts, office, openRecognized, startForRecognized } from '../support/recognized.ts';
import { runs } from '../support/runs.ts';

const service = await startForRecognized();
const { database } = service;

test('a team activity record has exactly its fields, and so have its people', async () => {
  const { id, memberIds, activity } = await openRecognized(service, [ada, { employeeNumber: '2' }], '1');
  const [first, second] = memberIds as [number, number];
  await addShoutouts(database, id, [
    { sender: first, receiver: second, at: '2026-03-04T05:06:07.08Z', isPrivate: true },
  ]);
  const [workspace] = await database.query<Record<string, number>>(
    `select w.account_id as account, w.default_team_id as team, w.default_reason_id as reason from workspaces w where id = $1`,
    [id],
  );
  const picture = 'https://example.com/ada.jpg';
  assert.deepEqual(await activity(), {
    page: 0,
    size: 20,
    totalElements: 1,
    totalPages: 1,
    activities: [
      {
        status: 'APPROVED',
        sender: {
          id: first,
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
          avatar: picture,
          'the service': picture,
          self: true,
        },
        receiver: { id: second, email: '', firstName: '', lastName: '', avatar: '', 'the service': '', self: false },
        createdOn: '2026-03-04T05:06:07.080000',
        description: 'Well done',
        reason: { id: workspace?.reason, description: 'Thank you' },
        isPrivate: true,
        type: 'SHOUTOUT',
        account: workspace?.account,
        team: workspace?.team,
      },
    ],
  });
});

test('each gift is an activity with the message as its description', async () => {
  const { activity, gift } = await openRecognized(service);
  await gift({ email: 'new@example.com', firstName: 'New' }, { employeeNumber: '9' });
  const { activities, totalElements } = await activity();
  assert.equal(totalElements, 2);
  for (const { type, status, description, sender, receiver, reason, isPrivate } of activities) {
    assert.deepEqual([type, status, description, isPrivate], ['GIFT', 'APPROVED', 'Thank you!', false]);
    assert.deepEqual([sender.self, receiver.self, sender.firstName], [true, false, 'Payroll']);
    assert.equal(reason.description, 'Thank you');
  }
});

test("an activity has its own reason or the workspace's default, and the receiver's team", async () => {
  const { id, memberIds, activity } = await openRecognized(service, [ada, { employeeNumber: '2' }], '1');
  const [first, second] = memberIds as [number, number];
  const [reason] = await database.query<{ id: number }>(
    `insert into reasons (workspace_id, description) values ($1, 'Teamwork') returning id`,
    [id],
  );
  const [team] = await database.query<{ id: number }>(
    `insert into teams (workspace_id, name) values ($1, 'Voice') returning id`,
    [id],
  );
  await database.query('update members set team_id = $2 where id = $1', [second, team?.id]);
  await addShoutouts(database, id, [
    { sender: first, receiver: second, at: '2026-01-01Z', reasonId: reason?.id as number, status: 'PENDING' },
    { sender: second, receiver: first, at: '2026-01-02Z' },
  ]);
  const { activities } = await activity();
  assert.deepEqual(activities[1]?.reason, { id: reason?.id, description: 'Teamwork' });
  assert.equal(activities[0]?.reason.description, 'Thank you');
  assert.deepEqual(
    activities.map(({ status }) => status),
    ['APPROVED', 'PENDING'],
  );
  assert.equal(activities[1]?.team, team?.id);
  assert.notEqual(activities[0]?.team, team?.id);
  for (const { account, team: of } of activities) assert.ok(Number.isInteger(account) && Number.isInteger(of));
});

test('self is true exactly for the member behind the calling token', async () => {
  const people = [ada, { email: 'bob@example.com', employeeNumber: 'N2' }, { employeeNumber: 'N3' }];
  const { id, memberIds } = await openRecognized(service, people, '1');
  const [one, two, three] = memberIds as [number, number, number];
  await addShoutouts(database, id, [
    { sender: one, receiver: two, at: '2026-01-01Z' },
    { sender: two, receiver: three, at: '2026-01-02Z' },
    { sender: three, receiver: one, at: '2026-01-03Z' },
    { sender: two, receiver: two, at: '2026-01-04Z' },
  ]);
  for (const [actsAs, self] of [
    ['ADA@example.com', one],
    ['N2', two],
    [String(three), three],
    [undefined, 0],
  ] as const) {
    const { token } = await service.addToken({ workspaces: [id], ...(actsAs && { actsAs }) });
    const { body } = await service.call<TeamActivityPage>('/api/v1/reports/teams/activity', { token, workspace: id });
    assert.equal(body.activities.length, 4);
    for (const user of body.activities.flatMap(({ sender, receiver }) => [sender, receiver]))
      assert.equal(user.self, user.id === self);
  }
});

test('team activity is newest first with exact totals, and any page size yields every element once', async () => {
  const { id, memberIds, activity, gift } = await openRecognized(service, [ada, { employeeNumber: '2' }], '1');
  const [first, second] = memberIds as [number, number];
  assert.deepEqual(await activity(), { page: 0, size: 20, totalElements: 0, totalPages: 0, activities: [] });
  await addShoutouts(
    database,
    id,
    Array.from({ length: 23 }, (_, nth) => ({
      sender: first,
      receiver: second,
      at: new Date(Date.UTC(2026, 0, 1, 0, 0, nth >> 1)).toISOString(),
      text: `shoutout ${nth}`,
    })),
  );
  await gift({ employeeNumber: '2' }, { employeeNumber: '1' });
  const everything = (await activity('?size=1000')).activities;
  assert.deepEqual(
    everything.slice(2).map(({ description }) => description),
    Array.from({ length: 23 }, (_, nth) => `shoutout ${22 - nth}`),
  );
  const times = everything.map(({ createdOn }) => createdOn);
  assert.deepEqual(times, times.toSorted().reverse());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (size) => {
      const walked = [];
      const pages = Math.ceil(25 / size);
      for (let page = 0; page <= pages; page++) {
        const { activities, ...fields } = await activity(`?page=${page}&size=${size}`);
        assert.deepEqual(fields, { page, size, totalElements: 25, totalPages: pages });
        assert.equal(activities.length, Math.max(0, Math.min(size, 25 - page * size)));
        walked.push(...activities);
      }
      assert.deepEqual(walked, everything);
    }),
    { numRuns: runs(12) },
  );
});

test('a page far past the end is empty', async () => {
  const { activity, lastRecognized, gift } = await openRecognized(service);
  await gift({ employeeNumber: '2' });
  for (const page of [1, 1_000_000, Number.MAX_SAFE_INTEGER])
    for (const size of [1, 1000]) {
      const fields = { page, size, totalElements: 1, totalPages: 1 };
      assert.deepEqual(await activity(`?page=${page}&size=${size}`), { ...fields, activities: [] });
      assert.deepEqual(await lastRecognized(`?page=${page}&size=${size}`), { ...fields, teamMembers: [] });
    }
});

test("a report never includes another workspace's data", async () => {
  const own = await openRecognized(service, [ada, { ...office, manager: 0 }], '1');
  const other = await openRecognized(
    service,
    [ada, { ...office, manager: 0, email: 'stranger@example.com' }, { employeeNumber: '5' }],
    '1',
  );
  await other.gift({ employeeNumber: '5' }, { email: 'ada@example.com' });
  assert.equal((await own.activity()).totalElements, 0);
  assert.equal((await own.lastRecognized()).totalElements, 1);
  assert.equal((await own.lastRecognized(`?manager=${own.memberIds[0]}`)).totalElements, 1);
  assert.equal((await own.lastRecognized(`?manager=${other.memberIds[0]}`)).totalElements, 0);
  assert.equal((await own.lastRecognized('?neverRecognized=true')).totalElements, 1);
  assert.equal((await other.activity()).totalElements, 2);
});
