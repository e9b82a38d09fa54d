import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

test(
  'home shows what waits, this month, who was covered, and the latest words as they come',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service, {
      asksForApproval: true,
      people: ['ada', 'mei', 'jonas'].map((name) => ({
        email: `${name}@example.com`,
        firstName: name === 'mei' ? 'Mei' : 'Ada',
        department: name === 'jonas' ? 'Sales' : 'Care',
      })),
    });
    await workspace.gift({ email: 'mei@example.com' });
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, name: 'Samir Marín' });
    await open('/');
    await seen(page.getByText('CA$25').first());
    const covered = page.getByRole('list', { name: 'Recognized in 90 days' });
    await seen(covered.getByText('1/2'));
    assert.match((await covered.textContent()) ?? '', /Sales0% 0\/1Care50% 1\/2/);
    await seen(page.getByRole('link', { name: '2 people were not recognized for 90 days' }));

    await workspace.give(
      aShoutout({ recipient: { email: 'mei@example.com' }, message: 'Eleven hours, not one late order.' }),
    );
    await seen(page.getByText('Eleven hours, not one late order.'));
    await seen(page.getByText('1 shoutout waits for approval'));
    await done('home');
  },
);

test('home says what failed in its place, and reads again', needsBrowser, async () => {
  const { page, open } = await openConsole(service);
  await page.route('**/api/v1/reports/overview*', (route) =>
    route.fulfill({
      status: 400,
      json: { status: 400, message: 'The report is being repaired.', type: 'invalid_field' },
    }),
  );
  await open('/');
  await seen(page.getByRole('alert').getByText('The report is being repaired.'));
  await page.unroute('**/api/v1/reports/overview*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page.getByText('No recognition yet'));
  await seen(page.getByRole('link', { name: 'Send the first gift' }));
});
