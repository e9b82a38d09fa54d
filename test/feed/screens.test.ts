import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScreenPost } from '../../src/giving/feed/screens.ts';
import type { CreatedFeedScreen, FeedScreens } from '../../src/ground/contract/feed-screen.ts';
import { asPeopleTeam } from '../support/employees.ts';
import { type Colleague, openCompany } from '../support/feed.ts';
import { startService } from '../support/service.ts';

const service = await startService();

async function openScreen() {
  const { workspace, people } = await openCompany(service, ['ada', 'bob', 'cleo', 'approver']);
  const [ada, bob, , approver] = people as [Colleague, Colleague, Colleague, Colleague];
  const screen = await approver.ask<CreatedFeedScreen>(201, '/feed/screens', 'POST', { name: 'Canteen' });
  const [path, secret] = screen.link.split('#') as [string, string];
  const look = async (token = secret, at = path) => {
    const answer = await fetch(`${service.url}${at}/posts`, { headers: { Authorization: `Bearer ${token}` } });
    return { status: answer.status, text: await answer.text() };
  };
  return { workspace, ada, bob, approver, screen, look, secret };
}

test('a screen shows the latest public shoutouts, and nothing else', async () => {
  const { ada, bob, look } = await openScreen();
  await ada.give([bob.id], { message: 'In the open' });
  await ada.give([bob.id], { message: 'Between us', isPrivate: true });
  const hidden = await ada.give([bob.id], { message: 'Taken back' });
  await ada.ask(204, `/feed/posts/${hidden.id}`, 'DELETE');
  const { status, text } = await look();
  assert.equal(status, 200);
  const { posts } = JSON.parse(text) as { posts: ScreenPost[] };
  assert.deepEqual(
    posts.map(({ sender, receivers, message, withGift }) => ({ sender, receivers, message, withGift })),
    [{ sender: 'ada', receivers: ['bob'], message: 'In the open', withGift: false }],
  );
  assert.doesNotMatch(text, /Between us|Taken back|@|"id"/);
});

test('a link shows its own workspace, and none once it is revoked', async () => {
  const { approver, screen, look, secret } = await openScreen();
  const other = await openScreen();
  assert.equal((await look(`${secret}x`)).status, 403);
  assert.equal((await look('')).status, 403);
  assert.equal((await look(secret, other.screen.link.split('#')[0])).status, 403);
  await other.approver.ask(404, `/feed/screens/${screen.id}`, 'DELETE');
  assert.equal((await look()).status, 200);
  await approver.ask(204, `/feed/screens/${screen.id}`, 'DELETE');
  assert.equal((await look()).status, 403);
  assert.deepEqual((await approver.ask<FeedScreens>(200, '/feed/screens')).screens, []);
});

test('its secret is stored nowhere, and managers create no screens', async () => {
  const { workspace, ada, secret } = await openScreen();
  await ada.ask(403, '/feed/screens', 'POST', { name: 'Door' });
  const rows = await service.database.query('select * from feed_screens where workspace_id = $1', [workspace.id]);
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(secret));
  const { body } = await asPeopleTeam<{ entries: { action: string }[] }>(
    service,
    'GET /audit',
    undefined,
    workspace.id,
  );
  assert.ok(JSON.stringify(body).includes('feed.screen_created'));
  assert.ok(!JSON.stringify(body).includes(secret));
});
