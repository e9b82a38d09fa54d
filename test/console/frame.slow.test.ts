import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('the navigation has what the role opens, and other addresses say why not', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { role: 'APPROVER' });
  await open('/recognition');
  const entries = await page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').allTextContents();
  assert.deepEqual(entries, ['Approvals', 'Recognition']);
  assert.equal(await page.getByRole('link', { name: 'Send a gift' }).count(), 0);
  await page.goto(`${service.url}/w/${service.workspaceId}/settings`);
  await seen(page.getByText('You do not have access to this page'));
  await page.goto(`${service.url}/w/${service.workspaceId}/nothing`);
  await seen(page.getByText('Page not found'));
  await done('an address without a screen');
});

test('the palette leads everywhere from the keyboard', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service);
  await open('/');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('webh');
  await seen(page.getByRole('option', { name: 'Webhooks' }));
  await done('the palette');
  await page.keyboard.press('Enter');
  await seen(page.getByRole('heading', { name: 'Webhooks', level: 1 }));
});

test('the palette says how many more people there are, and leads to all of them', needsBrowser, async () => {
  const people = Array.from({ length: 10 }, (_, nth) => ({ email: `kim${nth}@example.com`, firstName: 'Kim' }));
  const workspace = await openWorkspace(service, { people });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('kim');
  await seen(page.getByRole('option', { name: /kim7@/ }));
  await done('people in the palette');
  await page.getByRole('option', { name: 'See all 10 people' }).click();
  await page.waitForURL(/people\?search=kim/);
  await seen(page.getByRole('link', { name: /Kim/ }).nth(9));
});

test('a title comes first, then its tabs', needsBrowser, async () => {
  const { page, open } = await openConsole(service);
  const tabs = page.locator('main').getByRole('navigation').or(page.getByRole('tablist'));
  for (const path of ['/money', '/money/tax-log', '/integrations', '/settings/audit', '/recognition', '/reports']) {
    await open(path);
    const [title, below] = [await page.locator('h1').boundingBox(), await tabs.first().boundingBox()];
    assert.ok(title && below && title.y + title.height <= below.y, path);
  }
});

test('a phone opens the navigation over the screen, in the language of the person', needsBrowser, async () => {
  const { page, open, done } = await openConsole(service, { width: 360, language: 'fr' });
  await open('/');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await seen(page.getByRole('link', { name: 'Reconnaissance', exact: true }));
  await done('the navigation of a phone');
  await page.getByRole('link', { name: 'Réglages' }).click();
  await seen(page.getByRole('heading', { level: 1, name: 'Image de marque' }));
  assert.equal(await page.getByRole('link', { name: 'Reconnaissance', exact: true }).isVisible(), false);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, 'the screen is wider than the phone');
});

test(
  'the console speaks the language of the account, until another is chosen in this browser',
  needsBrowser,
  async () => {
    const { page, open, done } = await openConsole(service, { email: 'maya@example.com', name: 'Maya Okafor' });
    await open('/account');
    await page.getByRole('combobox', { name: 'Language' }).or(page.getByLabel('Language')).first().click();
    await page.getByRole('option', { name: 'Français' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await seen(page.getByRole('heading', { name: 'Votre compte', level: 1 }));
    // As in another browser.
    await page.evaluate('localStorage.clear()');
    await open('/account');
    await seen(page.getByRole('heading', { name: 'Votre compte', level: 1 }));
    await done('an account in French');
  },
);
