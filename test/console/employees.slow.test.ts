import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmployeeSettings } from '../../src/ground/contract/employee-settings.ts';
import type { FeedPage } from '../../src/ground/contract/feed.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'priya@example.com', firstName: 'Priya', lastName: 'Nair' },
  { firstName: 'Emeka', lastName: 'Obi', employeeNumber: '03302' },
];

for (const width of [1440, 360])
  test(
    `employees are let in, and one signs in at a shared screen and out again, at ${width} pixels`,
    needsBrowser,
    async () => {
      const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
      const { page, open, done } = await openConsole(service, { workspace: workspace.id, width });
      await open('/settings/employees');
      await page.getByRole('radio', { name: 'Everyone in the directory' }).check();
      await seen(page.getByText('No one can sign in to the app yet'));
      await page.getByLabel('Days for people who have left').fill('90');
      await done('the access of employees');
      await page.getByRole('button', { name: 'Save' }).click();
      await seen(page.getByText('Access of employees saved.'));
      const { access, leaverDays } = await workspace.read<EmployeeSettings>('/api/v1/settings/employees');
      assert.deepEqual([access, leaverDays], ['ALL', 90]);

      await open(`/people/${workspace.memberIds[1]}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Create kiosk code' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create kiosk code' }).click();
      const code = await page.getByLabel('Kiosk code', { exact: true }).inputValue();
      assert.match(code, /^\d{10}$/);

      const kiosk = await openVisitor(service.url, { viewport: { width: 360, height: 760 } });
      await kiosk.page.goto(`${service.url}/my/${workspace.id}/kiosk`);
      const keys = kiosk.page.getByRole('group', { name: 'Keys' });
      const type = async (text: string) => {
        for (const digit of text) await keys.getByRole('button', { name: digit, exact: true }).click();
      };
      await type('03302');
      await keys.getByRole('button', { name: 'Next' }).click();
      await type(code);
      await kiosk.checkAccess('the page of a shared screen');
      await keys.getByRole('button', { name: 'Sign in' }).click();
      await seen(kiosk.page.getByRole('heading', { name: 'Welcome, Emeka' }));
      await kiosk.page.getByRole('button', { name: 'Sign out' }).click();
      await seen(kiosk.page.getByRole('heading', { name: 'Hello. Who are you?' }));
    },
  );

test('what was reported is hidden with a note, and shown again', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
  const priya = await signIn(service, { workspace: workspace.id, role: 'MANAGER', email: 'priya@example.com' });
  const to = [{ memberId: workspace.memberIds[1] }];
  const body = { to, message: 'Thanks for nothing.' };
  assert.equal((await priya.call('/api/v1/feed/posts', { method: 'POST', body })).status, 201);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  const posts = async () => (await priya.call<FeedPage>('/api/v1/feed')).body.posts;
  const [post] = await posts();
  const owner = await signIn(service, { workspace: workspace.id });
  const report = { method: 'POST', body: { why: 'Not kind.' } };
  assert.equal((await owner.call(`/api/v1/feed/posts/${post?.id}/report`, report)).status, 204);
  await open('/recognition?view=reported');
  await seen(page.getByText('Thanks for nothing.'));
  await seen(page.getByText('“Not kind.”'));
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Asked to rewrite it.');
  await done('a report');
  await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
  await seen(page.getByText('No open reports'));
  await page.getByText('Decided', { exact: true }).click();
  await seen(page.getByText('“Asked to rewrite it.”'));
  await page.getByRole('button', { name: 'Show again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await seen(page.getByText('Kept in the feed.'));
});
