import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });

/** Runs in the browser: the amounts that stand on more than one line. */
const brokenAmounts = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const { index, 0: amount } of node.data.matchAll(/[A-Z]{0,3}[$€£][\\d.,]*\\d/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(amount);
    }
  }
  return broken;
})()`;

async function openCompany() {
  const workspace = await openWorkspace(service);
  const long = { firstName: 'Maximiliane-Alexandrina', lastName: 'von Hohenstaufen-Württemberg' };
  await workspace.gift({ email: 'maximiliane.von.hohenstaufen@example.com', ...long });
  const list = async () => (await workspace.read<GiftPage>('/api/v1/gifts')).gifts;
  const [gift] = await eventually(list, ([first]) => first?.delivery === 'SENT');
  return { workspace, gift: gift as GiftPage['gifts'][number] };
}

test('no amount is broken over two lines, on any width', needsBrowser, async () => {
  const { workspace, gift } = await openCompany();
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  for (const path of ['/', '/gifts', `/gifts/${gift.id}`, `/orders/${gift.requestId}`, '/money', '/money/tax-log']) {
    await open(path);
    await seen(
      page
        .locator('main')
        .getByText(/CA\$25/)
        .first(),
    );
    for (const width of [360, 780, 960, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await page.evaluate(brokenAmounts), [], `${path} at ${width}`);
    }
  }
  await open('/send-many');
  const rows = ['Email,First name,Amount,Message', 'maximiliane.hohenstaufen-wuerttemberg,Max,25.00,Thank you'];
  const buffer = Buffer.from(rows.join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'gifts.csv', mimeType: 'text/csv', buffer });
  await seen(page.getByRole('cell').getByText('CA$25.00'));
  for (const width of [360, 780, 960, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await page.evaluate(brokenAmounts), [], `rows of a file at ${width}`);
  }
  await page.locator(invalid).first().waitFor();
  const [hint, usual] = await page.evaluate<[string, string]>(hintColours);
  assert.equal(hint, usual, 'a hint in a field with a fault is not red');
});

const invalid = 'main :is(input, textarea)[aria-invalid=true]';
/** Runs in the browser: the colour of the hint in a field with a fault, and that of hints. */
const hintColours = `(() => {
  const usual = document.createElement('i');
  usual.style.color = 'var(--ink-3)';
  document.body.append(usual);
  const field = document.querySelector('${invalid}');
  return [getComputedStyle(field, '::placeholder').color, getComputedStyle(usual).color];
})()`;

/** Runs in the browser: whether the bar lies over the field that has the focus. */
const isCovered = `(() => {
  const field = document.activeElement.getBoundingClientRect();
  const bar = document.querySelector('main section[class*=bar]').getBoundingClientRect();
  return field.bottom > bar.top && field.top < bar.bottom;
})()`;

test('no bar covers the field that one is in, at 1440 × 900 and at 200 %', needsBrowser, async () => {
  const { page, open } = await openConsole(service);
  for (const [width, height] of [
    [1440, 900],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open('/send');
    await page.getByText('Later', { exact: true }).click();
    for (const name of ['For', 'Amount', 'Message', 'Delivery date', 'Delivery time']) {
      await page.getByRole('textbox', { name, exact: true }).focus();
      assert.equal(await page.evaluate(isCovered), false, `${name} at ${width}`);
    }
    await open('/settings/policies');
    await page.locator('main').getByRole('switch').last().press('Space');
    await page.locator('main section[class*=bar]').waitFor();
    assert.equal(await page.evaluate(isCovered), false, `the last policy at ${width}`);
    for (const field of await page.locator('main').getByRole('textbox').all()) {
      await field.focus();
      assert.equal(await page.evaluate(isCovered), false, `a policy at ${width}`);
    }
  }
});

test('a date is shown, typed and chosen in the language of the console', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { language: 'fr' });
  await open('/gifts?from=2026-02-03');
  const from = page.getByPlaceholder('JJ/MM/AAAA').first();
  assert.equal(await from.inputValue(), '3 févr. 2026');
  await from.fill('demain');
  await from.blur();
  await seen(page.getByText(/Saisissez une date, par exemple/));
  await from.fill('14 juil. 2026');
  await page.waitForURL(/from=2026-07-14/);
  await from.press('Alt+ArrowDown');
  await seen(page.getByText('Juillet 2026'));
  await done('a calendar');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2026-06-21/);
  assert.equal(await from.inputValue(), '21 juin 2026');
});

test('the pill and the progress line of a gift agree while its email is sent again', needsBrowser, async () => {
  const { workspace, gift } = await openCompany();
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  const current = page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]');
  const till = { kind: 'TILL', amount: 5, by: { is: 'TOKEN', name: 'In store or online' } };
  for (const [delivery, pill, step] of [
    ['SENT', 'Sent', 'Sent'],
    ['QUEUED', 'Issued', 'Issued'],
    ['FAILED', 'Failed', 'Issued'],
  ] as const) {
    await page.route(`**/api/v1/gifts/${gift.id}`, async (route) => {
      const response = await route.fetch();
      const details = (await response.json()) as { timeline: object[] };
      const timeline = [...details.timeline, { type: 'REDEEMED', at: gift.issuedAt, detail: till }];
      await route.fulfill({ response, json: { ...details, delivery, timeline } });
    });
    await open(`/gifts/${gift.id}`);
    await seen(page.locator('main [data-tone]').getByText(pill, { exact: true }));
    assert.match((await current.textContent()) ?? '', new RegExp(`^${step}`), delivery);
    await seen(page.getByText('CA$5.00, In store or online', { exact: true }));
    await page.unroute(`**/api/v1/gifts/${gift.id}`);
  }
});

/** Runs in the browser: the labels of buttons that are cut off, and how much wider than the screen the page is. */
const cutOff = `[
  ...[...document.querySelectorAll('main .mantine-Button-label')]
    .filter((label) => label.scrollWidth > label.clientWidth + 1)
    .map((label) => label.textContent),
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
]`;

test('in no language is the label of a button cut off, or a page wider than its screen', needsBrowser, async () => {
  const { workspace } = await openCompany();
  for (const id of ['charity', 'trees'])
    await service.call(`/api/v1/spending-options/${id}`, {
      method: 'PUT',
      token: workspace.token,
      workspace: workspace.id,
      body: { kind: 'HAND', name: 'A donation' },
    });
  const limits = { taxLimits: [{ currency: 'CAD', amount: 500 }] };
  await service.call('/api/v1/settings', {
    method: 'PATCH',
    token: workspace.token,
    workspace: workspace.id,
    body: limits,
  });
  const money = ['/money/spending-options', '/money/tax-log'];
  const paths = ['/', '/people', '/account', ...money, '/automations/new?template=ANNIVERSARY'];
  for (const language of ['fr', 'es'] as const) {
    const { page, open } = await openConsole(service, { workspace: workspace.id, language });
    for (const path of paths) {
      await open(path);
      await seen(page.locator('main :is(dl, ul, table)').first());
      for (const width of [360, 960, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await page.evaluate(cutOff), [], `${path} in ${language} at ${width}`);
      }
    }
  }
});
