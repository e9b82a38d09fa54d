import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../src/console.ts';
import { createInbox } from '../support/approval-mails.ts';
import { openGate } from '../support/approvals.ts';
import { needsBrowser, openVisitor, seen } from '../support/browser.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

await buildConsole();
const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));
const inbox = createInbox(service, mailServer);
const comment = 'You are right about Ingrid.\nLet us make it CA$250.00 now.';

/** A manager asks for a gift to a person of their team. Returns the link in the email to Lucie. */
async function ask(amount: number) {
  const gate = await openGate(service);
  const { workspace } = gate;
  await workspace.addPeople([
    { email: 'ingrid@example.com', firstName: 'Ingrid', lastName: 'Solberg', managerId: gate.ids.priya },
  ]);
  const manager = await signIn(service, {
    workspace: workspace.id,
    role: 'MANAGER',
    email: 'priya@example.com',
    name: 'Priya Nair',
  });
  const orderItems = [
    aGift({ amount, message: 'You ran the dock alone.', recipient: { email: 'ingrid@example.com' } }),
  ];
  const requestId = await gate.send(manager, { orderItems, note: 'Two nights.' });
  const about = `CA$${amount.toFixed(2)}`;
  const { html = '' } = await inbox.mail('lucie@example.com', about);
  const [link = ''] = /http:[^"]+\/decide#[\w-]+/.exec(html) ?? [];
  return { gate, manager, requestId, about, link, html };
}

for (const width of [360, 1440])
  test(
    `a manager asks, an approver decides from the email, and the manager reads the comment, at ${width} px`,
    needsBrowser,
    async () => {
      const { gate, manager, requestId, about, link, html } = await ask(400 + width / 1000);
      const { page, faults, checkAccess } = await openVisitor(service.url, { viewport: { width, height: 800 } });
      await page.setContent(html);
      await seen(page.getByRole('heading', { name: `Priya Nair asks you for ${about}` }));
      assert.equal(await page.getByRole('link', { name: 'Review and decide' }).getAttribute('href'), link);
      await page.goto(link);
      await seen(page.getByRole('heading', { name: `Priya Nair asks you for ${about}` }));
      await checkAccess('the request');
      assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');
      await page.getByRole('button', { name: 'Decline' }).click();
      await seen(page.getByText('To decline, write a comment'));
      await page.getByLabel('Comment for Priya Nair').fill(comment);
      await page.getByRole('button', { name: 'Decline' }).click();
      await seen(page.getByRole('heading', { name: 'You declined this' }));
      await checkAccess('the decision');
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      assert.equal(isTooWide, false);
      await page.reload();
      await seen(page.getByRole('heading', { name: 'You declined this' }));
      assert.deepEqual(faults, []);

      const told = await inbox.mail('priya@example.com', about);
      await page.setContent(told.html ?? '');
      await seen(page.getByRole('heading', { name: 'Lucie Gagnon declined the order' }));
      await seen(page.getByText('Let us make it CA$250.00 now.'));
      const address = (await page.getByRole('link', { name: 'Open the order' }).getAttribute('href')) ?? '';
      assert.equal(address, `${service.url}/w/${gate.workspace.id}/approvals/${requestId}`);
      const [name = '', value = ''] = manager.cookie.split('=');
      await page.context().addCookies([{ name, value, url: service.url }]);
      await page.goto(address);
      await seen(page.getByText('Let us make it CA$250.00 now.'));
    },
  );
