import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
  { email: 'ada.o@example.com', firstName: 'Ada', lastName: 'Obi' },
];

for (const width of [1440, 360])
  test(`a merge is undone from its notification and from the list, at ${width} pixels`, needsBrowser, async () => {
    const workspace = await openWorkspace(service, { people });
    const [ada = 0, other = 0] = workspace.memberIds;
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, width });
    const merge = async () => {
      await open(`/people/${other}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Merge with another record' }).click();
      const dialog = page.getByRole('dialog', { name: 'Merge two records' });
      await dialog.getByRole('combobox', { name: 'Record to keep' }).fill('Okafor');
      await page.getByRole('option', { name: /Okafor/ }).click();
      await seen(dialog.getByText('You can undo this for 24 hours.'));
      await dialog.getByRole('button', { name: 'Merge records' }).click();
      await seen(page.getByText('Records merged: Ada Okafor.'));
    };
    const count = async () =>
      (await workspace.members()).members.filter(({ email }) => email?.startsWith('ada')).length;
    await merge();
    assert.equal(await count(), 1);
    await page.getByRole('button', { name: 'Undo · 24 hours left' }).click();
    await seen(page.getByText('Undone. Everything is as it was before.'));
    assert.equal(await count(), 2);

    await merge();
    await open('/people/undo');
    await seen(page.getByText('24 hours', { exact: true }).first());
    await done('what can be undone');
    await workspace.change(ada, { department: 'Lab' });
    const undo = page.getByRole('button', { name: 'Undo: Merge of Ada Okafor' });
    await undo.click();
    const dialog = page.getByRole('dialog', { name: 'Undo: Merge of Ada Okafor' });
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await seen(dialog.getByText(/This cannot be undone: .* changed since/));
    await workspace.change(ada, { department: null });
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await seen(page.getByText('Nothing to undo'));
    assert.equal(await count(), 2);
    await done('nothing to undo');
  });
