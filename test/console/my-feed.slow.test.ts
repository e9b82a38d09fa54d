import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedPage } from '../../src/ground/contract/feed.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { letIn } from '../support/employees.ts';
import { openMy } from '../support/my.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const people = [
  { email: 'priya@example.com', firstName: 'Priya', lastName: 'Nair', location: 'Halifax' },
  { email: 'ravi@example.com', firstName: 'Ravi', lastName: 'Menon', location: 'Halifax' },
  { email: 'ingrid@example.com', firstName: 'Ingrid', lastName: 'Solberg', location: 'Oslo' },
  { email: 'emeka@example.com', firstName: 'Emeka', lastName: 'Obi', location: 'Halifax' },
];

async function openCompany() {
  const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
  const as = (name: string) => ({ workspace: workspace.id, email: `${name}@example.com`, role: 'MANAGER' as const });
  return {
    workspace,
    enter: (name: string, options: { width?: number; language?: 'en' | 'fr' | 'es' } = {}) =>
      openMy(service, { ...as(name), ...options }),
    callAs: async (name: string) => (await signIn(service, as(name))).call,
  };
}

test(
  'three colleagues get one shoutout, and a recipient reads it, reacts and replies, at 360 pixels',
  needsBrowser,
  async () => {
    const { enter } = await openCompany();
    const priya = await enter('priya');
    await priya.open('/give');
    await priya.page.getByLabel('What did they do?').fill('Forty pallets in the rain, and nobody was left alone.');
    for (const name of ['Ravi', 'Ingrid', 'Emeka']) {
      await priya.page.getByRole('combobox', { name: 'To' }).fill(name);
      await priya.page.getByRole('option', { name: new RegExp(name) }).click();
    }
    await priya.done('a shoutout that is written');
    await priya.page.getByRole('button', { name: 'Give shoutout to 3 people' }).click();
    await seen(priya.page.getByRole('heading', { name: 'Shoutout sent to Ravi Menon, Ingrid Solberg and Emeka Obi' }));
    await priya.done('a shoutout that was given');

    const ravi = await enter('ravi');
    await ravi.open('/feed');
    const post = ravi.page.getByRole('article').filter({ hasText: 'Forty pallets in the rain' });
    await seen(post.getByText('thanked you, '));
    await post.getByRole('button', { name: 'Warm' }).click();
    await seen(post.getByRole('button', { name: 'Warm', pressed: true }));
    await ravi.done('the feed');
    await post.getByRole('button', { name: 'Reply with a thank-you note' }).click();
    await ravi.page.getByRole('dialog').getByLabel('Your thank-you note').fill('Any time.');
    await ravi.page.getByRole('dialog').getByRole('button', { name: 'Send thank-you note' }).click();
    await seen(post.getByText(/^You replied on/));
    await post.getByRole('link', { name: 'Comment' }).click();
    await ravi.page.getByLabel('Add a comment').fill('The rain has a name now.');
    await ravi.page.getByRole('button', { name: 'Send comment' }).click();
    await seen(ravi.page.getByText('The rain has a name now.').last());
    await ravi.done('one shoutout');

    await priya.open('/shoutouts?show=given');
    await priya.page.getByRole('link', { name: '1 comment' }).click();
    await seen(priya.page.getByText('Any time.'));
    await priya.page.getByRole('button', { name: 'Who reacted' }).click();
    await seen(priya.page.getByText('Ravi Menon find it warm'));
    await priya.done('the sender’s view');
  },
);

test('a shoutout is given, and one’s own is edited and deleted, with the keyboard alone', needsBrowser, async () => {
  const { enter, callAs } = await openCompany();
  const { page, open, done } = await enter('priya');
  await open('/give');
  await page.getByLabel('What did they do?').focus();
  await page.keyboard.type('You stayed until the last truck.');
  await page.keyboard.press('Tab');
  await page.keyboard.type('emek');
  await seen(page.getByRole('option', { name: /Emeka Obi/ }));
  await page.keyboard.press('Enter');
  await seen(page.getByText('Emeka Obi'));
  await page.keyboard.type('ravi');
  await seen(page.getByRole('option', { name: /Ravi Menon/ }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Only them' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Give shoutout to 1 person' }).focus();
  await page.keyboard.press('Enter');
  await seen(page.getByRole('heading', { name: 'Shoutout sent to Emeka Obi' }));
  await page.getByRole('link', { name: 'See it in the feed' }).focus();
  await page.keyboard.press('Enter');
  await seen(page.getByText('Private: only you and Emeka Obi'));
  await done('a private shoutout');
  await page.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Message').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Thank you.');
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await seen(page.getByText('You stayed until the last truck. Thank you.'));
  const ravi = await callAs('ravi');
  const read = await ravi<FeedPage>('/api/v1/feed');
  assert.deepEqual(read.body.posts, [], 'a colleague does not see it');
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await seen(page.getByRole('heading', { name: 'No shoutouts yet' }));
});

