import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill } from '../../bench/fill.ts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkBooks } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { workspaceId } = service;
const database = openDatabase({
  url: service.database.url,
  name: 'test',
  maxConnections: 2,
  statementTimeoutMs: 60_000,
});
const members = 20_000;
const gifts = 2 * members;
await fill(database, { workspaceId, members, gifts, giftsPerOrder: 20 }, () => {});
const varied = await service.addWorkspace();
await service.addToken({ workspaces: [varied] });
const variety = { members: 1_000, gifts: 5_000, giftsPerOrder: 20, shoutouts: 5_000, oneLeftIn: 20 };
await fill(database, { workspaceId: varied, ...variety }, () => {});

test('the data that benchmarks run on is consistent', async () => {
  await checkBooks(database, workspaceId, gifts);
});

test('deep pages of reports are complete and in order', async () => {
  const activity = async (page: number) =>
    (await service.call<TeamActivityPage>(`/api/v1/reports/teams/activity?size=20&page=${page}`)).body;
  const last = async (page: number) =>
    (await service.call<LastRecognizedPage>(`/api/v1/reports/members/last-recognized?size=20&page=${page}`)).body;
  const deepest = { activity: await activity(gifts / 20 - 1), last: await last(members / 20 - 1) };
  assert.equal(deepest.activity.totalElements, gifts);
  assert.equal(deepest.activity.activities.length, 20);
  assert.equal(deepest.last.totalElements, members);
  assert.equal(deepest.last.teamMembers.length, 20);
  const first = await last(0);
  assert.ok(String(first.teamMembers.at(-1)?.lastDate) > String(deepest.last.teamMembers[0]?.lastDate));
  assert.deepEqual((await last(members / 20)).teamMembers, []);
});

test('people who match a search are counted up to a thousand, and pages go on behind that', async () => {
  const find = async (query: string) => (await service.call<MemberPage>(`/api/v1/members?${query}`)).body;
  const { members: found, ...first } = await find('search=person&size=20');
  const atLeast = { totalElements: 1_001, totalPages: 51, totalIsMinimum: true };
  assert.deepEqual(first, { page: 0, size: 20, ...atLeast });
  const firstId = found[0]?.id as number;
  assert.deepEqual(
    found.map(({ id }) => id),
    Array.from({ length: 20 }, (_, nth) => firstId + nth),
  );
  const deep = await find('search=person&size=1000&page=12');
  assert.deepEqual([deep.totalElements, deep.totalIsMinimum], [13_001, true], 'another page follows');
  assert.deepEqual([deep.members.length, deep.members[0]?.id], [1_000, firstId + 12_000]);
  const last = await find('search=person&size=1000&page=19');
  assert.deepEqual([last.totalElements, last.totalIsMinimum], [members, undefined], 'no page follows');
  assert.deepEqual([last.members.length, last.members.at(-1)?.id], [1_000, firstId + members - 1]);
  for (const [query, count] of Object.entries({
    'search=person1999': 11,
    'location=location 1': members / 1_000,
    'search=e&location=location 1': members / 1_000,
  })) {
    const { totalElements, totalIsMinimum } = await find(query);
    assert.deepEqual([totalElements, totalIsMinimum], [count, undefined], query);
  }
});

test('fulfilment finds people by index and never scans the members table', async () => {
  // A session that ends has reported what it has read.
  await database.close();
  const scans = async () => {
    const [counted] = await service.database.query<{ whole: number; byKey: number }>(
      `select seq_scan as whole, idx_scan as "byKey" from pg_stat_user_tables where relname = 'members'`,
    );
    return counted as { whole: number; byKey: number };
  };
  // The others report what they have read once a second at most.
  const settled = async () => {
    await service.fulfilled(anOrder());
    return scans();
  };
  const before = await eventually(settled, ({ byKey }) => byKey > 0);
  const orderItems = Array.from({ length: 50 }, (_, nth) =>
    aGift({ recipient: nth % 2 ? { email: `person${nth}@example.com` } : { employeeNumber: `E${nth + 1}` } }),
  );
  await service.fulfilled(anOrder({ orderItems }));
  const after = await eventually(settled, ({ byKey }) => byKey >= before.byKey + orderItems.length);
  assert.equal(after.whole, before.whole);
});
