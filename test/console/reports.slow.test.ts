import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

async function openCompany() {
  const workspace = await openWorkspace(service, {
    people: ['ada', 'mei', 'jonas'].map((name) => ({
      email: `${name}@example.com`,
      firstName: `${name[0]?.toUpperCase()}${name.slice(1)}`,
      department: name === 'jonas' ? 'Sales' : 'Care',
    })),
  });
  const [ada, mei, jonas] = workspace.memberIds as [number, number, number];
  await workspace.change(mei, { managerId: ada });
  await workspace.change(jonas, { managerId: ada });
  await workspace.gift({ email: 'mei@example.com' });
  await workspace.passDays(40);
  await workspace.give(aShoutout({ recipient: { email: 'jonas@example.com' } }));
  return workspace;
}

test('reports say who was forgotten, as of any day, and lead to thanks', needsBrowser, async () => {
  const workspace = await openCompany();
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/reports?days=30');
  await seen(page.getByText('2 people were not recognized in 30 days.'));
  assert.match((await page.getByRole('row').filter({ hasText: 'ada@' }).textContent()) ?? '', /Never/);
  await page.getByRole('checkbox', { name: 'Never recognized only' }).check();
  await seen(page.getByText('1 person was not recognized in 30 days.'));
  await page.getByRole('checkbox', { name: 'Never recognized only' }).uncheck();
  const before = new Date(Date.now() - 35 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('As of').fill(before);
  await seen(page.getByRole('row').filter({ hasText: 'jonas@' }).getByText('Never'));
  await done('who was not recognized');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  assert.match(readFileSync(await download.path(), 'utf8'), /^id,email,.*jonas@example\.com/s);
  await page.setViewportSize({ width: 360, height: 900 });
  const thank = page.getByRole('link', { name: 'Give a shoutout: Jonas' });
  const { width = 0 } = (await thank.boundingBox()) ?? {};
  assert.ok(width > 60, `on a phone the button is ${width} px wide`);
  await thank.click();
  await seen(page.getByRole('dialog').getByLabel('Message'));
});

test('a year that is typed half leaves the report as it is', needsBrowser, async () => {
  const workspace = await openCompany();
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/reports?days=30&asOf=0002-11-16');
  const found = page.getByText('2 people were not recognized in 30 days.');
  await seen(found);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const before = new Date(Date.now() - 35 * 86_400_000).toISOString().slice(0, 10);
  const [year = '', month = '', day = ''] = before.split('-');
  const field = page.getByLabel('As of');
  await field.fill('');
  await page.keyboard.type(`${day}/${month}/${year.slice(0, 2)}`);
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.keyboard.type(year.slice(2));
  await seen(page.getByRole('row').filter({ hasText: 'jonas@' }).getByText('Never'));
  await field.blur();
  assert.match(await field.inputValue(), new RegExp(`^${Number(day)} \\w+ ${year}$`));
  const days = asked.map((url) => new URL(url).searchParams.get('asOf')).filter((one) => one !== null);
  assert.deepEqual(
    days.filter((one) => one.startsWith('0')),
    [],
    'the service was asked about half a year',
  );
  await page.getByRole('button', { name: 'Back to today' }).click();
  await seen(found);
  await done('a day typed by hand');
});

test('coverage, fairness and time: each chart with its table', needsBrowser, async () => {
  const workspace = await openCompany();
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/reports?view=coverage');
  const row = page.getByRole('row').filter({ hasText: 'Care' });
  await seen(row);
  assert.match((await row.textContent()) ?? '', /Care2150%10/);
  await page.getByLabel('By', { exact: true }).selectOption('month');
  await seen(page.getByRole('list', { name: 'Recognized, by month' }).getByRole('listitem').first());
  await done('coverage');
  await page.getByRole('tab', { name: 'Fairness' }).click();
  await seen(page.getByRole('row').filter({ hasText: 'ada@' }).getByText('100%'));
  await done('fairness');
  await page.getByRole('tab', { name: 'Over time' }).click();
  await seen(page.getByRole('img', { name: /^Line chart: Gifts and shoutouts/ }));
  await seen(page.getByRole('cell', { name: 'CA$25.00' }));
  await done('over time');
  await page.goto(`${service.url}/w/${workspace.id}/reports?view=coverage&asOf=2020-01-01`);
  await seen(page.getByText('No people on this date'));
});
