import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka' },
  { employeeNumber: '0077', firstName: 'Ada', lastName: 'Okafor' },
  { employeeNumber: '123456789012', firstName: 'Jonas', lastName: 'Weber' },
];

async function openBulk(options: { width?: number } = {}) {
  const workspace = await openWorkspace(service, { people });
  const console = await openConsole(service, { workspace: workspace.id, ...options });
  await console.open('/send-many');
  return { ...console, workspace };
}

function upload(page: Page, csv: string): Promise<void> {
  const buffer = Buffer.from(csv, 'utf8');
  return page.locator('input[type=file]').setInputFiles({ name: 'gifts.csv', mimeType: 'text/csv', buffer });
}

async function choose(page: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

test(
  'a column that is mapped by hand fills the fields, and a field that one only passes through changes nothing',
  needsBrowser,
  async () => {
    const { page, done } = await openBulk();
    await upload(
      page,
      'mei@example.com,20k,"Thank you, Mei"\nada@example.com,30,Thank you, Ada\nbo@example.com,40,Hello',
    );
    await seen(page.getByText('Column 1'));
    assert.equal(await page.getByText('Ready: ').count(), 0, 'a row is ready before the file is understood');
    await done('questions about a file');
    await choose(page, 'Which column has the amounts?', /20k/);
    await choose(page, 'Which column has the messages?', /Thank you, Mei/);
    const amount = page.getByRole('textbox', { name: 'Row 1, Amount' });
    const message = page.getByRole('textbox', { name: 'Row 2, Message' });
    await seen(amount);
    assert.deepEqual([await amount.inputValue(), await message.inputValue()], ['20k', 'Thank you, Ada']);
    await amount.focus();
    for (let nth = 0; nth < 8; nth++) await page.keyboard.press('Tab');
    await seen(page.getByText('Amount is not a number'));
    assert.deepEqual([await amount.inputValue(), await message.inputValue()], ['20k', 'Thank you, Ada']);
    // What was corrected in a field belongs to its column.
    await amount.fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Use this message, row 2' }).click();
    await seen(page.getByRole('button', { name: 'Send 3 gifts', disabled: false }));
    await choose(page, 'Column 2', 'Not used');
    await choose(page, 'Which column has the amounts?', /20k/);
    await seen(amount);
    assert.equal(await amount.inputValue(), '20k');
    await done('rows that were corrected');
  },
);

test(
  'rows of several currencies become an order for each, and a damaged number goes to nobody before it is confirmed',
  needsBrowser,
  async () => {
    const { page, done, workspace } = await openBulk();
    await upload(
      page,
      [
        'Email;Employee number;Amount;Message;Delivery date',
        'mei@example.com;;€25;Merci;',
        'bo@example.com;;25 GBP;Thanks;',
        ';77;30;Thanks;',
        ';1.23457E+11;40;Thanks;',
        'cy@example.com;;¥2500;Thanks;',
        'di@example.com;;50;Thanks;2027-03-31',
      ].join('\n'),
    );
    await seen(page.getByText('Probably Ada Okafor, 0077'));
    await seen(page.getByText('This sign stands for several currencies'));
    await seen(page.getByRole('row', { name: /cy@example\.com ¥2500/ }));
    await done('rows with currencies and damaged numbers');
    await page.getByRole('button', { name: 'Use 0077, Ada Okafor, row 4' }).click();
    await page.getByRole('button', { name: 'Use 123456789012, Jonas Weber, row 5' }).click();
    const currency = page.getByRole('textbox', { name: 'Row 6, Currency' });
    await currency.fill('JPY');
    await currency.press('Enter');
    await page.getByRole('button', { name: 'Send 6 gifts', disabled: false }).click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText('They cost €25.00, £25.00, CA$120.00 and JP¥2,500.'));
    await dialog.getByRole('button', { name: 'Send 6 gifts' }).click();
    await seen(page.getByRole('heading', { name: '6 gifts are on their way' }));
    await done('orders of several currencies');
    const given = async () => (await workspace.activity('?size=20')).activities;
    const activities = await eventually(given, (found) => found.length === 6);
    assert.deepEqual(activities.flatMap(({ receiver }) => (receiver.email ? [] : receiver.firstName)).sort(), [
      'Ada',
      'Jonas',
    ]);
    const { body } = await workspace.call<{ orders: { currency: string }[] }>('/api/v1/orders');
    assert.deepEqual(body.orders.map((order) => order.currency).sort(), ['CAD', 'EUR', 'GBP', 'JPY']);
    const timed = await service.database.query<{ email: string }>(
      `select m.email from certificates c join members m on m.workspace_id = c.workspace_id and m.id = c.member_id
        where c.workspace_id = $1 and c.gift_deliver_at is not null`,
      [workspace.id],
    );
    assert.deepEqual(timed, [{ email: 'di@example.com' }]);
  },
);

test('questions and corrections fit on a phone', needsBrowser, async () => {
  const { page, done } = await openBulk({ width: 360 });
  await upload(page, 'Who;What\nmei@example.com;2k\n');
  await choose(page, 'Which column has the amounts?', /2k/);
  await page.getByRole('textbox', { name: 'Message for all gifts' }).fill('Thank you!');
  await seen(page.getByRole('textbox', { name: 'Row 2, Amount' }));
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, 'the screen is wider than the phone');
  await done('corrections on a phone');
});
