import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { Actor } from '../../src/ground/contract/actor.ts';
import { voidAtTill } from '../../src/spending/redemptions/take-back.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
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

test(
  'a spending option is added, moved up and switched off; a wrong address is named at its field',
  needsBrowser,
  async () => {
    const { page, done } = await openSpending('/money/spending-options');
    await seen(page.getByText('With the next salary'));
    await seen(page.getByRole('button', { name: 'Add Gift card' }));
    await page.getByRole('button', { name: 'Add In store or online' }).click();
    const form = page.getByRole('dialog');
    assert.equal(await form.getByRole('combobox', { name: 'Kind' }).inputValue(), 'In store or online');
    await form.getByRole('textbox', { name: 'Name' }).fill('Company shop');
    await form.getByLabel('Shop URL').fill('http://shop.example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await seen(form.getByText(/begins with https/));
    await done('a spending option with a wrong address');
    await form.getByLabel('Shop URL').fill('https://shop.example.com/?gift={code}');
    await form.getByLabel('At least').fill('5');
    await form.getByRole('button', { name: 'Save' }).click();
    await seen(page.getByText('at least 5, in parts or whole'));
    await seen(page.getByText('near-cash'));
    assert.equal(await page.getByRole('button', { name: 'Add In store or online' }).count(), 0, 'it is offered now');
    await page.getByRole('button', { name: 'Move Company shop up' }).click();
    await seen(page.getByRole('button', { name: 'Move With the next salary up' }));
    await page.getByText('Saved. Recipients see the change now.').waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Offer With the next salary' }).click({ force: true });
    await seen(page.getByText('Off', { exact: true }));
    await page.getByRole('switch', { name: 'Offer Company shop' }).click({ force: true });
    await seen(page.getByText('Every spending option is off'));
    await done('spending options');
  },
);

test('what was spent is listed, goes into a payroll export, and stands in the tax log', needsBrowser, async () => {
  const { page, open, done, workspace, giftId } = await openSpending('/money/payroll');
  await seen(page.getByRole('heading', { name: 'No lines for the next export' }));
  await spend(database, workspace.id, giftId, 'payroll', { amount: 10 });
  await open('/money/payroll');
  await seen(page.getByRole('heading', { level: 1, name: 'Export 1' }));
  await seen(
    page.getByRole('table', { name: 'Lines of the next export' }).getByRole('row', { name: /Ada.*CA\$10\.00/ }),
  );
  await done('the next payroll export');
  await page.getByRole('button', { name: 'Close export 1' }).click();
  await seen(page.getByRole('dialog').getByText('1 line goes into a numbered file'));
  await page.getByRole('dialog').getByRole('button', { name: 'Close export 1' }).click();
  await seen(page.getByRole('row', { name: /Export 1 1 CA\$10\.00/ }));
  await done('payroll exports');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV of export 1' }).click(),
  ]);
  assert.match(await new Response((await file.createReadStream()) as never).text(), /10\.00/);
  await open('/money/spent');
  await seen(page.getByRole('row', { name: /Ada CA\$10\.00 With the next salary Done/ }));
  await done('what was spent');
  await open('/money/spent?state=REQUESTED');
  await seen(page.getByRole('heading', { name: 'No requests to review' }));
  await open('/money/tax-log');
  await seen(page.getByRole('row', { name: /Ada.*CA\$10\.00.*CA\$15\.00 CA\$25\.00/ }));
  const figures = page.getByLabel('Tax log CAD');
  for (const absent of ['Your limit', 'Near cash', 'CA$0.00']) assert.equal(await figures.getByText(absent).count(), 0);
  assert.equal(await page.getByText('CA$0.00').count(), 0);
  await seen(page.getByText('No limit per person is set in CAD.'));
  await page.getByRole('button', { name: 'Set limit' }).click();
  await page.getByRole('textbox', { name: 'CAD' }).fill('20');
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByRole('row', { name: /Ada.*CA\$5\.00 over/ }));
  await seen(page.getByText('Over the limit 1'));
  await seen(figures.getByText('Your limit'));
  assert.equal(await page.getByRole('button', { name: 'Set limit' }).count(), 0);
  await done('the totals of the tax log');
  await page.getByRole('link', { name: 'Every gift' }).click();
  await seen(page.getByRole('row', { name: /Ada.*cash.*CA\$10\.00/ }));
  await seen(page.getByRole('row', { name: /Ada.*not spent.*CA\$15\.00/ }));
  await done('the tax log');
  await open('/money/tax-log?year=2001');
  await seen(page.getByRole('heading', { name: 'No gifts in 2001' }));
});

