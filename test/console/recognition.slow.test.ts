import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShoutoutPage } from '../../src/ground/contract/shoutout.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

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

test('an approver decides: one click approves, and declining asks why', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  for (const message of ['First words', 'Second words'])
    await workspace.give(aShoutout({ recipient: { email: 'mei@example.com' }, message }));
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'APPROVER' });
  await open('/recognition?view=waiting');
  await seen(page.getByRole('tab', { name: 'Waiting for approval (2)' }));
  await page
    .getByRole('listitem')
    .filter({ hasText: 'First words' })
    .getByRole('button', { name: /^Approve/ })
    .click();
  await seen(page.getByRole('tab', { name: 'Waiting for approval (1)' }));
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Second words' })
    .getByRole('button', { name: /^Decline/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Decline this shoutout?' });
  await dialog.getByLabel('Reason').fill('Please name the project.');
  await done('the question');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await seen(page.getByText('No shoutouts to approve'));
  await page.getByRole('tab', { name: 'Declined' }).click();
  await seen(page.getByText('Please name the project.'));
  await page.getByRole('tab', { name: 'Feed' }).click();
  await seen(page.getByText('First words'));
  await done('recognition');
  const { shoutouts } = await workspace.read<ShoutoutPage>('/api/v1/shoutouts?status=DECLINED');
  assert.equal(shoutouts[0]?.decisionReason, 'Please name the project.');
});

test('a shoutout that somebody else has decided meanwhile is refused in its row', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  const { body } = await workspace.give(aShoutout({ recipient: { email: 'mei@example.com' }, message: 'Late words' }));
  const { page, open } = await openConsole(service, { workspace: workspace.id, role: 'APPROVER' });
  await open('/recognition?view=waiting');
  const approve = page.getByRole('button', { name: /^Approve/ });
  await seen(approve);
  await workspace.decide(body.id, 'decline');
  await approve.click();
  await seen(page.getByRole('alert').getByText('was declined already'));
});
