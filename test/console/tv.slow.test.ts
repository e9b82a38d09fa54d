import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../src/console.ts';
import type { CreatedFeedScreen } from '../../src/ground/contract/feed-screen.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { openCompany } from '../support/feed.ts';
import { startService } from '../support/service.ts';

const service = await startService();

test(
  'a screen on a wall shows shoutouts, keeps them while the network is away, and goes dark once it is revoked',
  needsBrowser,
  async () => {
    await buildConsole();
    const { people } = await openCompany(service, ['ada', 'bob', 'approver']);
    const [ada, bob, approver] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
    await ada.give([bob.id], {
      message: 'Forty pallets in the rain, and you still helped the new driver find the dock.',
    });
    const { id, link } = await approver.ask<CreatedFeedScreen>(201, '/feed/screens', 'POST', { name: 'Canteen' });
    const { page, checkAccess } = await openVisitor(service.url, { viewport: { width: 1920, height: 1080 } });
    await page.goto(service.url + link);
    await seen(page.getByText('Forty pallets in the rain'));
    await checkAccess('a screen on a wall');
    const isLarger = await page.evaluate(
      'document.documentElement.scrollHeight > document.documentElement.clientHeight',
    );
    assert.equal(isLarger, false, 'nothing scrolls on a wall');

    await page.route('**/tv/posts', (route) => route.abort());
    await seen(page.getByText('No connection.'));
    await seen(page.getByText('Forty pallets in the rain'));
    await ada.give([bob.id], { message: 'The forklift has a name now.' });
    await page.unroute('**/tv/posts');
    await seen(page.getByText('The forklift has a name now.'));
    await approver.ask(204, `/feed/screens/${id}`, 'DELETE');
    await seen(page.getByRole('heading', { name: 'This screen was turned off' }));
    assert.equal(await page.getByText('The forklift has a name now.').count(), 0);
  },
);
