import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleList } from '../../src/ground/contract/rule.ts';
import { openGate } from '../support/approvals.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const owner = { role: 'OWNER', email: 'owner@example.com' } as const;

test('an owner writes a rule as a sentence, changes it, turns it off and deletes it', needsBrowser, async () => {
  const { workspace, ids } = await openGate(service, []);
  const rules = async () => (await workspace.read<RuleList>('/api/v1/rules')).rules;
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open('/money/rules');
  await seen(page.getByText('No rules yet'));
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByRole('button', { name: 'Save rule' }).click();
  for (const text of ['Enter an amount, 0 for every order', 'Choose an approver']) await seen(page.getByText(text));
  const field = (name: string) =>
    page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
  await field('Whose orders').click();
  await page.getByRole('option', { name: 'a sender with the role' }).click();
  await field('Role').click();
  await page.getByRole('option', { name: 'Manager' }).click();
  await field('Amount').fill('250');
  await field('Currency').fill('CAD');
  await page.getByRole('option', { name: 'CAD' }).click();
  await field('Approvers').click();
  await page.getByRole('option', { name: 'the sender’s manager' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a second level' }).click();
  await field('Approvers of the second level').fill('Elena');
  await page.getByRole('option', { name: 'Elena Brandt' }).click();
  await page.keyboard.press('Escape');
  await field('Days for each level').fill('5');
  assert.equal(await field('Name').inputValue(), 'Manager, more than CA$250.00');
  await done('the form');
  await page.getByRole('button', { name: 'Save rule' }).click();
  const row = page.getByRole('list', { name: /^Rules/ }).getByRole('listitem');
  await seen(row.getByText('ask the sender’s manager, then Elena Brandt, within 5 days each'));
  const [saved] = await rules();
  assert.deepEqual(
    { from: saved?.from, above: saved?.above, measure: saved?.measure, days: saved?.days, levels: saved?.levels },
    {
      from: { role: 'MANAGER' },
      above: 250,
      measure: 'GIFT',
      days: 5,
      levels: [{ approvers: [{ is: 'MANAGER' }] }, { approvers: [{ is: 'MEMBER', memberId: ids.elena }] }],
    },
  );
  await page.getByRole('switch', { name: 'Apply the rule Manager, more than CA$250.00' }).press('Space');
  await eventually(rules, ([rule]) => rule?.isOn === false);
  await page.getByRole('button', { name: /^Change the rule/ }).click();
  await field('What is measured').click();
  await page.getByRole('option', { name: 'in one month sends' }).click();
  await field('What happens').click();
  await page.getByRole('option', { name: 'reject the order' }).click();
  await page.getByLabel('Message').fill('Ask finance first.');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await seen(row.getByText('“Ask finance first.”'));
  await seen(
    row.getByText('When a sender with the role Manager in one month sends more than CA$250.00, reject the order'),
  );
  await done('the list');
  await page.getByRole('button', { name: /^Change the rule/ }).click();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the rule Manager, more than CA$250.00?' });
  await dialog.getByRole('button', { name: 'Delete rule' }).click();
  await seen(page.getByText('No rules yet'));
  assert.deepEqual(await rules(), []);
});

test('a rule about one automation says so, and keeps it when another field changes', needsBrowser, async () => {
  const { workspace } = await openGate(service, []);
  const rules = async () => (await workspace.read<RuleList>('/api/v1/rules')).rules;
  const added = await workspace.call<{ id: number }>('/api/v1/automations', {
    method: 'POST',
    body: {
      ...{ name: 'Birthdays', trigger: { is: 'BIRTHDAY' } },
      ...{ action: { is: 'GIFT', currency: 'CAD', amount: 25 }, messages: { EN: 'Happy birthday!' } },
    },
  });
  const automationId = added.body.id;
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open('/money/rules');
  await page.getByRole('button', { name: 'New rule' }).click();
  const field = (name: string) =>
    page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
  await seen(page.getByText('The orders of API tokens and automations count too.'));
  await field('Whose orders').click();
  await page.getByRole('option', { name: 'the automation' }).click();
  await field('Automation').click();
  await page.getByRole('option', { name: 'Birthdays' }).click();
  await field('Amount').fill('20');
  await field('Currency').fill('CAD');
  await page.getByRole('option', { name: 'CAD' }).click();
  await field('Approvers').click();
  await page.getByRole('option', { name: 'an owner' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save rule' }).click();
  const row = page.getByRole('list', { name: /^Rules/ }).getByRole('listitem');
  await seen(row.getByText('When the automation Birthdays sends a gift of more than CA$20.00'));
  await done('the rule of an automation');
  await page.getByRole('button', { name: /^Change the rule/ }).click();
  await field('Amount').fill('24');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await seen(row.getByText('more than CA$24.00'));
  const [saved] = await rules();
  assert.deepEqual([saved?.from, saved?.above], [{ automationId }, 24]);
});

test('rules are moved with the keyboard alone, and the focus stays at the rule', needsBrowser, async () => {
  const { workspace } = await openGate(service, [{ name: 'First' }, { name: 'Second', above: 500 }]);
  const names = async () => (await workspace.read<RuleList>('/api/v1/rules')).rules.map(({ name }) => name);
  const { page, open } = await openConsole(service, { workspace: workspace.id, ...owner, width: 360 });
  await open('/money/rules');
  await page.getByRole('button', { name: 'Move up: Second' }).press('Enter');
  await eventually(names, ([first]) => first === 'Second');
  await seen(page.getByText('Second is now number 1.'));
  await eventually(
    () => page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label') ?? null"),
    (label) => label === 'Move down: Second',
  );
  await page.keyboard.press('Enter');
  await eventually(names, ([first]) => first === 'First');
});

test('an auditor reads the rules and changes nothing, and a manager does not see them', needsBrowser, async () => {
  const { workspace } = await openGate(service, [{ name: 'Large gifts' }]);
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await auditor.open('/money/rules');
  await seen(auditor.page.getByText('Large gifts'));
  for (const name of [/^Change/, /^Move/, 'New rule'])
    assert.equal(await auditor.page.getByRole('button', { name }).count(), 0);
  await auditor.done('rules of an auditor');
  const manager = await openConsole(service, { workspace: workspace.id, role: 'MANAGER', email: 'priya@example.com' });
  await manager.open('/approvals');
  await seen(manager.page.getByRole('navigation').getByRole('link', { name: 'Approvals' }));
  assert.equal(await manager.page.getByRole('link', { name: 'Money' }).count(), 0);
});
