import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const people = [
  { email: 'mei.tanaka@example.com', firstName: 'Mei', lastName: 'Tanaka', department: 'Platform' },
  { email: 'jonas@example.com', firstName: 'Jonas', lastName: 'Weber' },
  { email: 'gone@example.com', firstName: 'Gone', lastName: 'Girl', active: false },
];

async function openSend(path = '/send', options: { width?: number; language?: 'en' | 'fr' } = {}) {
  const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
  const console = await openConsole(service, { workspace: workspace.id, ...options });
  await console.open(path.replace('MEI', String(workspace.memberIds[0])));
  const giftsOf = async () => (await workspace.read<GiftPage>('/api/v1/gifts')).gifts;
  return { ...console, workspace, giftsOf };
}

test('somebody is found as one types, reads what they get, and is sent a gift', needsBrowser, async () => {
  const { page, done, workspace, giftsOf } = await openSend();
  await page.getByRole('textbox', { name: 'For' }).fill('mei');
  await page.getByRole('option', { name: /Mei Tanaka.*Platform/ }).click();
  await page.getByRole('button', { name: 'CA$75' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('You kept eleven people calm.');
  await page.getByRole('textbox', { name: 'Internal note' }).fill('Launch bonus');
  const mail = page.frameLocator('iframe[title="Preview of the email"]');
  await seen(mail.getByText('You kept eleven people calm.', { exact: true }));
  await seen(mail.getByText('Thank you, Mei'));
  await mail.getByText('Open your gift').click();
  await seen(page.frameLocator('iframe[title="Preview of the gift page"]').getByText('CA$75.00').first());
  await done('the form of a gift');
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await seen(page.getByText('No mail server is set up'));
  await page.getByRole('button', { name: 'Send gift' }).click();
  await seen(page.getByRole('heading', { name: 'CA$75.00 is on its way to Mei Tanaka' }));
  await seen(page.getByRole('link', { name: 'See this gift' }));
  await done('a gift on its way');
  await page.getByRole('link', { name: 'See the email' }).click();
  await seen(page.getByRole('row').filter({ hasText: 'mei.tanaka@example.com' }));
  const gifts = await eventually(giftsOf, (found) => found.length > 0);
  assert.deepEqual(
    gifts.map(({ amount, message, recipient, senderName }) => [amount, message, recipient.firstName, senderName]),
    [[75, 'You kept eleven people calm.', 'Mei', 'Ada Okafor']],
  );
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?actor=USER&action=order');
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [['order.created', { gifts: 1, currency: 'CAD', note: 'Launch bonus' }]],
    'the console reads no codes of gifts',
  );
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Send', exact: true }).click();
  const words = page.getByRole('textbox', { name: 'Message' });
  await seen(words);
  assert.equal(await words.inputValue(), '', 'a gift that was sent is still to be sent');
});

test(
  'what is missing is said at its field, and a twin, a newcomer and a leaver before anything is sent',
  needsBrowser,
  async () => {
    const { page, done, workspace, giftsOf } = await openSend('/send?to=MEI');
    await seen(page.getByText('Mei Tanaka').first());
    await page.getByRole('button', { name: 'Send gift' }).click();
    await seen(page.getByText('Enter an amount from 1 to 10,000'));
    await seen(page.getByText('Write a message'));
    await workspace.gift({ email: 'mei.tanaka@example.com' });
    await page.getByRole('button', { name: 'CA$25' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Thank you!');
    await seen(page.getByText(/Mei Tanaka received CA\$25\.00/));
    const to = page.getByRole('textbox', { name: 'For' });
    await to.fill('new@example.com');
    await page.getByRole('option', { name: 'Send to new@example.com' }).click();
    await seen(page.getByText('new@example.com is not in your directory yet. Sending adds this person.'));
    await to.fill('gone@example.com');
    await page.getByRole('option', { name: 'Send to gone@example.com' }).click();
    await seen(page.getByText('Gone Girl has left the company and cannot receive gifts.'));
    assert.ok(await page.getByRole('button', { name: 'Send 3 gifts' }).isDisabled());
    await done('a gift with warnings');
    await page.getByRole('button', { name: 'Remove gone@example.com' }).click();
    await page.getByRole('button', { name: 'Send 2 gifts' }).click();
    await seen(page.getByRole('link', { name: 'See these gifts' }));
    assert.equal((await giftsOf()).length, 3);
  },
);

test('a lost answer and a reload send one gift', needsBrowser, async () => {
  const { page, faults, giftsOf } = await openSend('/send?to=MEI');
  await page.getByRole('button', { name: 'CA$50' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Thank you!');
  await page.route('**/api/v1/orders', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Send gift' }).click();
  await seen(page.getByText('Giftwire cannot be reached.').first());
  await page.unroute('**/api/v1/orders');
  await page.reload();
  await page.getByRole('button', { name: 'Send gift' }).click();
  await seen(page.getByRole('link', { name: 'See this gift' }));
  assert.equal((await giftsOf()).length, 1);
  assert.ok(
    faults.every((fault) => /ERR_FAILED/.test(fault)),
    faults.join(),
  );
});

test('a gift that waits for its day is taken back, changed and sent again', needsBrowser, async () => {
  const { page, done, giftsOf } = await openSend('/send?to=MEI');
  await page.getByRole('button', { name: 'CA$50' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Happy birthday!');
  await page.getByText('Later', { exact: true }).click();
  const when = page.getByRole('textbox', { name: 'Delivery date' });
  const tomorrow = await when.inputValue();
  await when.fill('202612-01-01');
  await page.reload();
  await seen(page.getByText('Choose a time within the next year'));
  await seen(page.frameLocator('iframe[title="Preview of the email"]').getByText('Happy birthday!', { exact: true }));
  assert.ok(await page.getByRole('button', { name: 'Send gift' }).isDisabled());
  await when.fill(tomorrow);
  await page.getByRole('button', { name: 'Send gift' }).click();
  await page.getByRole('button', { name: 'Undo: cancel the gift' }).click();
  await seen(page.getByText('No email was sent.'));
  await done('a gift that was cancelled');
  await page.getByRole('button', { name: 'Edit and send again' }).click();
  await page.getByRole('button', { name: 'CA$75' }).click();
  await page.getByRole('button', { name: 'Send gift' }).click();
  await seen(page.getByRole('button', { name: 'Undo: cancel the gift' }));
  assert.deepEqual(
    (await giftsOf()).map(({ amount, state }) => [amount, state]),
    [
      [75, 'ISSUED'],
      [50, 'CANCELLED'],
    ],
  );
});

test('the whole form fits a phone, in French', needsBrowser, async () => {
  const { page, done } = await openSend('/send', { width: 360, language: 'fr' });
  await seen(page.getByRole('textbox', { name: 'Pour' }));
  await seen(
    page.frameLocator('iframe[title="Aperçu du courriel"]').getByText('Votre message apparaît ici.', { exact: true }),
  );
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, 'the screen is wider than the phone');
  await done('the form on a phone');
});
