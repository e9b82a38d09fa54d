import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage, FairnessPage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { FeedPeople, FeedPost } from '../../src/ground/contract/feed.ts';
import type { MemberRights } from '../../src/ground/contract/member-rights.ts';
import type { Preferences } from '../../src/ground/contract/preferences.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import { openCompany } from '../support/feed.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** Ana manages Ben and Cyd. Ben was thanked by Ana, and with Cyd by Dan. */
async function open() {
  const { workspace, people } = await openCompany(service, ['ana', 'ben', 'cyd', 'dan', 'approver'], {
    asksForApproval: false,
  });
  const [ana, ben, cyd, dan, owner] = people as [Person, Person, Person, Person, Person];
  for (const { id } of [ben, cyd])
    assert.equal(
      (await workspace.call(`/api/v1/members/${id}`, { method: 'PATCH', body: { managerId: ana.id } })).status,
      200,
    );
  await ana.give([ben.id], { message: 'Thanks ben' });
  await dan.give([ben.id, cyd.id], { message: 'Thanks both' });
  await ben.give([dan.id], { message: 'Thanks dan' });
  const keepOut = (id: number) =>
    owner.ask<MemberRights>(200, `/members/${id}/restriction`, 'PUT', { reason: 'Asked for it' });
  return { workspace, ana, ben, cyd, dan, owner, keepOut };
}
type Person = Awaited<ReturnType<typeof openCompany>>['people'][number];

const csv = { headers: { Accept: 'text/csv' } };

test('a person who is kept out is in no report about individuals and no file of one, and totals stay', async () => {
  const { workspace, ana, ben, owner, keepOut } = await open();
  const read = <Body>(path: string) => workspace.read<Body>(`/api/v1/reports/${path}`);
  const before = {
    coverage: (await read<CoveragePage>('coverage')).company,
    fairness: (await read<FairnessPage>('fairness')).company,
    activity: (await read<TeamActivityPage>('teams/activity')).totalElements,
    series: await read('series'),
    last: (await read<LastRecognizedPage>('members/last-recognized')).totalElements,
    forgotten: await read<NotRecognizedPage>('members/not-recognized?since=2026-01-01'),
  };
  assert.equal(before.forgotten.others, 0);
  const decided = await keepOut(ben.id);
  assert.equal(decided.keptOut?.reason, 'Asked for it');
  await keepOut(ana.id);

  const last = await read<LastRecognizedPage>('members/last-recognized');
  assert.equal(last.totalElements, before.last - 1);
  assert.ok(last.teamMembers.every(({ teamMember }) => teamMember.email !== 'ben@example.com'));
  const own = await read<LastRecognizedPage>('members/last-recognized?employeeNumber=none');
  assert.deepEqual(own.teamMembers, []);
  const forgotten = await read<NotRecognizedPage>('members/not-recognized?since=2026-01-01');
  assert.equal(forgotten.totalElements + forgotten.others, before.forgotten.totalElements);
  assert.ok(forgotten.members.every(({ member }) => member.id !== ana.id));
  const fairness = await read<FairnessPage>('fairness');
  assert.ok(fairness.managers.every(({ manager }) => manager.id !== ana.id));
  const groups = await read<CoveragePage>('coverage?by=manager');
  assert.ok(groups.groups.every(({ id }) => id !== ana.id));
  assert.equal(groups.groups.filter(({ name }) => name === '…').length, 1);

  const activity = await read<TeamActivityPage>('teams/activity');
  const text = JSON.stringify(activity);
  assert.ok(!/ben|ana/i.test(text), text);
  assert.ok(text.includes('dan@example.com'));
  for (const path of [
    'members/last-recognized',
    'members/not-recognized?since=2026-01-01',
    'fairness',
    'teams/activity',
  ]) {
    const { status, body } = await owner.call<string>(`/api/v1/reports/${path}`, csv);
    assert.equal(status, 200, path);
    assert.ok(!/ben@|ana@|Thanks ben/.test(String(body)), `${path}: ${body}`);
  }
  assert.deepEqual(
    {
      coverage: (await read<CoveragePage>('coverage')).company,
      fairness: fairness.company,
      activity: activity.totalElements,
      series: await read('series'),
    },
    { coverage: before.coverage, fairness: before.fairness, activity: before.activity, series: before.series },
  );

  await owner.ask(204, `/members/${ben.id}/restriction`, 'DELETE');
  await owner.ask(204, `/members/${ana.id}/restriction`, 'DELETE');
  await owner.ask(409, `/members/${ana.id}/restriction`, 'DELETE');
  assert.equal((await read<LastRecognizedPage>('members/last-recognized')).totalElements, before.last);
});

test('the feed leaves out posts by a person who is kept out and to them alone, and counts them among the others', async () => {
  const { cyd, ben, keepOut } = await open();
  assert.equal((await cyd.feed()).posts.length, 3);
  await keepOut(ben.id);
  const { posts } = await cyd.feed();
  assert.deepEqual(
    posts.map(({ message, receivers, receiverCount }) => [message, receivers.map(({ id }) => id), receiverCount]),
    [['Thanks both', [cyd.id], 2]],
  );
  const { posts: ofBen } = await ben.mine('received');
  assert.equal(ofBen.length, 2, 'they read what they have received');
  const [both] = posts as [FeedPost];
  const [alone] = ofBen.filter(({ id }) => id !== both.id) as [FeedPost];
  await cyd.ask(404, `/feed/posts/${alone.id}`);
  await ben.ask(200, `/feed/posts/${alone.id}`);
  const receivers = async (who: typeof cyd) =>
    (await who.ask<FeedPeople>(200, `/feed/posts/${both.id}/receivers`)).people.map(({ id }) => id);
  assert.deepEqual(await receivers(cyd), [cyd.id]);
  assert.deepEqual(
    await receivers(ben),
    [ben.id, cyd.id].sort((one, other) => one - other),
  );
});

test('a person objects themselves and takes it back, and cannot take back what the company has decided', async () => {
  const { ben, owner, keepOut } = await open();
  const set = (status: number, keptOut: boolean) =>
    ben.ask<Preferences>(status, '/me/preferences', 'PATCH', { keptOut });
  assert.equal((await set(200, true)).keptOut, true);
  const { keptOut } = await owner.ask<MemberRights>(200, `/members/${ben.id}/rights`);
  assert.deepEqual([keptOut?.reason, keptOut?.decidedBy.is], [null, 'USER']);
  assert.equal((await set(200, false)).keptOut, false);
  await keepOut(ben.id);
  await set(403, false);
  await set(200, true);
  await owner.ask(204, `/members/${ben.id}/restriction`, 'DELETE');
  assert.equal((await ben.ask<Preferences>(200, '/me/preferences')).keptOut, false);
});
