import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import { openGate } from '../support/approvals.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { type Console, openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const manager = { role: 'MANAGER', email: 'priya@example.com', name: 'Priya Nair' } as const;
const approver = { role: 'APPROVER', email: 'lucie@example.com' } as const;

/** A manager writes a gift of 400.00 CAD for Ingrid and sends it. Returns when the screen says that it waits. */
async function sendForApproval({ page, open, done }: Console): Promise<void> {
  await open('/send');
  await page.getByRole('textbox', { name: 'For' }).fill('ingrid@example.com');
  await page.getByRole('option', { name: /ingrid@example.com/ }).click();
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('400');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('You ran the dock alone for two nights.');
  await page.getByRole('textbox', { name: 'Internal note' }).fill('Two nights, 3 and 4 November');
  await seen(page.getByText(/^Large gifts: .*Lucie Gagnon.* decides first, within 7 days/));
  await done('a gift that would wait');
  await page.getByRole('button', { name: 'Send for approval' }).click();
  await seen(page.getByText('CA$400.00 for ingrid@example.com waits for approval'));
  await seen(page.getByText(/^Waiting for .*Lucie Gagnon.*Nothing has been sent yet/));
}

test(
  'a manager sends a gift above the limit, an approver declines it, and the manager reads the comment',
  needsBrowser,
  async () => {
    const { workspace } = await openGate(service);
    const sender = await openConsole(service, { workspace: workspace.id, ...manager });
    await sendForApproval(sender);
    await sender.page.getByRole('link', { name: 'See the approval' }).click();
    await seen(sender.page.getByText('What happens next'));
    await sender.done('the approval as its sender sees it');
    const decider = await openConsole(service, { workspace: workspace.id, ...approver, width: 360 });
    await decider.open('/approvals');
    await seen(decider.page.getByText('Two nights, 3 and 4 November'));
    await decider.page.getByRole('button', { name: /^Decline/ }).click();
    const dialog = decider.page.getByRole('dialog');
    await dialog.getByLabel('Comment for Priya Nair').fill('Let us make it 250.00 now.');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await seen(decider.page.getByText('No approvals wait for you'));
    await sender.page.reload();
    await seen(sender.page.getByRole('figure').getByText('Declined by Lucie Gagnon'));
    await seen(sender.page.getByText('Let us make it 250.00 now.'));
    await sender.done('a declined gift as its sender sees it');
  },
);

test('a manager sends a gift above the limit, an approver approves it, and it is sent', needsBrowser, async () => {
  const { workspace } = await openGate(service);
  const sender = await openConsole(service, { workspace: workspace.id, ...manager });
  await sendForApproval(sender);
  await sender.page.getByRole('link', { name: 'See the approval' }).click();
  const decider = await openConsole(service, { workspace: workspace.id, ...approver });
  await decider.open('/approvals');
  await decider.page.getByRole('button', { name: /^Approve/ }).click();
  await seen(decider.page.getByText(/^Approved: CA\$400\.00/));
  await sender.page.reload();
  await seen(sender.page.getByRole('figure').getByText('Approved by Lucie Gagnon'));
  const gifts = () => workspace.read<GiftPage>('/api/v1/gifts');
  const [gift] = (await eventually(gifts, (found) => found.gifts.length > 0)).gifts;
  assert.deepEqual([gift?.amount, gift?.senderName], [400, 'Priya Nair']);
});

test('a rule that rejects says so in its own words before anything is sent', needsBrowser, async () => {
  const { workspace } = await openGate(service, [{ outcome: 'REJECT', message: 'Ask finance first.' }]);
  const { page, open } = await openConsole(service, { workspace: workspace.id, ...manager });
  await open('/send');
  await page.getByRole('textbox', { name: 'For' }).fill('ingrid@example.com');
  await page.getByRole('option', { name: /ingrid@example.com/ }).click();
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('400');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Thank you');
  await seen(page.getByText('Ask finance first.'));
});

test(
  'a file says before sending which rule applies, and afterwards that its gifts wait, with the note',
  needsBrowser,
  async () => {
    const gate = await openGate(service);
    const { page, open, done } = await openConsole(service, { workspace: gate.workspace.id, ...manager });
    await open('/send-many');
    const rows = ['Email,Amount,Message', 'mei@example.com,150,Thank you', 'jo@example.com,20,Thank you'];
    const buffer = Buffer.from(rows.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'gifts.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Send 2 gifts' }).click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText(/^Large gifts: 2 gifts wait until .*Lucie Gagnon.* has decided, within 7 days/));
    await dialog.getByLabel('Internal note').fill('Year-end thanks');
    await done('the question before a file is sent');
    await dialog.getByRole('button', { name: 'Send 2 gifts' }).click();
    await seen(page.getByText('2 gifts wait for approval'));
    await seen(page.getByText(/Waits for approval by .*Lucie Gagnon/));
    await done('a file that waits');
    await page.getByRole('link', { name: 'Order 1 of 1' }).click();
    await seen(page.getByText('Year-end thanks'));
  },
);
