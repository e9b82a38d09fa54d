import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

for (const width of [1440, 360])
  test(
    `an owner places a legal hold, sees why a person cannot be erased, releases it, and keeps the person out of reports, at ${width} pixels`,
    needsBrowser,
    async () => {
      const people = [{ email: 'tomas@example.com', firstName: 'Tomás', lastName: 'Rivera' }];
      const workspace = await openWorkspace(service, { people, name: 'Northwind Labs' });
      const { page, open, done } = await openConsole(service, { workspace: workspace.id, width });
      const id = workspace.memberIds[0];
      await open(`/people/${id}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Place legal hold' }).click();
      await page.getByLabel('Reason').fill('Case 2027-14');
      await page.getByRole('dialog').getByRole('button', { name: 'Place legal hold' }).click();
      await seen(page.getByText('Case 2027-14'));
      await done('a person on legal hold');
      await open(`/people/${id}/erase`);
      await seen(page.getByText('They are on legal hold.'));
      await open(`/people/${id}`);
      await page.getByRole('button', { name: 'Release' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
      await seen(page.getByText('Legal hold released.'));
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Keep out of reports' }).click();
      await page.getByLabel('Reason').fill('Asked for it');
      await page.getByRole('dialog').getByRole('button', { name: 'Keep out of reports' }).click();
      await seen(page.getByRole('heading', { name: 'Kept out of reports' }));
      await done('a person who is kept out of reports');
    },
  );
