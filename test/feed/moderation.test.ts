import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { FeedComment } from '../../src/ground/contract/feed.ts';
import type { FeedCase, FeedCases } from '../../src/ground/contract/feed-moderation.ts';
import { type Colleague, openCompany } from '../support/feed.ts';
import { startService } from '../support/service.ts';

const service = await startService();

async function openFeed() {
  const { workspace, people } = await openCompany(service, ['ada', 'bob', 'cleo', 'approver']);
  const [ada, bob, cleo, approver] = people as [Colleague, Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  return { workspace, ada, bob, cleo, approver, id };
}

test('the people team reads what was reported and why, and never by whom', async () => {
  const { ada, bob, cleo, approver, id } = await openFeed();
  await ada.ask(409, `/feed/posts/${id}/report`, 'POST', { why: 'my own' });
  await bob.ask(204, `/feed/posts/${id}/report`, 'POST', { why: 'It is about my illness.' });
  await bob.ask(204, `/feed/posts/${id}/report`, 'POST', { why: 'Again.' });
  await cleo.ask(204, `/feed/posts/${id}/report`, 'POST', {});
  await bob.ask(403, '/feed/moderation');
  const { cases, open } = await approver.ask<FeedCases>(200, '/feed/moderation');
  assert.deepEqual(
    [open, cases.map((one) => [one.post.id, one.reports, one.whys])],
    [1, [[id, 2, ['It is about my illness.']]]],
  );
  assert.equal(JSON.stringify(cases).includes('cleo'), false);
});

test('what is hidden leaves the feed, is in the log and can be shown again', async () => {
  const { workspace, bob, cleo, approver, id } = await openFeed();
  await bob.ask(204, `/feed/posts/${id}/report`, 'POST', {});
  const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
  const hidden = await approver.ask<FeedCase>(200, `/feed/moderation/${found?.id}/hide`, 'POST', { note: 'Private.' });
  assert.deepEqual([hidden.state, hidden.note, hidden.decidedBy?.id], ['HIDDEN', 'Private.', approver.id]);
  assert.deepEqual((await cleo.feed()).posts, []);
  await cleo.ask(404, `/feed/posts/${id}`);
  assert.equal((await approver.ask<FeedCases>(200, '/feed/moderation')).open, 0);
  assert.equal((await approver.ask<FeedCases>(200, '/feed/moderation?state=DECIDED')).cases[0]?.state, 'HIDDEN');
  await approver.ask(200, `/feed/moderation/${found?.id}/keep`, 'POST');
  assert.equal((await cleo.feed()).posts.length, 1);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?size=100');
  const actions = entries.map(({ action }) => action as string).filter((action) => action.startsWith('feed.'));
  assert.deepEqual(actions, ['feed.kept', 'feed.hidden']);
});

test('a comment is hidden without its post', async () => {
  const { ada, bob, cleo, approver, id } = await openFeed();
  const comment = await cleo.ask<FeedComment>(201, `/feed/posts/${id}/comments`, 'POST', { text: 'Rude words' });
  await cleo.ask(409, `/feed/comments/${comment.id}/report`, 'POST', {});
  await bob.ask(204, `/feed/comments/${comment.id}/report`, 'POST', { why: 'Rude' });
  const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
  assert.equal(found?.comment?.text, 'Rude words');
  await approver.ask(200, `/feed/moderation/${found?.id}/hide`, 'POST');
  const [post] = (await ada.feed()).posts;
  assert.deepEqual([post?.id, post?.commentCount], [id, 0]);
  await approver.ask(200, `/feed/moderation/${found?.id}/hide`, 'POST');
  await approver.ask(200, `/feed/moderation/${found?.id}/keep`, 'POST');
  assert.equal((await ada.feed()).posts[0]?.commentCount, 1);
});

test('a case about a comment that its author deletes goes from the list and its count, and cannot be decided', async () => {
  const { bob, cleo, approver, id } = await openFeed();
  const comment = await cleo.ask<FeedComment>(201, `/feed/posts/${id}/comments`, 'POST', { text: 'Rude words' });
  await bob.ask(204, `/feed/comments/${comment.id}/report`, 'POST', { why: 'Rude' });
  const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
  await cleo.ask(204, `/feed/comments/${comment.id}`, 'DELETE');
  assert.deepEqual(await approver.ask<FeedCases>(200, '/feed/moderation'), { cases: [], open: 0, next: null });
  for (const action of ['hide', 'keep']) await approver.ask(404, `/feed/moderation/${found?.id}/${action}`, 'POST');
});

test('a case about a post that its sender deletes shows no text, and can be decided', async () => {
  const { ada, bob, approver, id } = await openFeed();
  await bob.ask(204, `/feed/posts/${id}/report`, 'POST', { why: 'Rude' });
  await ada.ask(204, `/feed/posts/${id}`, 'DELETE');
  const { cases } = await approver.ask<FeedCases>(200, '/feed/moderation');
  for (const { id: found, post } of cases) {
    assert.equal(post.message, '');
    await approver.ask(200, `/feed/moderation/${found}/keep`, 'POST');
  }
  assert.equal((await approver.ask<FeedCases>(200, '/feed/moderation')).open, 0);
});
