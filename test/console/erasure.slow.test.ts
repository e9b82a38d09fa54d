import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

const people = [
  { email: 'tomas@example.com', firstName: 'Tomás', lastName: 'Rivera' },
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
];

test('one person asks for an erasure, another one finds it on Home and agrees', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people });
  const [tomas = 0] = workspace.memberIds;
  const first = await openConsole(service, { workspace: workspace.id, name: 'Samir Marín' });
  await first.open('/settings/policies');
  await first.page.getByRole('switch', { name: 'Erasing a person needs two people' }).click();
  await first.page.getByRole('button', { name: 'Save' }).click();
  await seen(first.page.getByText('Saved.'));
  await first.open(`/people/${tomas}`);
  await first.page.getByRole('button', { name: 'More actions' }).click();
  await first.page.getByRole('menuitem', { name: 'Erase' }).click();
  await seen(first.page.getByRole('heading', { level: 1, name: 'Erase Tomás Rivera?' }));
  await seen(first.page.getByRole('region', { name: 'Kept, and why' }).getByText('Counts, totals and amounts'));
  await first.done('the preview of an erasure');
  await first.page.getByRole('button', { name: 'Ask a second person' }).click();
  await first.page.getByRole('dialog').getByRole('button', { name: 'Ask a second person' }).click();
  await seen(first.page.getByText('You asked for it, so another person has to agree.'));
  assert.equal(await first.page.getByRole('button', { name: 'Agree and erase' }).count(), 0);
  await first.done('an erasure that waits for a second person');

  const second = await openConsole(service, { workspace: workspace.id, name: 'Lucie Gagnon', role: 'PEOPLE_TEAM' });
  await second.open('/');
  await seen(second.page.getByText('1 erasure waits for a second person'));
  await second.page.getByRole('link', { name: 'See erasures' }).click();
  await seen(second.page.getByText('Samir Marín'));
  await second.done('the list of erasures');
  await second.page.getByRole('link', { name: 'Tomás Rivera' }).click();
  await second.page.getByRole('button', { name: 'Agree and erase' }).click();
  await second.page.getByRole('dialog').getByRole('button', { name: 'Agree and erase' }).click();
  await seen(second.page.getByRole('heading', { level: 1, name: 'Erased person' }));
  await seen(second.page.getByText(/Everything that identified this person was removed/));
  await second.done('a person who is erased');
  await second.open('/people/erasures?show=ended');
  await seen(second.page.getByRole('link', { name: `Erased person ${tomas}` }));
  await second.open(`/people/${tomas}`);
  await seen(second.page.getByRole('heading', { level: 1, name: 'Erased person' }));
});

test('what is open has to end first, and a day’s pause can be stopped, on a phone', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people });
  const [, ada = 0] = workspace.memberIds;
  await workspace.gift({ email: 'ada@example.com' });
  const { gifts } = await workspace.read<{ gifts: { id: number }[] }>('/api/v1/gifts');
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, width: 360, language: 'fr' });
  await open(`/people/${ada}/erase`);
  await seen(page.getByRole('region', { name: 'Ceci doit d’abord se terminer' }).getByText(/Un cadeau non utilisé/));
  assert.ok(await page.getByRole('button', { name: 'Effacer dans un jour' }).isDisabled());
  await done('what has to end first');
  const cancelled = await workspace.call(`/api/v1/gifts/${gifts[0]?.id}/cancel`, { method: 'POST' });
  assert.equal(cancelled.status, 200);
  await page.reload();
  await page.getByRole('button', { name: 'Effacer dans un jour' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Effacer dans un jour' }).click();
  await seen(page.getByRole('heading', { level: 1, name: 'Effacement de Ada Okafor' }));
  await done('a pause');
  await page.getByRole('button', { name: 'Arrêter l’effacement' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Arrêter l’effacement' }).click();
  await seen(page.getByText('Un effacement antérieur a été arrêté.', { exact: false }));
});

test('the file of a person is downloaded', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people });
  const [tomas = 0] = workspace.memberIds;
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  await open(`/people/${tomas}/erase`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download their data' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), `data-${tomas}.zip`);
});
