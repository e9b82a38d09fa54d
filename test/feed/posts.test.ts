import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  FeedComment,
  FeedComments,
  FeedPeople,
  FeedPost,
  Reactions,
  ThanksList,
} from '../../src/ground/contract/feed.ts';
import type { ReasonList } from '../../src/ground/contract/reason.ts';
import { asEmployee, asPeopleTeam, letIn } from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { type Colleague, openCompany } from '../support/feed.ts';
import { countWaiting } from '../support/held-locks.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const idsOf = (posts: readonly { id: number }[]) => posts.map(({ id }) => id);

test('one post thanks several people with one approval, and each of them received it', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob', 'cleo', 'approver'], {
    asksForApproval: true,
  });
  const [ada, bob, cleo, approver] = people as [Colleague, Colleague, Colleague, Colleague];
  const post = await ada.give([bob.id, cleo.id]);
  assert.deepEqual([post.status, post.receiverCount, post.isMine], ['PENDING', 2, true]);
  assert.deepEqual(idsOf((await bob.feed()).posts), []);
  await bob.ask(404, `/feed/posts/${post.id}`);
  assert.deepEqual(idsOf((await ada.mine('given')).posts), [post.id]);
  const waiting = await workspace.shoutouts();
  assert.deepEqual([waiting.totalElements, waiting.shoutouts[0]?.otherReceivers], [1, 1]);
  await approver.ask(200, `/shoutouts/${post.id}/approve`, 'POST');
  for (const reader of [bob, cleo]) {
    assert.deepEqual(idsOf((await reader.feed()).posts), [post.id]);
    const { posts, total } = await reader.mine('received');
    assert.deepEqual([idsOf(posts), total, posts[0]?.isForMe], [[post.id], 1, true]);
  }
  const { activities } = await workspace.activity();
  assert.deepEqual(
    activities.map(({ status, receiver }) => [status, receiver.id]),
    [
      ['APPROVED', cleo.id],
      ['APPROVED', bob.id],
    ],
  );
});

test('people cannot thank themselves, strangers or people who have left, and nothing is stored then', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob']);
  const [ada, bob] = people as [Colleague, Colleague];
  const other = await openCompany(service, ['eve']);
  const refused = (to: object[]) => ada.ask<{ message: string }>(400, '/feed/posts', 'POST', { to, message: 'x' });
  assert.match(
    (await refused([{ memberId: bob.id }, { memberId: ada.id }])).message,
    /to\[1\]\.memberId is the sender/,
  );
  assert.match((await refused([{ memberId: other.people[0]?.id }])).message, /to\[0\] is no member/);
  assert.match((await refused([{}])).message, /to\[0\] must have a memberId or a teamId/);
  assert.equal((await workspace.activity()).totalElements, 0);
});

test('a private post is in the feed of its people alone, and they see each other', async () => {
  const { people } = await openCompany(service, ['ada', 'bob', 'cleo', 'dan']);
  const [ada, bob, cleo, dan] = people as [Colleague, Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id, cleo.id], { isPrivate: true });
  for (const reader of [ada, bob, cleo]) {
    const [post] = (await reader.feed()).posts;
    assert.deepEqual([post?.id, post?.receivers.map((one) => one.id).sort()], [id, [bob.id, cleo.id].sort()]);
  }
  assert.deepEqual((await dan.feed()).posts, []);
  for (const [path, method] of [
    [`/feed/posts/${id}`, 'GET'],
    [`/feed/posts/${id}/comments`, 'GET'],
    [`/feed/posts/${id}/receivers`, 'GET'],
    [`/feed/posts/${id}/reactions`, 'GET'],
    [`/feed/posts/${id}/reactions/WARM`, 'PUT'],
    [`/me/shoutouts/${id}/thanks`, 'GET'],
  ] as const)
    await dan.ask(404, path, method);
  const { id: comment } = await bob.ask<FeedComment>(201, `/feed/posts/${id}/comments`, 'POST', { text: 'Thanks!' });
  const unseen = await dan.ask<object>(404, `/feed/comments/${comment}`, 'PATCH', { text: 'x' });
  assert.deepEqual(unseen, await dan.ask<object>(404, '/feed/comments/999999999', 'PATCH', { text: 'x' }));
});

