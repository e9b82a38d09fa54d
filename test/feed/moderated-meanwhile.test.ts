import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedComment } from '../../src/ground/contract/feed.ts';
import type { FeedCases } from '../../src/ground/contract/feed-moderation.ts';
import { eventually } from '../support/eventually.ts';
import { type Colleague, openCompany } from '../support/feed.ts';
import { startService } from '../support/service.ts';

// What becomes of texts that their authors delete while the people team decides about them.

const service = await startService();
const { database } = service;

async function openFeed() {
  const { people } = await openCompany(service, ['ada', 'bob', 'cleo', 'approver']);
  const [ada, bob, cleo, approver] = people as [Colleague, Colleague, Colleague, Colleague];
  const { id } = await ada.give([bob.id]);
  return { ada, bob, cleo, approver, id };
}

test('a post that its sender has deleted is not shown again, whatever is decided about it', async () => {
  const { ada, bob, cleo, approver, id } = await openFeed();
  await bob.ask(204, `/feed/posts/${id}/report`, 'POST', { why: 'Rude' });
  await ada.ask(204, `/feed/posts/${id}`, 'DELETE');
  const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
  for (const verb of ['keep', 'hide', 'keep']) {
    await approver.ask(200, `/feed/moderation/${found?.id}/${verb}`, 'POST');
    assert.deepEqual((await cleo.feed()).posts, [], verb);
    await cleo.ask(404, `/feed/posts/${id}`);
    assert.equal((await bob.mine('received')).total, 0);
  }
});

const waiting = () =>
  database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%feed_comments%'`,
  );

test('a comment that is deleted and hidden at the same time is counted once', async () => {
  const { ada, bob, cleo, approver, id } = await openFeed();
  for (const first of ['delete', 'hide']) {
    const comment = await cleo.ask<FeedComment>(201, `/feed/posts/${id}/comments`, 'POST', { text: 'Rude words' });
    await cleo.ask(201, `/feed/posts/${id}/comments`, 'POST', { text: 'Kind words' });
    await bob.ask(204, `/feed/comments/${comment.id}/report`, 'POST', {});
    const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
    const requests = {
      delete: () => cleo.call(`/api/v1/feed/comments/${comment.id}`, { method: 'DELETE' }),
      hide: () => approver.call(`/api/v1/feed/moderation/${found?.id}/hide`, { method: 'POST' }),
    };
    const order = first === 'delete' ? (['delete', 'hide'] as const) : (['hide', 'delete'] as const);
    const answers = await database.transaction(async (tx) => {
      await tx.query('select from feed_comments where id = $1 for update', [comment.id]);
      const sent = [];
      for (const [nth, name] of order.entries()) {
        sent.push(requests[name]());
        await eventually(async () => (await waiting()).length === nth + 1);
      }
      return sent;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(statuses, first === 'delete' ? [204, 404] : [200, 404]);
    const [post] = (await ada.feed()).posts;
    assert.equal(post?.commentCount, first === 'delete' ? 1 : 2);
  }
});
