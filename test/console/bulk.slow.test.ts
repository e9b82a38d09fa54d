import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka', employeeNumber: '7' },
  { email: 'gone@example.com', firstName: 'Gone', lastName: 'Girl', active: false },
];

async function openBulk(options: { width?: number; language?: 'en' | 'fr' } = {}) {
  const workspace = await openWorkspace(service, { people });
  const console = await openConsole(service, { workspace: workspace.id, ...options });
  await console.open('/send-many');
  const given = async () => (await workspace.activity('?size=1')).totalElements;
  /** Has somebody else sign in in the same browser, look at the screen and sign out. They find no file of the person before. */
  const letOthersLook = async () => {
    const context = console.page.context();
    const before = await context.cookies();
    const { cookie } = await signIn(service, { workspace: workspace.id, email: 'else@example.com' });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
    await console.page.reload();
    await seen(console.page.getByText('Drop a CSV file here'));
    await context.addCookies(before);
  };
  return { ...console, workspace, given, letOthersLook };
}

function upload(page: Page, csv: string): Promise<void> {
  const buffer = Buffer.from(csv, 'utf8');
  return page.locator('input[type=file]').setInputFiles({ name: 'year-end.csv', mimeType: 'text/csv', buffer });
}

test('a file is mapped, checked, put right in its rows, and sent', needsBrowser, async () => {
  const { page, done, workspace, given } = await openBulk();
  await workspace.gift({ email: 'mei@example.com' });
  await done('the place to drop a file');
  await upload(
    page,
    [
      'Work e-mail;First;Last;CAD;Note',
      'mei@example.com;Mei;Tanaka;25,00;"Thank you; Mei!"',
      'jonas.example.com;Jonas;Weber;50,00;Merci',
      'new@example.com;New;Comer;37,50;Welcome',
      'gone@example.com;Gone;Girl;10;Bye',
      'new@example.com;New;Comer;10,00;Again',
      'ada@example.com;Ada;Okafor;0,00;Hi',
    ].join('\r\n'),
  );
  await seen(page.getByText('5 of 5 recognized by name'));
  await seen(page.getByText('Received CA$25.00'));
  await seen(page.getByText('Same person as row 4'));
  await seen(page.getByText('Has left the company and cannot receive gifts'));
  await done('rows to put right');
  await page.getByRole('textbox', { name: 'Row 3, Email' }).fill('jonas@example.com');
  await page.getByRole('textbox', { name: 'Row 7, Amount' }).fill('20');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send anyway, row 2' }).click();
  await page.getByRole('button', { name: 'Leave out, row 6' }).click();
  await seen(page.getByText('3people will be added'));
  await page.getByRole('button', { name: 'Send 4 gifts' }).click();
  const dialog = page.getByRole('dialog');
  await seen(dialog.getByText('They cost CA$132.50.'));
  await seen(dialog.getByText('2 rows are not sent.'));
  await dialog.getByRole('button', { name: 'Send 4 gifts' }).click();
  await seen(page.getByRole('heading', { name: '4 gifts are on their way' }));
  await seen(page.getByText('Issued'));
  await done('a file that was sent');
  assert.equal(await given(), 5);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download these 2 rows' }).click(),
  ]);
  const text = await new Response((await file.createReadStream()) as never).text();
  assert.match(text, /gone@example\.com,Gone,Girl,10,Bye,Has left the company/);
  assert.match(text, /new@example\.com,New,Comer,"10,00",Again,"Same person as row 4;/);
});

test('sending resumes in a new window, and no gift is sent twice', needsBrowser, async () => {
  const { page, given, faults, letOthersLook } = await openBulk();
  const rows = Array.from({ length: 2_300 }, (_, at) => `p${at}@example.com,5,Thanks`);
  await upload(page, `email,amount,message\n${rows.join('\n')}`);
  await page.getByRole('button', { name: 'Send 2,300 gifts' }).click({ timeout: 30_000 });
  let sent = 0;
  // The second order is stored, and its answer never arrives.
  await page.route('**/api/v1/orders', async (route) => {
    sent++;
    if (sent === 1) return route.continue();
    await route.fetch();
    return new Promise(() => {});
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2,300 gifts' }).click();
  await seen(page.getByText('1,000 of 2,300 gifts ordered'));
  await eventually(async () => sent === 2);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await letOthersLook();
  await page.reload();
  await page.getByRole('heading', { name: '2,300 gifts are on their way' }).waitFor({ timeout: 30_000 });
  await eventually(given, (total) => total >= 2_300);
  assert.equal(await given(), 2_300);
  // A busy service answers 503, and the screen asks again.
  assert.deepEqual(
    faults.filter((fault) => !/503/.test(fault)),
    [],
  );
});

test('a reload before sending keeps the file, what was put right and what was left out', needsBrowser, async () => {
  const { page, done, letOthersLook } = await openBulk();
  await upload(page, 'email,amount,message\nmei@example.com,5,Hi\njonas.example.com,6,Hi\nada@example.com,7,Hi');
  await page.getByRole('textbox', { name: 'Row 3, Email' }).fill('jonas@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Ready: 3').click();
  await page.getByRole('button', { name: 'Leave out, row 4' }).click();
  await seen(page.getByRole('button', { name: 'Send 2 gifts' }));
  await letOthersLook();
  await page.reload();
  await seen(page.getByText('Left out: 1'));
  await seen(page.getByRole('button', { name: 'Send 2 gifts' }));
  await done('a file after a reload');
  await page.getByRole('button', { name: 'Start over' }).click();
  await seen(page.getByText('Drop a CSV file here'));
  await page.reload();
  await seen(page.getByText('Drop a CSV file here'));
});

test('a text that is put back before it was checked leaves nothing to wait for', needsBrowser, async () => {
  const { page, done } = await openBulk();
  await upload(page, 'email,amount,message\nmei@example.com,5,Hi\nada@example.com,7,');
  const words = page.getByRole('textbox', { name: 'Message for rows without one' });
  const isOffered = (gifts: string) => seen(page.getByRole('button', { name: `Send ${gifts}`, disabled: false }));
  await isOffered('1 gift');
  await words.fill('T');
  await words.fill('');
  await isOffered('1 gift');
  await words.fill('Thanks');
  await isOffered('2 gifts');
  await words.fill('Thanks!');
  await words.fill('Thanks');
  await isOffered('2 gifts');
  await done('rows that were checked again');
});

test('a file that is no file of gifts says why, and the service that is away is said too', needsBrowser, async () => {
  const { page, done } = await openBulk({ width: 360 });
  await upload(page, 'PK\u0003\u0004 a workbook');
  await seen(page.getByText('This is not a CSV file.'));
  await upload(page, 'email,amount\n');
  await seen(page.getByText('a header but no rows'));
  await upload(page, 'email,amount,message\nmei@example.com,5,"Hi\nbo@example.com,5,Hi');
  await seen(page.getByText('Line 2 has a cell with an unclosed quotation mark'));
  await page.route('**/api/v1/orders/validate', (route) =>
    route.fulfill({ status: 503, json: { status: 503, message: 'busy', type: 'server_error' } }),
  );
  await upload(page, 'email,amount,message\nmei@example.com,1.234,Hi\nbo@example.com,5,Hi');
  await seen(page.getByText('Amount is ambiguous'));
  await seen(page.getByText('Something went wrong in Giftwire'));
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page.getByRole('button', { name: 'Send 1 gift' }));
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, 'the screen is wider than the phone');
  await done('a file on a phone').catch((error: Error) => assert.match(error.message, /503/));
});