test('each person has one of each reaction, and the names are listed on request', async () => {
  const { people } = await openCompany(service, ['ada', 'bob', 'cleo']);
  const [ada, bob, cleo] = people as [Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  await bob.ask(200, `/feed/posts/${id}/reactions/WARM`, 'PUT');
  await Promise.all(Array.from({ length: 5 }, () => cleo.ask(200, `/feed/posts/${id}/reactions/WARM`, 'PUT')));
  const seen = await cleo.ask<Reactions>(200, `/feed/posts/${id}/reactions/WOW`, 'PUT');
  assert.deepEqual(seen.reactions, { WARM: 2, WELL_DONE: 0, WOW: 1, SMILE: 0 });
  assert.deepEqual(seen.myReactions.toSorted(), ['WARM', 'WOW']);
  const { people: warm } = await ada.ask<FeedPeople>(200, `/feed/posts/${id}/reactions?kind=WARM`);
  assert.deepEqual(idsOf(warm), [bob.id, cleo.id]);
  await cleo.ask(200, `/feed/posts/${id}/reactions/WARM`, 'DELETE');
  await cleo.ask(200, `/feed/posts/${id}/reactions/WARM`, 'DELETE');
  assert.equal((await ada.feed()).posts[0]?.reactions.WARM, 1);
});

test('people comment, and edit and delete what is theirs alone', async () => {
  const { people } = await openCompany(service, ['ada', 'bob']);
  const [ada, bob] = people as [Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  const { id: comment } = await bob.ask<FeedComment>(201, `/feed/posts/${id}/comments`, 'POST', {
    text: 'With pleasure',
  });
  await ada.ask(403, `/feed/comments/${comment}`, 'PATCH', { text: 'mine now' });
  await ada.ask(403, `/feed/comments/${comment}`, 'DELETE');
  await bob.ask(200, `/feed/comments/${comment}`, 'PATCH', { text: 'With great pleasure' });
  const { comments } = await ada.ask<FeedComments>(200, `/feed/posts/${id}/comments`);
  assert.deepEqual(
    comments.map((one) => [one.text, one.isMine, one.editedAt !== null]),
    [['With great pleasure', false, true]],
  );
  await bob.ask(204, `/feed/comments/${comment}`, 'DELETE');
  assert.equal((await ada.feed()).posts[0]?.commentCount, 0);
});

for (const [what, sql] of [
  ['deleted', 'delete from feed_comments where workspace_id = $1 and id = $2'],
  ['hidden', 'update feed_comments set hidden_at = now() where workspace_id = $1 and id = $2'],
] as const)
  test(`a comment that is ${what} while its author edits it does not exist`, async () => {
    const { workspace, people } = await openCompany(service, ['ada', 'bob']);
    const [ada, bob] = people as [Colleague, Colleague];
    const { id } = await ada.give([bob.id]);
    const path = `/feed/posts/${id}/comments`;
    const { id: comment } = await bob.ask<FeedComment>(201, path, 'POST', { text: 'With pleasure' });
    const { edited } = await service.database.transaction(async (tx) => {
      await tx.query(sql, [workspace.id, comment]);
      const waiting = bob.ask(404, `/feed/comments/${comment}`, 'PATCH', { text: 'With great pleasure' });
      await eventually(
        () => countWaiting(service.database, 'people'),
        (count) => count > 0,
      );
      return { edited: waiting };
    });
    await edited;
  });

test('the sender edits and deletes a post, and a deleted one leaves no text behind', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob', 'cleo']);
  const [ada, bob, cleo] = people as [Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id, cleo.id], { message: 'first words' });
  await bob.ask(403, `/feed/posts/${id}`, 'PATCH', { message: 'not mine' });
  const edited = await ada.ask<FeedPost>(200, `/feed/posts/${id}`, 'PATCH', { message: 'second words' });
  assert.deepEqual([edited.message, edited.editedAt !== null], ['second words', true]);
  await ada.ask(204, `/feed/posts/${id}`, 'DELETE');
  await bob.ask(404, `/feed/posts/${id}`);
  assert.deepEqual((await bob.mine('received')).posts, []);
  const { totalElements, activities } = await workspace.activity();
  assert.deepEqual([totalElements, activities.map(({ description }) => description)], [2, ['', '']]);
  const kept = await service.database.query('select from shoutouts where workspace_id = $1 and body::text like $2', [
    workspace.id,
    '%words%',
  ]);
  assert.equal(kept.length, 0);
});

test('a post that waits is withdrawn by its sender, and counts as declined', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob'], { asksForApproval: true });
  const [ada, bob] = people as [Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  await ada.ask(204, `/feed/posts/${id}`, 'DELETE');
  assert.equal((await workspace.shoutouts()).totalElements, 0);
  assert.equal((await workspace.activity()).totalElements, 0);
});

test('a post does not change while approvers read it', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob'], { asksForApproval: true });
  const [ada, bob] = people as [Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  const [before] = (await workspace.activity()).activities;
  const { message } = await ada.ask<{ message: string }>(409, `/feed/posts/${id}`, 'PATCH', { message: 'other words' });
  assert.match(message, /^This post waits for approval as it is/);
  assert.deepEqual((await workspace.activity()).activities, [before]);
  assert.equal((await ada.ask<FeedPost>(200, `/feed/posts/${id}`, 'PATCH', { isPrivate: true })).isPrivate, true);
});

