import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test(
  'a screen that cannot be loaded says so in its place, and comes when the service is back',
  needsBrowser,
  async () => {
    const { page, open } = await openConsole(service);
    await open('/');
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await seen(page.getByRole('alert').getByText(/Giftwire cannot be reached/));
    await seen(page.getByRole('navigation', { name: 'Main' }));
    await page.unroute('**/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await seen(page.getByRole('heading', { level: 1, name: 'People' }));
  },
);

test('without a connection, Send says that nothing was sent, and keeps the gift', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'mei@example.com', firstName: 'Mei' }] });
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  await open('/send');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Thank you for the launch!');
  await page.getByRole('textbox', { name: 'For' }).fill('mei');
  await page.getByRole('option', { name: /Mei/ }).click();
  await page.getByRole('button', { name: 'CA$75' }).click();
  await page.context().setOffline(true);
  await seen(page.getByText('You are offline. What you typed is kept.'));
  await page.getByRole('button', { name: 'Send gift' }).click();
  await seen(page.getByText(/You are offline, so the gift was not sent\. It is kept here\./));
  await page.context().setOffline(false);
  await page.getByText('You are offline. What you typed is kept.').waitFor({ state: 'detached' });
  assert.equal(await message.inputValue(), 'Thank you for the launch!');
});

test('without a connection, Send many says so, keeps everything, and goes on by itself', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'mei@example.com', firstName: 'Mei' }] });
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  await open('/send-many');
  const buffer = Buffer.from('Email,Amount,Message\nmei@example.com,25,Thank you!\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'gifts.csv', mimeType: 'text/csv', buffer });
  const send = page.getByRole('button', { name: 'Send 1 gift' });
  await eventually(() => send.isEnabled(), Boolean);
  await page.context().setOffline(true);
  await seen(page.getByText('You are offline. What you typed is kept.'));
  await send.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 1 gift' }).click();
  await seen(page.getByRole('alert').getByText('You are offline, so sending is paused. Everything is kept.'));
  assert.equal((await workspace.activity('?size=1')).totalElements, 0);
  await page.context().setOffline(false);
  await seen(page.getByRole('heading', { name: '1 gift is on its way' }));
  await eventually(
    async () => (await workspace.activity('?size=1')).totalElements,
    (gifts) => gifts === 1,
  );
});

test('a session that ends keeps what was typed, and signing in returns to the same field', needsBrowser, async () => {
  const workspace = await openWorkspace(service);
  const email = 'ida@example.com';
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, email });
  await open('/send');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Thank you for the launch!');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  const recipient = page.getByRole('textbox', { name: 'For' });
  await recipient.fill('mei');
  await seen(page.getByText('You were signed out. Your gift is kept.'));
  await done('signed out while writing a gift');
  assert.equal(await message.isVisible(), false);
  await page.context().addCookies(cookies);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await seen(message);
  assert.equal(await message.inputValue(), 'Thank you for the launch!');
  assert.match(page.url(), /\/send$/);
  await eventually(() => recipient.evaluate((field) => field === field.ownerDocument.activeElement));
});
