import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { setBudget } from '../support/budgets.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('a budget is set, granted and withdrawn; more than is there is refused in its dialog', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', firstName: 'Ada' }] });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/money');
  await seen(page.getByRole('heading', { name: 'No budgets yet' }));
  await page.getByRole('button', { name: 'Set a budget' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'A person' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText('Choose the sender'));
  await form.getByLabel('Sender').first().fill('Ada');
  await page.getByRole('option', { name: /^Ada/ }).click();
  await form.getByRole('textbox', { name: 'Amount to grant now' }).fill('500');
  await form.getByRole('textbox', { name: 'Limit per gift' }).fill('100');
  await done('the form of a budget');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Ada' }).click();
  await seen(page.getByRole('heading', { name: 'Ada’s budget, CAD' }));

  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await form.getByRole('textbox', { name: 'Amount (CAD)' }).fill('250.50');
  await form.getByRole('textbox', { name: 'Note' }).fill('Spring');
  await form.getByRole('button', { name: 'Grant' }).click();
  await seen(page.getByText('CA$750.50 available'));
  await seen(page.getByRole('row', { name: /Granted Spring \+CA\$250\.50/ }));
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await form.getByRole('textbox', { name: 'Amount (CAD)' }).fill('750.51');
  await form.getByRole('button', { name: 'Withdraw' }).click();
  await seen(form.getByRole('alert'));
  await form.getByRole('textbox', { name: 'Amount (CAD)' }).fill('250.50');
  await form.getByRole('button', { name: 'Withdraw' }).click();
  await seen(page.getByText('CA$500.00 available'));
  // The grant may have an Undo on the page as well, and the page can be up to date before this message comes.
  await seen(page.getByText('CA$250.50 withdrawn.'));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await seen(page.getByText('CA$750.50 available'));
  await done('a budget');

  await page.getByRole('button', { name: 'Close budget' }).click();
  await seen(form.getByText('CA$750.50 is withdrawn.'));
  await form.getByRole('button', { name: 'Close budget' }).click();
  await seen(page.getByText('Orders no longer use it.'));
  assert.equal(await page.getByRole('button', { name: 'Grant', exact: true }).count(), 0);
});

test('everything is verified in the background, and the outcome stays on the page', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', firstName: 'Ada' }] });
  await workspace.gift({ email: 'ada@example.com' });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/settings/audit/proof');
  await page.getByRole('button', { name: 'Verify everything' }).click();
  const runs = page.getByRole('table', { name: 'Verifications in the background' });
  await seen(runs.getByText('No problems found'));
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await seen(page.getByText(/entries were verified before/));
  await done('a full verification');
});

test('the books are verified by a button, which names the entry that somebody changed', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', firstName: 'Ada' }] });
  const { id } = await setBudget(service.database, workspace.id, { amount: 100 });
  await workspace.gift({ email: 'ada@example.com' });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/money');
  await page.getByRole('link', { name: 'Verify ledger' }).click();
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await seen(page.getByText('No problems found'));
  await page.getByLabel('Earlier hash').fill('abc');
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await seen(page.getByText('A hash has 64 characters'));
  await page.getByLabel('Earlier hash').fill('');
  await done('books that agree');

  const change =
    'update ledger_entries set amount = amount + $3 where workspace_id = $1 and budget_id = $2 and number = 1';
  await service.database.query(change, [workspace.id, id, 0.01]);
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await seen(page.getByText(/problems? found$/));
  await done('a ledger with problems');
  await page
    .getByRole('link', { name: `Budget ${id}, entry 1` })
    .first()
    .click();
  await seen(page.getByRole('dialog').getByText('giftwire ledger 1'));
  await done('an entry');
  await service.database.query(change, [workspace.id, id, -0.01]);
});

test('an auditor reads budgets and changes none; a manager has no such screen', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'max@example.com', firstName: 'Max' }] });
  const { id } = await setBudget(service.database, workspace.id, { amount: 100 });
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR', width: 360 });
  await auditor.open(`/money/budgets/${id}`);
  await seen(auditor.page.getByText('CA$100.00 available'));
  assert.equal(await auditor.page.getByRole('button', { name: /^(Grant|Withdraw|Change|Close budget)$/ }).count(), 0);
  await auditor.done('a budget on a phone');
  const manager = await openConsole(service, { workspace: workspace.id, role: 'MANAGER', email: 'max@example.com' });
  await manager.open('/');
  assert.equal(await manager.page.getByRole('link', { name: 'Money' }).count(), 0);
});
