import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { cleanUp } from '../support/cleanup.ts';
import { openConsole } from '../support/console.ts';
import { anOrder } from '../support/orders.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { openMailServer } from '../support/smtp.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });

test(
  'a webhook is added, its secret is shown once, and a wrong address is named at its field',
  needsBrowser,
  async () => {
    const receiver = await startReceiver();
    const { page, open, done } = await openConsole(service);
    await open('/integrations');
    await seen(page.getByText('No webhooks yet'));
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const address = page.getByLabel('Endpoint URL');
    await address.fill('https://user:secret@example.com/x');
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.locator('[aria-invalid="true"]'));
    await done('a wrong address');
    await address.fill(receiver.url);
    await page.getByRole('button', { name: 'Save' }).click();
    await seen(page.getByRole('heading', { name: 'Webhook secret' }));
    assert.match(await page.getByLabel('Secret', { exact: true }).inputValue(), /^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await seen(page.getByText(/Test event delivered: 204/));
    await done('a webhook');
  },
);

test('what an endpoint did not take is listed with its answer, and is replayed', needsBrowser, async () => {
  let isWell = false;
  const receiver = await startReceiver((_received, response) => {
    response.writeHead(isWell ? 204 : 500).end(isWell ? undefined : 'the disk is full');
  });
  await service.call('/api/v1/webhooks', { method: 'POST', body: { url: receiver.url } });
  await service.fulfilled(anOrder());
  const { page, open, done } = await openConsole(service);
  await open('/integrations');
  await page.getByRole('link', { name: receiver.url }).click();
  await seen(page.getByText('the disk is full').first());
  await seen(page.getByText('Failing', { exact: true }));
  await done('an endpoint that fails');
  const failures = page.getByText(/^\d+ failed attempts/);
  await seen(failures);
  assert.equal(await failures.count(), 1, 'equal failures are one line');
  await failures.click();
  isWell = true;
  const before = receiver.received.length;
  await page
    .getByRole('button', { name: /^Replay evt_/ })
    .first()
    .click();
  await seen(page.getByText('Giftwire sends the event again in a moment.'));
  await seen(page.getByText('Active', { exact: true }));
  assert.ok(receiver.received.length > before);
  await page.getByText('Payload', { exact: true }).first().click();
  await seen(page.getByText(/"type": "[a-z]+\.[a-z_]+"/).first());
});

test('an auditor reads webhooks and what they answered, and changes none', needsBrowser, async () => {
  const receiver = await startReceiver();
  await service.call('/api/v1/webhooks', { method: 'POST', body: { url: receiver.url } });
  const { page, open, done } = await openConsole(service, { role: 'AUDITOR' });
  await open('/integrations');
  await page.getByRole('link', { name: receiver.url }).click();
  await seen(page.getByRole('heading', { name: receiver.url }));
  assert.equal(await page.getByRole('button', { name: /^(Send a test event|Edit|Replay|Delete)/ }).count(), 0);
  await done('a webhook of an auditor');
  await open('/integrations');
  assert.equal(await page.getByRole('button', { name: 'Add a webhook' }).count(), 0);
});

test('a gift’s mail is in the outbox, and leads to the page of the gift', needsBrowser, async () => {
  await service.fulfilled(anOrder());
  const { page, open, done } = await openConsole(service, { width: 360 });
  await open('/integrations/mail');
  await page
    .getByRole('link', { name: /sent you a gift/ })
    .first()
    .click();
  await seen(page.frameLocator('iframe').getByText('Open your gift').first());
  await done('an email of the outbox');
  const link = page.getByRole('link', { name: 'Open gift page' });
  assert.match((await link.getAttribute('href')) ?? '', /^\/g#/);
});

test('an auditor sees how emails are sent, but not the emails with the links of gifts', needsBrowser, async () => {
  const { page, open } = await openConsole(service, { role: 'AUDITOR' });
  await open('/integrations/mail');
  await seen(page.getByText('Email stays in the outbox', { exact: true }));
  assert.equal(await page.getByRole('heading', { name: 'Outbox' }).count(), 0);
  await page.goto(`${service.url}/w/${service.workspaceId}/integrations/mail/1`);
  await seen(page.getByText('You do not have access to this page'));
});

test('a test mail says what the mail server answered', needsBrowser, async () => {
  const server = await openMailServer({
    onRecipient: (to) => (to.startsWith('nobody') ? '550 5.1.1 user unknown' : undefined),
  });
  cleanUp(() => server.close());
  const mailing = await startService({ mailServer: server.url, mailFrom: 'gifts@example.com' });
  const { page, open, done } = await openConsole(mailing);
  await open('/integrations/mail');
  await page.getByLabel('Send a test to').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send test' }).click();
  await seen(page.getByText('The mail server accepted the test.'));
  assert.equal(server.to('ada@example.com').length, 1);
  await page.getByLabel('Send a test to').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send test' }).click();
  await seen(page.getByText('550 5.1.1 user unknown'));
  await done('a test email that was rejected');
});

test(
  'an identity provider is connected with the values of the screen, and the people whom it keeps say so',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service);
    const { page, open, done } = await openConsole(service, { workspace: workspace.id });
    await open('/integrations/directory');
    const url = await page.getByLabel('Tenant URL, or SCIM base URL').inputValue();
    assert.equal(url, `${service.url}/scim/v2`);
    await page.getByRole('link', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText(/^Add and change people/));
    await done('the token');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = page.getByLabel('Token', { exact: true });
    await seen(secret);
    const added = await fetch(`${url}/Users`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await secret.inputValue()}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'nia@example.com',
        name: { givenName: 'Nia', familyName: 'Osei' },
      }),
    });
    assert.equal(added.status, 201);
    await open('/people');
    await page.getByRole('link', { name: 'Nia Osei', exact: true }).click();
    await seen(page.getByText('Identity provider (SCIM)'));
    await done('a person whom the provider keeps');
  },
);
