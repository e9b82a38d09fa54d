import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { needsBrowser, seen } from '../support/browser.ts';
import { setBudget } from '../support/budgets.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

async function openWithBudget(amount: number, options: { giftLimit?: number; language?: 'en' | 'fr' | 'es' } = {}) {
  const { giftLimit, language } = options;
  const workspace = await openWorkspace(service, { people: [{ email: 'mei@example.com', firstName: 'Mei' }] });
  await setBudget(service.database, workspace.id, { amount, ...(giftLimit && { giftLimit }) });
  const console = await openConsole(service, { workspace: workspace.id, ...(language && { language }) });
  return { ...console, workspace };
}

test(
  'what is left stands beside the gift, and what does not fit is said before and after sending',
  needsBrowser,
  async () => {
    const { page, open, done, workspace } = await openWithBudget(100, { giftLimit: 80 });
    await open('/send');
    await seen(page.getByText('CA$100.00 available in the workspace’s budget'));
    await page.getByRole('textbox', { name: 'For' }).fill('mei');
    await page.getByRole('option', { name: /Mei/ }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('You kept eleven people calm.');
    await page.getByRole('textbox', { name: 'Amount' }).fill('90.50');
    await seen(page.getByText('The budget limits each gift to CA$80.00'));
    await done('a gift over the limit');
    await page.getByRole('textbox', { name: 'Amount' }).fill('70.50');
    await seen(page.getByText('Leaves CA$29.50 in the workspace’s budget'));
    await done('a gift that fits');

    // Somebody else spends half of it after the press of the button.
    const spendFirst = async (route: Route) => {
      await workspace.gift({ email: 'mei@example.com' }, { email: 'mei@example.com' });
      await route.continue();
    };
    await page.route('**/api/v1/orders', spendFirst, { times: 1 });
    await page.getByRole('button', { name: 'Send gift' }).click();
    await seen(page.getByText('This costs CA$70.50, but CA$50.00 is available'));
    await done('a gift that the budget no longer covers');
    await page.getByRole('textbox', { name: 'Amount' }).fill('50');
    await seen(page.getByText('Leaves CA$0.00'));
    await page.getByRole('button', { name: 'Send gift' }).click();
    await seen(page.getByRole('heading', { name: 'CA$50.00 is on its way to Mei' }));
  },
);

test('a file costs more than the budget has: it is sent once rows are left out', needsBrowser, async () => {
  const { page, open, done, workspace } = await openWithBudget(60);
  await open('/send-many');
  const csv = 'E-mail,Amount,Message\nmei@example.com,40,Hi\nada@example.com,30,Hi\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'year-end.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await seen(page.getByText('These rows cost CA$10.00 more than the CA$60.00 available'));
  assert.equal(await page.getByRole('button', { name: 'Send 2 gifts' }).isDisabled(), true);
  await done('a file over the budget');
  await page.getByText('Ready: 2').click();
  await page.getByRole('button', { name: 'Leave out, row 3' }).click();
  await seen(page.getByText('leaves CA$20.00 in the workspace’s budget'));
  await page.getByRole('button', { name: 'Send 1 gift' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 1 gift' }).click();
  await seen(page.getByRole('heading', { name: '1 gift is on its way' }));
  await eventually(
    async () => (await workspace.activity('?size=1')).totalElements,
    (count) => count === 1,
  );
});

test('home says that a budget is used up, in the language of the person', needsBrowser, async () => {
  const { page, open, done, workspace } = await openWithBudget(25, { language: 'fr' });
  await workspace.gift({ email: 'mei@example.com' });
  await open('/');
  await seen(page.getByText('Un budget est épuisé'));
  await page.getByRole('link', { name: 'Voir les budgets' }).click();
  await seen(page.getByRole('row', { name: /Espace de travail.*Épuisé/ }));
  await done('a budget that is used up');
});
