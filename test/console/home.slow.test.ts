import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { setBudget } from '../support/budgets.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

test(
  'home shows what waits, this month, who was covered, and the latest words as they come',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service, {
      asksForApproval: true,
      people: ['ada', 'mei', 'jonas'].map((name) => ({
        email: `${name}@example.com`,
        firstName: name === 'mei' ? 'Mei' : 'Ada',
        department: name === 'jonas' ? 'Sales' : 'Care',
      })),
    });
    await workspace.gift({ email: 'mei@example.com' });
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, name: 'Samir Marín' });
    await open('/');
    await seen(page.getByText('CA$25').first());
    const covered = page.getByRole('list', { name: 'Recognized in 90 days' });
    await seen(covered.getByText('1/2'));
    assert.match((await covered.textContent()) ?? '', /Sales0% 0\/1Care50% 1\/2/);
    await seen(page.getByRole('link', { name: '2 people were not recognized for 90 days' }));

    await workspace.give(
      aShoutout({ recipient: { email: 'mei@example.com' }, message: 'Eleven hours, not one late order.' }),
    );
    await seen(page.getByText('Eleven hours, not one late order.'));
    await seen(page.getByText('1 approval waits for you'));
    await done('home');
  },
);

test('owners see after which day no owner stays, and other users do not', needsBrowser, async () => {
  const people = ['owner', 'auditor'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  const workspace = await openWorkspace(service, { people });
  await workspace.gift({ email: 'auditor@example.com' });
  await workspace.change(workspace.memberIds[0] as number, { leavesOn: '2031-03-31' });
  const task = { fr: 'Aucun propriétaire ne reste après le 31 mars 2031', en: 'No owner stays after 31 Mar 2031' };
  const owner = await openConsole(service, { workspace: workspace.id, language: 'fr' });
  await owner.open('/');
  await seen(owner.page.getByText(task.fr));
  await owner.done('the last day of the owner');
  await owner.page.getByRole('link', { name: 'Voir les utilisateurs' }).click();
  await seen(owner.page.getByRole('heading', { level: 1, name: 'Utilisateurs' }));
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await auditor.open('/');
  await seen(auditor.page.getByText('CA$25').first());
  assert.equal(await auditor.page.getByText(task.en).count(), 0);
});

test('a manager reads the share of their own people, and what is left of their own budget', needsBrowser, async () => {
  const people = ['priya', 'mei', 'jonas', 'elena'].map((name) => ({
    email: `${name}@example.com`,
    department: 'Care',
  }));
  const workspace = await openWorkspace(service, { people });
  const [priya, mei, jonas] = workspace.memberIds as [number, number, number];
  for (const id of [mei, jonas]) await workspace.change(id, { managerId: priya });
  await workspace.gift({ email: 'mei@example.com' });
  await setBudget(service.database, workspace.id, { amount: 900 });
  await setBudget(service.database, workspace.id, { amount: 140, memberId: priya });
  const joining = { workspace: workspace.id, role: 'MANAGER', email: 'priya@example.com' } as const;
  for (const width of [360, 1440]) {
    const { page, open, done } = await openConsole(service, { ...joining, width });
    await open('/');
    await seen(page.getByText('your people 50 %').or(page.getByText('your people 50%')));
    await seen(page.getByText('CA$140.00 available in your budget'));
    assert.equal(await page.getByText('company', { exact: false }).filter({ hasText: '%' }).count(), 0);
    await done('the home of a manager');
  }
});

test('home says what failed in its place, and reads again', needsBrowser, async () => {
  const { page, open } = await openConsole(service);
  await page.route('**/api/v1/reports/overview*', (route) =>
    route.fulfill({
      status: 400,
      json: { status: 400, message: 'The report is being repaired.', type: 'invalid_field' },
    }),
  );
  await open('/');
  await seen(page.getByRole('alert').getByText('The report is being repaired.'));
  await page.unroute('**/api/v1/reports/overview*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page.getByRole('heading', { name: 'Six steps to the first gift' }));
});

test(
  'an empty company has six steps that tick themselves off, and the first gift ends them',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service);
    const { page, open, done } = await openConsole(service, { workspace: workspace.id });
    await open('/');
    const steps = page.getByRole('list', { name: 'Six steps to the first gift' });
    const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
    await seen(step('The first gift'));
    assert.equal(
      await page.getByRole('heading', { name: /so far|Recognition by week/ }).count(),
      0,
      'no charts of zero',
    );
    await seen(page.getByTitle('Preview'));
    assert.equal(await step('Your name and colour').getByText('Done').count(), 0);
    await done('the first steps');

    await step('Your name and colour').getByRole('link', { name: 'Set brand' }).click();
    await page.getByLabel('Name in emails and on pages').fill('Northwind');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await seen(page.getByText('Saved. New emails and gift pages use these settings.'));
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await seen(step('Your name and colour').getByText('Done'));

    await workspace.gift({ email: 'mei@example.com' });
    await open('/');
    await seen(page.getByRole('heading', { name: 'Recognition by week' }));
    assert.equal(await steps.count(), 0);
  },
);

test('a role has the steps that it can do, and the steps can be hidden', needsBrowser, async () => {
  const workspace = await openWorkspace(service);
  const auditor = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR', width: 360 });
  await auditor.open('/');
  await seen(auditor.page.getByRole('heading', { name: 'No recognition yet' }));
  assert.equal(await auditor.page.getByText(/to the first gift/).count(), 0);

  const owner = await openConsole(service, { workspace: workspace.id, width: 360 });
  await owner.open('/');
  await seen(owner.page.getByRole('heading', { name: 'Six steps to the first gift' }));
  await owner.done('the first steps on a phone');
  await owner.page.getByRole('button', { name: 'Hide steps' }).click();
  await seen(owner.page.getByRole('heading', { name: 'No recognition yet' }));
  await owner.open('/');
  await seen(owner.page.getByRole('heading', { name: 'No recognition yet' }));
});
