import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', department: 'Care' },
  { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka', department: 'Sales' },
  { email: 'jonas@example.com', firstName: 'Jonas', lastName: 'Weber', department: 'Sales' },
];

test('somebody says thanks, and what is missing is said at its field', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, email: 'ada@example.com' });
  await open('/recognition');
  await seen(page.getByText('No recognition yet'));
  await page.getByRole('button', { name: 'Give a shoutout' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Give a shoutout' }).click();
  await seen(dialog.getByText('Choose a recipient'));
  await seen(dialog.getByText('Write a message'));
  await dialog
    .getByRole('combobox', { name: 'To' })
    .or(dialog.getByRole('textbox', { name: 'To' }))
    .fill('mei');
  await page.getByRole('option', { name: 'Mei Tanaka' }).click();
  await dialog.getByLabel('Message').fill('Nobody noticed the move. That is the highest praise.');
  await done('the form');
  await dialog.getByRole('button', { name: 'Give a shoutout' }).click();
  await seen(page.getByText('Nobody noticed the move. That is the highest praise.'));
  await seen(page.getByText('Shoutout sent to Mei Tanaka.'));
});

test('the same words to many people are one entry, which names all of them when asked', needsBrowser, async () => {
  const names = ['Ada', 'Mei', 'Jonas', 'Noor', 'Tove', 'Liam'];
  const recipients = names.map((name) => ({ email: `${name.toLowerCase()}@example.com`, firstName: name }));
  const workspace = await openWorkspace(service, { people: recipients });
  await workspace.gift(...recipients.map(({ email }) => ({ email })));
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/recognition');
  const entry = page.getByRole('main').getByRole('listitem');
  const others = entry.getByRole('button', { name: '3 others' });
  await seen(others);
  assert.equal(await entry.count(), 1);
  await done('the feed');
  await others.click();
  for (const name of names) await seen(entry.getByRole('link', { name }));
});
