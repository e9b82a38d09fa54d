import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../src/ground/contract/member.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
  { email: 'li@example.com', firstName: 'Li', lastName: 'Wei' },
];

for (const width of [1440, 360])
  test(
    `custom fields are defined, set for a person and used as a filter, at ${width} pixels`,
    needsBrowser,
    async () => {
      const workspace = await openWorkspace(service, { people });
      const [ada = 0] = workspace.memberIds;
      const { page, open, done } = await openConsole(service, { workspace: workspace.id, width });
      await open('/settings/fields');
      await seen(page.getByText('No custom fields yet'));
      await done('no custom fields');
      for (const [label, kind] of [
        ['T-shirt size', 'Choice'],
        ['Desk', 'Number'],
        ['End of probation', 'Date'],
        ['Hobby', 'Text'],
      ] as const) {
        await page.getByRole('button', { name: 'Add field' }).click();
        const form = page.getByRole('dialog', { name: 'Add a custom field' });
        await form.getByLabel('Label').fill(label);
        await form.getByRole('combobox', { name: 'Kind' }).click();
        await page.getByRole('option', { name: kind }).click();
        if (kind === 'Choice') {
          assert.equal(await form.getByLabel('Key').inputValue(), 'tShirtSize');
          await form.getByRole('button', { name: 'Add field' }).click();
          await seen(form.getByText('Must have at least one choice'));
          await form.getByLabel('Choices').fill('S\nM\n\nL');
          await done('the form of a custom field');
        }
        await form.getByRole('button', { name: 'Add field' }).click();
        await form.waitFor({ state: 'detached' });
      }
      await seen(page.getByText('endOfProbation'));
      await done('custom fields');

      await open(`/people/${ada}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit Ada Okafor' });
      await edit.getByRole('combobox', { name: 'T-shirt size' }).click();
      await page.getByRole('option', { name: 'M', exact: true }).click();
      await edit.getByLabel('Desk').fill('twelve');
      await edit.getByRole('textbox', { name: 'End of probation' }).fill('31 March 2027');
      await edit.getByLabel('Hobby').fill('Chess');
      await edit.getByRole('button', { name: 'Save' }).click();
      await seen(edit.getByText('must be a number of at most 15 digits'));
      await done('an invalid custom field');
      await edit.getByLabel('Desk').fill('12,5');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.waitFor({ state: 'detached' });
      await seen(page.getByText('31 March 2027'));
      await done('a person with custom fields');
      const { custom } = await workspace.read<Member>(`/api/v1/members/${ada}`);
      assert.deepEqual(custom, { tShirtSize: 'M', desk: 12.5, endOfProbation: '2027-03-31', hobby: 'Chess' });

      await open('/people');
      await seen(page.getByText('2 people', { exact: true }));
      await page.getByRole('combobox', { name: 'Custom field' }).click();
      await page.getByRole('option', { name: 'Hobby' }).click();
      const value = page.getByRole('textbox', { name: 'Value of Hobby' });
      await value.fill('chess');
      await value.press('Enter');
      await seen(page.getByText('1 person', { exact: true }));
      await done('people by a custom field');

      await open('/settings/fields');
      await page.getByRole('button', { name: 'Actions for Hobby' }).click();
      await page.getByRole('menuitem', { name: 'Remove field' }).click();
      const remove = page.getByRole('dialog', { name: 'Remove Hobby?' });
      await seen(remove.getByText('1 person has a value, which is deleted with the field. This cannot be undone.'));
      await done('the question before a removal');
      await remove.getByRole('button', { name: 'Remove field' }).click();
      await seen(page.getByText('Hobby removed.'));
      const after = await workspace.read<Member>(`/api/v1/members/${ada}`);
      assert.equal(after.custom?.hobby, undefined);
    },
  );
