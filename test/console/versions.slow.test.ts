import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aRule, openGate } from '../support/approvals.ts';
import { anAutomation } from '../support/automations.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { askForLine } from '../support/callers.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { workspace, users } = await openGate(service, []);
const made = async (path: string, body: object) =>
  (await workspace.call<{ id: number }>(`/api/v1/${path}`, { method: 'POST', body })).body;
const rule = await made('rules', aRule({ name: 'Large' }));
await made('custom-fields', { key: 'desk', label: 'Desk', kind: 'TEXT' });
const automation = await made('automations', anAutomation({ name: 'Birthdays' }));
const occurrence = await askForLine(service, workspace.id);
const budget = await made('budgets', { currency: 'CAD', amount: 100 });
const pool = await made('pools', { name: 'Bookshops', currency: 'CAD' });
const webhook = await made('webhooks', { url: 'https://93.184.215.14/hooks', types: ['order.failed'] });

interface Edited {
  what: string;
  screen: string;
  /** Where it is read and changed. */
  path: string;
  theirs: object;
  /** A text of what the other person has saved. */
  kept: RegExp;
  edit: (page: Page) => Promise<void>;
  save: RegExp;
}

const edited: Edited[] = [
  {
    what: 'the access of employees',
    screen: '/settings/employees',
    path: 'settings/employees',
    theirs: { leaverDays: 77 },
    kept: /"leaverDays":77/,
    edit: (page) => page.getByLabel('Days for people who have left').fill('33'),
    save: /^Save$/,
  },
  {
    what: 'retention',
    screen: '/settings/retention',
    path: 'settings/retention',
    theirs: { changes: [{ kind: 'emails', days: 4_321 }] },
    kept: /"days":4321/,
    edit: (page) => page.getByLabel('Days to keep: Emails about gifts', { exact: true }).fill('5432'),
    save: /^Save$/,
  },
  {
    what: 'a rule',
    screen: '/money/rules',
    path: `rules/${rule.id}`,
    theirs: { name: 'Theirs' },
    kept: /"name":"Theirs"/,
    edit: async (page) => {
      await page.getByRole('button', { name: /^Change the rule/ }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
    },
    save: /^Save rule$/,
  },
  {
    what: 'a custom field',
    screen: '/settings/fields',
    path: 'custom-fields/desk',
    theirs: { label: 'Theirs' },
    kept: /"label":"Theirs"/,
    edit: async (page) => {
      await page.getByRole('button', { name: 'Actions for Desk' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByLabel('Label').fill('Mine');
    },
    save: /^Save$/,
  },
  {
    what: 'a sentence of a manager',
    screen: '/automations/happened',
    path: `automations/occurrences/${occurrence}`,
    theirs: { line: 'Theirs' },
    kept: /"line":"Theirs"/,
    edit: async (page) => {
      await page.getByRole('button', { name: /^Add a sentence to the message/ }).click();
      await page.getByLabel('Sentence before the message').fill('Mine');
    },
    save: /^Save sentence$/,
  },
  {
    what: 'an automation',
    screen: `/automations/${automation.id}`,
    path: `automations/${automation.id}`,
    theirs: { name: 'Theirs' },
    kept: /"name":"Theirs"/,
    edit: async (page) => {
      await page.getByRole('button', { name: /^Amount: / }).click();
      await page.getByRole('textbox', { name: 'Amount' }).fill('31');
      await page.keyboard.press('Escape');
    },
    save: /^Save as draft$/,
  },
  {
    what: 'a budget',
    screen: `/money/budgets/${budget.id}`,
    path: `budgets/${budget.id}`,
    theirs: { giftLimit: 77 },
    kept: /"giftLimit":77/,
    edit: async (page) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByLabel(/^Limit per gift/).fill('33');
    },
    save: /^Save$/,
  },
  {
    what: 'a code pool',
    screen: '/money/pools',
    path: `pools/${pool.id}`,
    theirs: { name: 'Theirs' },
    kept: /"name":"Theirs"/,
    edit: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Low at').fill('33');
    },
    save: /^Save$/,
  },
  {
    what: 'a webhook',
    screen: `/integrations/webhooks/${webhook.id}`,
    path: `webhooks/${webhook.id}`,
    theirs: { types: ['order.completed'] },
    kept: /"types":\["order.completed"\]/,
    edit: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Note for your team').fill('Mine');
    },
    save: /^Save$/,
  },
  {
    what: 'a role',
    screen: '/settings/people',
    path: `users/${users.priya.user.id}`,
    theirs: { role: 'AUDITOR' },
    kept: /"role":"AUDITOR"/,
    edit: async (page) => {
      await page.getByRole('button', { name: 'Actions for Priya Nair' }).click();
      await page.getByRole('menuitem', { name: 'Change role' }).click();
      await page.getByRole('radio', { name: /^Approver/ }).check();
    },
    save: /^Save$/,
  },
];

for (const { what, screen, path, theirs, kept, edit, save } of edited)
  test(
    `a change of ${what} is not lost to another one that comes later: the console says so`,
    needsBrowser,
    async () => {
      const { page, open } = await openConsole(service, { workspace: workspace.id });
      await open(screen);
      await edit(page);
      const { status } = await workspace.call(`/api/v1/${path}`, { method: 'PATCH', body: theirs });
      assert.equal(status, 200);
      await page.getByRole('button', { name: save }).click();
      await seen(page.getByText(/Someone else changed this after you opened it/));
      assert.match(JSON.stringify(await workspace.read(`/api/v1/${path}`)), kept);
    },
  );
