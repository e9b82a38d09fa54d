import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deputy } from '../../src/ground/contract/deputy.ts';
import { openGate } from '../support/approvals.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const owner = { role: 'OWNER', email: 'owner@example.com' } as const;

test('a user names a deputy for some days, and removes the deputy', needsBrowser, async () => {
  const { workspace, users, ids } = await openGate(service, []);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open('/approvals');
  await page.getByRole('link', { name: 'Name a deputy' }).click();
  await seen(page.getByText('You have no deputy.'));
  await page.getByRole('button', { name: 'Name deputy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await seen(dialog.getByText('Choose a person'));
  await seen(dialog.getByText('Choose a day'));
  await dialog
    .getByRole('combobox', { name: 'Deputy' })
    .or(dialog.getByRole('textbox', { name: 'Deputy' }))
    .fill('elena');
  await page.getByRole('option', { name: 'Elena Brandt' }).click();
  await dialog.getByRole('textbox', { name: 'Last day' }).fill('31 Dec 2099');
  await done('the form of a deputy');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await seen(page.getByText(/^Elena Brandt, .* to 31 Dec 2099$/));
  const { body } = await users.olga.call<Deputy>('/api/v1/approvals/deputy');
  assert.deepEqual([body.memberId, body.to], [ids.elena, '2099-12-31']);
  await page.getByRole('button', { name: 'Remove deputy' }).click();
  await seen(page.getByText('You have no deputy.', { exact: true }));
  assert.equal((await users.olga.call('/api/v1/approvals/deputy')).status, 404);
});

test('approvals, an order that waits and rules fit a phone, in French and Spanish', needsBrowser, async () => {
  const gate = await openGate(service, [
    { levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }, { is: 'MANAGER' }] }] },
  ]);
  const long = { firstName: 'Maximiliane-Alexandrina', lastName: 'von Hohenstaufen-Württemberg' };
  const recipient = { email: 'maximiliane.von.hohenstaufen@example.com', ...long };
  const requestId = await gate.send(null, { orderItems: [aGift({ amount: 400, recipient })] });
  for (const language of ['es', 'fr'] as const) {
    const { page, open, done } = await openConsole(service, {
      ...{ workspace: gate.workspace.id, width: 360, language },
      ...owner,
    });
    for (const path of ['/money/rules', '/', '/approvals', `/approvals/${requestId}`, `/orders/${requestId}`]) {
      await open(path);
      await seen(
        page
          .getByRole('main')
          .getByText(path === '/money/rules' ? 'Large gifts' : long.lastName)
          .first(),
      );
      if (path === '/money/rules')
        await page
          .getByRole('button', { name: /Large gifts/ })
          .last()
          .click();
      if (path === '/money/rules') await page.locator('main form').waitFor();
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(over <= 0, `${path} is ${over} pixels too wide in ${language}`);
      await done(`${path} in ${language}`);
    }
  }
});