test('a page that begins nowhere is refused in plain words', async () => {
  const { people } = await openCompany(service, ['ada']);
  const { message } = await (people[0] as Colleague).ask<{ message: string }>(400, '/feed?after=abc');
  assert.match(message, /after must be the `next` of a page$/);
});

test('the events of a private post that its sender withdraws name nobody', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob'], { asksForApproval: true });
  const [ada, bob] = people as [Colleague, Colleague];
  for (const isPrivate of [true, false]) {
    const { id } = await ada.give([bob.id], { isPrivate });
    await ada.ask(204, `/feed/posts/${id}`, 'DELETE');
  }
  const { events } = await workspace.read<{ events: { type: string; data: { decidedBy?: number | null } }[] }>(
    '/api/v1/events',
  );
  const declined = events.filter(({ type }) => type === 'shoutout.declined');
  assert.deepEqual(
    declined.map(({ data }) => data.decidedBy),
    [null, ada.id],
  );
});

test('a receiver replies once with a thank-you note, which the sender reads', async () => {
  const { people } = await openCompany(service, ['ada', 'bob', 'cleo']);
  const [ada, bob, cleo] = people as [Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  await cleo.ask(403, `/me/shoutouts/${id}/thank`, 'POST', { text: 'me too' });
  await bob.ask(201, `/me/shoutouts/${id}/thank`, 'POST', { text: 'My pleasure' });
  await bob.ask(409, `/me/shoutouts/${id}/thank`, 'POST', { text: 'Again' });
  const { thanks } = await ada.ask<ThanksList>(200, `/me/shoutouts/${id}/thanks`);
  assert.deepEqual(
    thanks.map(({ text, from }) => [text, from.id]),
    [['My pleasure', bob.id]],
  );
  assert.deepEqual((await cleo.ask<ThanksList>(200, `/me/shoutouts/${id}/thanks`)).thanks, []);
  assert.notEqual((await bob.mine('received')).posts[0]?.thankedAt, null);
});

test('the feed has pages, and filters by team, location and reason', async () => {
  const fields = [{ location: 'Vancouver' }, { location: 'vancouver' }, { location: 'Halifax' }];
  const { people } = await openCompany(service, ['ada', 'bob', 'cleo'], { fields });
  const [ada, bob, cleo] = people as [Colleague, Colleague, Colleague];
  const given = [];
  for (const to of [bob, cleo, bob, cleo, bob]) given.unshift((await ada.give([to.id])).id);
  const pages: number[][] = [];
  for (let query = '?size=2'; query; ) {
    const { posts, next } = await cleo.feed(query);
    pages.push(idsOf(posts));
    query = next ? `?size=2&after=${next}` : '';
  }
  assert.deepEqual(pages, [given.slice(0, 2), given.slice(2, 4), given.slice(4)]);
  const ofBob = [given[0], given[2], given[4]];
  assert.deepEqual(idsOf((await ada.feed('?filter=MY_LOCATION')).posts), ofBob);
  const first = await ada.feed('?filter=MY_LOCATION&size=2');
  assert.deepEqual(idsOf((await ada.feed(`?filter=MY_LOCATION&size=2&after=${first.next}`)).posts), ofBob.slice(2));
  assert.equal((await ada.feed('?filter=MY_TEAM')).posts.length, 5);
  assert.deepEqual((await ada.feed('?reasonId=999999')).posts, []);
});

test('an employee without other scopes lists the reasons, gives a post with one and filters the feed by it', async () => {
  const { workspace, people } = await openCompany(service, ['ada', 'bob'], { fields: [{ employeeNumber: '1' }] });
  const [ada, bob] = people as [Colleague, Colleague];
  await letIn(service, { access: 'ALL' }, workspace.id);
  await asPeopleTeam(service, 'POST /reasons', { description: 'Mentoring', isDefault: false }, workspace.id);
  const { call } = await asEmployee(service, ada.id, workspace.id);
  assert.equal((await call('/api/v1/reasons')).status, 403);
  const { body } = await call<ReasonList>('/api/v1/feed/reasons');
  const [usual, other] = body.reasons;
  assert.deepEqual([usual?.isDefault, other?.isDefault], [true, false]);
  const given = await call<FeedPost>('/api/v1/feed/posts', {
    method: 'POST',
    body: { to: [{ memberId: bob.id }], message: 'Thank you!', reasonId: other?.id },
  });
  assert.equal(given.body.reason.id, other?.id);
  assert.deepEqual(idsOf((await bob.feed(`?reasonId=${other?.id}`)).posts), [given.body.id]);
  assert.deepEqual((await bob.feed(`?reasonId=${usual?.id}`)).posts, []);
});
