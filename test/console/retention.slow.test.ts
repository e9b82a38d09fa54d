import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RetentionRules } from '../../src/ground/contract/retention.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

for (const width of [1440, 360])
  test(
    `an owner sets how long texts are kept, and what is older goes only after a question, at ${width} pixels`,
    needsBrowser,
    async () => {
      const workspace = await openWorkspace(service, { name: 'Northwind Labs' });
      const { page, open, done } = await openConsole(service, { workspace: workspace.id, width });
      const daysOf = async (kind: string) =>
        (await workspace.read<RetentionRules>('/api/v1/settings/retention')).kinds.find((one) => one.kind === kind)
          ?.days;
      await open('/settings/retention');
      const texts = page.getByLabel('Days to keep: Texts of gifts');
      await seen(page.getByText('Default: always, at least 30').first());
      await done('the list of what is kept');
      await texts.fill('365');
      await page.getByRole('button', { name: 'Save' }).click();
      await seen(page.getByRole('dialog').getByText('do not come back'));
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await daysOf('gift-texts'), null);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save retention' }).click();
      await seen(page.getByText('Retention saved.'));
      assert.equal(await daysOf('gift-texts'), 365);
      await page.getByRole('button', { name: 'Use default' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await eventually(
        () => daysOf('gift-texts'),
        (days) => days === null,
      );
    },
  );

test('an auditor sees the days and cannot change them, and a failure is said', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { name: 'Northwind Labs' });
  const { page, open } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/settings/retention');
  assert.ok(await page.getByLabel('Days to keep: Audit log').isDisabled());
  await page.route('**/api/v1/settings/retention', (route) =>
    route.fulfill({ status: 400, json: { status: 400, message: 'Try again later.', type: 'invalid_field' } }),
  );
  await page.reload();
  await seen(page.getByRole('alert'));
});
