import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

/** A workspace with a claimed gift of 25 CAD. */
async function openSpending(path: string, options: { role?: 'OWNER' | 'AUDITOR'; width?: number } = {}) {
  const { workspace, issue } = await giftsOf(service);
  const [giftId] = (await issue({ email: 'ada@example.com', firstName: 'Ada' })) as [number];
  await claim(database, workspace.id, giftId);
  const console = await openConsole(service, { workspace: workspace.id, ...options });
  await console.open(path);
  return { ...console, workspace, giftId };
}

test('a gift shows what is left of it and how the rest was spent', needsBrowser, async () => {
  const { page, open, done, workspace, giftId } = await openSpending('/gifts');
  await spend(database, workspace.id, giftId, 'payroll', { amount: 10 });
  await open(`/gifts/${giftId}`);
  await page.getByText('CA$15.00 of CA$25.00').waitFor();
  await page.getByText('CA$10.00, With the salary').waitFor();
  await done('a gift that is partly spent');
});

test('codes are added from a file, whose faults are named by line; an auditor adds none', needsBrowser, async () => {
  const { page, done, workspace } = await openSpending('/money/pools');
  await page.getByRole('button', { name: 'Add a pool' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Bookshops');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('This pool has no codes yet.').waitFor();
  const upload = (csv: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf8') });
  await upload('retailer,value,code\nRiverside Books,twenty,RB-1\n');
  await page.getByRole('alert').getByText(/2/).waitFor();
  await done('a file of codes with a fault');
  await upload('retailer,value,code\nRiverside Books,25.00,RB-1\nRiverside Books,25.00,RB-2\n');
  await page.getByRole('row', { name: /Riverside Books CA\$25\.00 2 0 0 Low/ }).waitFor();
  await done('a pool');
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR', width: 360 });
  await auditor.open('/money/pools');
  await auditor.page.getByText('Riverside Books').waitFor();
  assert.equal(await auditor.page.getByRole('button', { name: /Add/ }).count(), 0);
  await auditor.done('a pool of an auditor');
});
