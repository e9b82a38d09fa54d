import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { aPng } from '../support/mails.ts';
import { startService } from '../support/service.ts';

const service = await startService();

test(
  'the preview follows the brand as one types, and a colour that nobody can read is refused',
  needsBrowser,
  async () => {
    const { page, open, done } = await openConsole(service);
    await open('/settings');
    const preview = page.frameLocator('iframe');
    await seen(preview.getByText('Acme').first());
    await page.getByLabel('Name in emails and on pages').fill('Northwind');
    await seen(preview.getByText('Northwind').first());
    await page.getByLabel('Colour').fill('#777777');
    await seen(page.getByText(/must leave white or dark text readable/i).first());
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.locator('[aria-invalid="true"]'));
    await done('a colour that is refused');
    await page.getByLabel('Colour').fill('#0F5C5C');
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.getByText('Saved. New emails and gift pages use these settings.'));
    await page.reload();
    assert.equal(await page.getByLabel('Name in emails and on pages').inputValue(), 'Northwind');
  },
);

test('a logo is shown as soon as it is chosen', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service);
  await open('/settings');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: aPng(540, 120) });
  await seen(page.getByRole('img', { name: 'Your logo' }));
  await done('a logo');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('img', { name: 'Your logo' }).waitFor({ state: 'detached' });
});

test(
  'policies are changed together, faults stand at their fields, and an auditor only reads',
  needsBrowser,
  async () => {
    const { page, open, done } = await openConsole(service, { width: 360 });
    await open('/settings/policies');
    await page.getByLabel('Shoutouts require approval').click();
    await page.getByLabel('Reminders, days after the gift email').fill('10, 3');
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.getByText(/each greater than the one before/));
    await done('reminders in the wrong order');
    await page.getByLabel('Reminders, days after the gift email').fill('3, 10');
    const codeAbove = page.getByLabel('Require a verification code above');
    await codeAbove.pressSequentially('99,50');
    assert.equal(await codeAbove.inputValue(), '99.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.getByText('Saved.'));
    await page.reload();
    await seen(codeAbove);
    assert.equal(await codeAbove.inputValue(), '99.5');

    const auditor = await openConsole(service, { role: 'AUDITOR' });
    await auditor.open('/settings/policies');
    assert.ok(await auditor.page.getByLabel('Shoutouts require approval').isChecked());
    assert.ok(await auditor.page.getByLabel('Shoutouts require approval').isDisabled());
    await auditor.done('policies that one only reads');
  },
);

test('a change is not lost to another one that came first: the console says so', needsBrowser, async () => {
  const { page, open } = await openConsole(service);
  await open('/settings');
  await page.getByLabel('Name in emails and on pages').fill('Mine');
  const theirs = { method: 'PATCH', body: { brandName: 'Theirs' } };
  assert.equal((await service.call('/api/v1/settings', theirs)).status, 200);
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText(/Someone else changed this after you opened it/));
  assert.equal((await service.call('/api/v1/settings')).body.brandName, 'Theirs');
});