test('a draft survives a closed window, and an offline send keeps every word', needsBrowser, async () => {
  const { enter } = await openCompany();
  const { page, open } = await enter('priya');
  await open('/give');
  await page.getByLabel('What did they do?').fill('You drove to Truro for a cable.');
  await page.getByRole('combobox', { name: 'To' }).fill('Ingrid');
  await page.getByRole('option', { name: /Ingrid/ }).click();
  await open('/give');
  assert.equal(await page.getByLabel('What did they do?').inputValue(), 'You drove to Truro for a cable.');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Give shoutout to 1 person' }).click();
  await seen(page.getByRole('alert').getByText('Nothing was sent. Your text is kept.'));
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page.getByRole('heading', { name: 'Shoutout sent to Ingrid Solberg' }));
});

test('what is reported reaches the people team, without the name of who did', needsBrowser, async () => {
  const { enter, callAs } = await openCompany();
  const priya = await callAs('priya');
  const colleagues = await priya<{ people: { id: number }[] }>('/api/v1/feed/colleagues?search=Ravi');
  const to = colleagues.body.people.map(({ id }) => ({ memberId: id }));
  await priya('/api/v1/feed/posts', { method: 'POST', body: { to, message: 'Thanks for nothing.' } });
  const { page, open, done } = await enter('emeka');
  await open('/feed');
  await page.getByRole('link', { name: 'Comment' }).click();
  await page.getByRole('button', { name: 'Report' }).click();
  await page.getByLabel('What is wrong with it?').fill('Not kind.');
  await page.getByRole('dialog').getByRole('button', { name: 'Report' }).click();
  await seen(page.getByText('Reported to the people team.'));
  await done('a report');
});

for (const language of ['fr', 'es'] as const)
  test(`the feed, giving and one’s own page in ${language}, on a phone and on a desk`, needsBrowser, async () => {
    const { enter } = await openCompany();
    for (const width of [360, 1440]) {
      const { open, done } = await enter('ingrid', { width, language });
      for (const path of ['/feed', '/give', '/shoutouts', '/']) {
        await open(path);
        await done(`${path} in ${language} at ${width}`);
      }
    }
  });

test(
  'a shoutout with a gift says what is left, comes with the gift, and shows others no amount',
  needsBrowser,
  async () => {
    const { workspace, enter } = await openCompany();
    await letIn(service, { access: 'ALL', givesGifts: true }, workspace.id);
    const budget = { currency: 'CAD', amount: 1_000, personCap: 40 };
    assert.equal((await workspace.call('/api/v1/budgets', { method: 'POST', body: budget })).status, 201);
    const { page, open, done } = await enter('priya');
    await open('/give');
    await page.getByLabel('What did they do?').fill('Forty pallets in the rain.');
    for (const name of ['Ravi', 'Ingrid', 'Emeka']) {
      await page.getByRole('combobox', { name: 'To' }).fill(name);
      await page.getByRole('option', { name: new RegExp(name) }).click();
    }
    const gift = page.getByRole('switch', { name: 'Add a small gift' });
    await seen(page.getByText('CA$40.00 of your CA$40.00 left this month'));
    await gift.press('Space');
    await page.getByRole('button', { name: 'Give shoutout to 3 people' }).click();
    await seen(page.getByText('Choose an amount.'));
    await page.getByRole('button', { name: 'Other' }).click();
    await page.getByLabel('Amount for each person, in CAD').fill('20');
    await seen(page.getByText('That is more than the CA$40.00 you have left.'));
    await page.getByRole('button', { name: 'CA$5 each' }).click();
    await seen(page.getByText(/3 × CA\$5\.00 = CA\$15\.00\. CA\$25\.00 stays, until/));
    await done('a gift with a shoutout');
    await page.getByRole('button', { name: 'Give shoutout to 3 people' }).click();
    await seen(page.getByRole('heading', { name: /^Shoutout sent to/ }));
    await done('a shoutout that was given with a gift');
    const ravi = await enter('ravi');
    await ravi.open('/feed');
    const post = ravi.page.getByRole('article').filter({ hasText: 'Forty pallets in the rain' });
    await seen(post.getByText('with a gift'));
    await ravi.done('a shoutout that came with a gift');
    await post.getByRole('link', { name: 'Open your gift' }).click();
    await ravi.page.waitForURL(/\/gifts\/\d+$/);
  },
);