test('a request is fulfilled or declined with a note; an auditor only reads it', needsBrowser, async () => {
  const { page, open, done, workspace, giftId } = await openSpending('/money/spending-options');
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Give it to charity' });
  const ask = (amount: number, requestText: string) =>
    spend(database, workspace.id, giftId, 'charity', { amount, detail: { requestText } });
  await ask(10, 'The food bank');
  await ask(15, 'A concert');
  await open('/');
  await seen(page.getByText('2 requests to review'));
  await page.getByRole('link', { name: 'See requests' }).click();
  const row = (requestText: string) => page.getByRole('row', { name: new RegExp(requestText) });
  await row('The food bank').getByRole('button', { name: 'Mark as done' }).click();
  const dialog = page.getByRole('dialog');
  await seen(dialog.getByText('The food bank'));
  await dialog.getByLabel('Note to the recipient').fill('Donated on 3 December');
  await done('a request to fulfil');
  await dialog.getByRole('button', { name: 'Mark as done' }).click();
  await row('The food bank').waitFor({ state: 'detached' });
  await row('A concert').getByRole('button', { name: 'Decline' }).click();
  await seen(dialog.getByText('CA$15.00 returns to Ada’s gift'));
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await seen(page.getByRole('heading', { name: 'No requests to review' }));
  await open('/money/spent');
  await seen(page.getByRole('row', { name: /The food bank · Donated on 3 December Done/ }));
  await seen(page.getByRole('row', { name: /A concert Declined/ }));
  await done('requests that were decided');
  await ask(5, 'Flowers');
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR', width: 360 });
  await auditor.open('/money/spent?state=REQUESTED');
  await seen(auditor.page.getByText('Flowers'));
  assert.equal(await auditor.page.getByRole('button', { name: 'Mark as done' }).count(), 0);
});

test('a redemption at a till shows which till redeemed it and who voided it', needsBrowser, async () => {
  const { page, open, done, workspace, giftId } = await openSpending('/gifts');
  await offerSpendingOption(database, workspace.id, 'shop');
  const till: Actor = { is: 'TOKEN', id: 4, name: 'Till 2' };
  const { redemption } = await spend(database, workspace.id, giftId, 'shop', { amount: 10, by: till });
  const shop: Actor = { is: 'TOKEN', id: 5, name: 'Shop floor' };
  await inWorkspace(database, workspace.id, (tx) => voidAtTill(tx, shop, workspace.id, redemption.id));
  await open(`/gifts/${giftId}`);
  await seen(page.getByText('CA$10.00, In store or online, Till 2'));
  await seen(page.getByText('Shop floor reversed a redemption'));
  await open('/money/spent');
  await seen(page.getByRole('row', { name: /Book shop Till 2 Reversed Shop floor/ }));
  await done('a redemption at a till');
});

test('a gift shows what is left of it and how the rest was spent', needsBrowser, async () => {
  const { page, open, done, workspace, giftId } = await openSpending('/gifts');
  await spend(database, workspace.id, giftId, 'payroll', { amount: 10 });
  await open(`/gifts/${giftId}`);
  await seen(page.getByText('CA$15.00 of CA$25.00'));
  await seen(page.getByText('CA$10.00, With the salary'));
  await done('a gift that is partly spent');
});

test('codes are added from a file, whose faults are named by line; an auditor adds none', needsBrowser, async () => {
  const { page, open, done, workspace } = await openSpending('/money/pools');
  await page.getByRole('button', { name: 'Add code pool' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Bookshops');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText('No codes yet.'));
  const upload = (csv: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf8') });
  await upload('retailer,value,code\nRiverside Books,twenty,RB-1\n');
  await seen(page.getByRole('alert').getByText(/2/));
  await done('a file of codes with an invalid line');
  await upload('retailer,value,code\nRiverside Books,25.00,RB-1\nRiverside Books,25.00,RB-2\n');
  await seen(page.getByRole('row', { name: /Riverside Books CA\$25\.00 2 0 0 Low/ }));
  await done('a pool');
  await open('/');
  await seen(page.getByText('1 kind of gift card is running out'));
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR', width: 360 });
  await auditor.open('/money/pools');
  await seen(auditor.page.getByText('Riverside Books'));
  assert.equal(await auditor.page.getByRole('button', { name: /Add/ }).count(), 0);
  await auditor.done('a pool of an auditor');
});
