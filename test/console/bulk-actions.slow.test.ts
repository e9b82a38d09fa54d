import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { aGift } from '../support/orders.ts';
import { claim } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

/** An order with this many gifts, of which the first two are claimed, and another order with one. */
async function withOrders(gifts: number) {
  const workspace = await openWorkspace(service);
  const recipients = Array.from({ length: gifts }, (_, nth) => ({
    email: `p${nth}@example.com`,
    firstName: `P${nth}`,
  }));
  const { requestId, id, certificates } = await workspace.outcome(
    await workspace.submit(recipients.map((recipient) => aGift({ recipient, amount: 25 }))),
  );
  for (const one of certificates.slice(0, 2)) await claim(service.database, workspace.id, one.id);
  await workspace.gift({ email: 'other@example.com', firstName: 'Other' });
  return { workspace, requestId, orderId: id };
}

test(
  'the unclaimed gifts of an order are cancelled in one step, and the order says what came of it',
  needsBrowser,
  async () => {
    const { workspace, requestId } = await withOrders(60);
    const { page, open, done } = await openConsole(service, { workspace: workspace.id });
    await open(`/orders/${requestId}`);
    await page.getByRole('button', { name: 'Cancel unclaimed gifts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 58 gifts?' });
    await seen(dialog.getByText('CA$1,450.00 returns to the budget. 2 claimed gifts are not changed.'));
    await done('the question before an order is cancelled');
    await dialog.getByRole('button', { name: 'Cancel 58 gifts' }).click();
    const outcome = page.getByRole('status', { name: 'Outcome' });
    await seen(outcome.getByText('58 gifts cancelled.'));
    await seen(outcome.getByText('2 gifts were not changed: they are claimed.'));
    await seen(page.getByRole('button', { name: '58 cancelled' }));
    await done('an order whose gifts are cancelled');
    await page.getByRole('link', { name: 'See gifts' }).click();
    await page.waitForURL(/requestId=/);
  },
);

test(
  'the list says that it is filtered by an order, and all gifts that fit are cancelled at once',
  needsBrowser,
  async () => {
    const { workspace, requestId, orderId } = await withOrders(40);
    const { page, open, done } = await openConsole(service, { workspace: workspace.id });
    await open(`/gifts?requestId=${requestId}`);
    const chip = page.getByRole('button', { name: `Order ${orderId}` });
    await seen(chip);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await seen(bar.getByText('25 gifts selected'));
    await bar.getByRole('button', { name: 'Select all 40 that fit' }).click();
    await seen(bar.getByText('40 gifts selected'));
    await done('all gifts that fit are selected');
    await bar.getByRole('button', { name: 'Cancel 38 gifts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 38 gifts' }).click();
    await seen(page.getByRole('status', { name: 'Outcome' }).getByText('38 gifts cancelled.'));
    await chip.click();
    await seen(page.getByRole('row', { name: /Other.*(Sent|Issued)/ }));
    assert.equal(new URL(page.url()).searchParams.get('requestId'), null);
  },
);
