import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', department: 'Sales' },
  { email: 'li@example.com', firstName: 'Li', lastName: 'Wei' },
];

test('a person is found, shown with what they received and gave, and changed', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, actsAs: 'li@example.com' });
  await workspace.given(aShoutout({ message: 'You kept us calm.' }));
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/people');
  await page.getByRole('searchbox', { name: 'Search people' }).fill('ada oka');
  await page.waitForURL(/search=ada/);
  await seen(page.getByText('1 person', { exact: true }));
  await page.getByRole('checkbox', { name: 'Select Ada Okafor' }).check();
  const send = page.getByRole('region', { name: 'Selection' }).getByRole('link', { name: 'Send 1 gift' });
  assert.match((await send.getAttribute('href')) ?? '', new RegExp(`/send\\?to=${workspace.memberIds[0]}$`));
  await done('the list of people');
  await page.getByRole('link', { name: 'Ada Okafor', exact: true }).click();
  await seen(page.getByText('You kept us calm.'));
  await page.getByText('Given', { exact: true }).click();
  await seen(page.getByText('Ada Okafor has not recognized anyone yet'));
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Ada Okafor' });
  await form.getByRole('textbox', { name: 'Email' }).fill('li@example.com');
  await form.getByRole('button', { name: 'Save' }).click();
  await seen(form.getByText(/belongs to Li Wei/));
  await done('an invalid field');
  await form.getByRole('textbox', { name: 'Email' }).fill('ada.okafor@example.com');
  await form.getByRole('textbox', { name: 'Team' }).fill('Platform');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await seen(page.getByText('Sales · Platform'));
  await seen(page.getByText('ada.okafor@example.com'));
});

test(
  'a birthday is typed as people write it, shown without a year, and not shown to a manager',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service, {
      people: [{ email: 'boss@example.com' }, { email: 'ada@example.com' }],
    });
    const [boss = 0, ada = 0] = workspace.memberIds;
    await workspace.change(ada, { managerId: boss, firstName: 'Ada', lastName: 'Okafor' });
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, width: 360 });
    await open(`/people/${ada}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Birthday').fill('31 April');
    await form.getByLabel('Phone').fill('+1 312 555 0142');
    await form.getByText('Enter a day and a month, for example 17 May').waitFor();
    await form.getByLabel('Birthday').fill('17/05/1990');
    await form.getByLabel('Country').fill('Cana');
    await page.getByRole('option', { name: 'Canada' }).click();
    await form.getByLabel('Time zone').fill('Toronto');
    await page.getByRole('option', { name: 'America/Toronto' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('17 May', { exact: true }).waitFor();
    await page.getByText('Canada', { exact: true }).waitFor();
    const saved = await workspace.read<Record<string, unknown>>(`/api/v1/members/${ada}`);
    assert.deepEqual(
      [saved.birthday, saved.country, saved.timeZone, saved.phone],
      ['05-17', 'CA', 'America/Toronto', '+1 312 555 0142'],
    );
    await done('the dates of a person');

    const joining = { role: 'MANAGER', email: 'boss@example.com', workspace: workspace.id } as const;
    const manager = await openConsole(service, joining);
    await manager.open(`/people/${ada}`);
    await manager.page.getByText('America/Toronto').waitFor();
    assert.equal(await manager.page.getByText('17 May').count(), 0);
    await manager.done('a person, for their manager');
  },
);

test('a person leaves, and that can be undone; two records become one', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [...people, { employeeNumber: 'old-1' }] });
  const [ada = 0, , old = 0] = workspace.memberIds;
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open(`/people/${ada}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark as left' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as left' }).click();
  await seen(page.getByText(/^Left on /));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Left on /).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark as left' }).click();
  await page.getByLabel('Last day').fill('2199-12-31');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as left' }).click();
  await seen(page.getByText(/^Last day: .*2199/));
  await done('a person whose last day is known');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove the last day' }).click();
  await page.getByText(/^Last day: /).waitFor({ state: 'detached' });
  await open(`/people/${old}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Merge with another record' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge two records' });
  await dialog.getByRole('combobox', { name: 'Record to keep' }).fill('ada');
  await page.getByRole('option', { name: /Ada Okafor/ }).click();
  await seen(dialog.getByText('old-1 is merged into Ada Okafor'));
  await done('the question before a merge');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await seen(page.getByRole('heading', { level: 1, name: 'Ada Okafor' }));
  await seen(page.getByText('old-1'));
});

test('a file shows what would change before it changes anything, on a phone too', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, width: 360 });
  await open('/people/import');
  await done('choosing a file');
  const csv = 'Work mail,Given,Shoe size\nnia@example.com,Nia,38\nada@example.com,Adah,39\nwrong,X,40\n';
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.locator('input[type=file]').setInputFiles(file);
  await seen(page.getByRole('alert').getByText(/No column is an email or an employeeNumber/));
  const named = { ...file, buffer: Buffer.from(csv.replace('Work mail,Given', 'email,Given name')) };
  await page.locator('input[type=file]').setInputFiles(named);
  await seen(page.getByRole('region', { name: 'Preview of changes' }).getByText('1 added'));
  await seen(page.getByRole('row', { name: /4.*must be an e-mail address/ }));
  await page.getByLabel('Read as: Shoe size').selectOption('Cost centre');
  await page
    .getByRole('cell', { name: /Cost centre/ })
    .first()
    .waitFor({ state: 'attached' });
  await done('what would change');
  assert.equal((await workspace.members()).totalElements, 2, 'nothing has changed yet');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await seen(page.getByRole('region', { name: 'Changes made' }));
  const { members } = await workspace.members('?size=10');
  assert.deepEqual(
    members.map(({ firstName, costCentre }) => [firstName, costCentre]),
    [
      ['Adah', '39'],
      ['Li', null],
      ['Nia', '38'],
    ],
  );
});

test('a file that is not clear is asked about before anyone is imported', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: [...people, { employeeNumber: '0077', firstName: 'Zoe' }] });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id });
  await open('/people/import');
  const csv = [
    'email,Employee ID,First name,Department,Location,Reports to,Phase,Start date',
    'nia@example.com,N-1,Nia,#N/A,YUL,Ada Okafor,Active,05/04/2015',
    'bo@example.com,N-2,Bo,Sales,YUL,Nora Nobody,Gone,',
    ',77,Zoe,Sales,York,,Active,',
  ].join('\n');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.locator('input[type=file]').setInputFiles(file);
  const question = page.getByRole('region', { name: 'Does “Phase” say who has left?' });
  await seen(question.getByText(/It contains: Active, Gone/));
  assert.equal(await page.getByRole('button', { name: /^Import \d+ row/ }).isDisabled(), true);
  await done('the questions about a file');
  await question.getByRole('button', { name: 'Read as status' }).click();
  const dates = page.getByRole('region', { name: 'How are dates written?' });
  await seen(dates.getByText('“Start date” has 05/04/2015, which may be two days.'));
  await seen(
    page.getByRole('row', { name: /Start date "05\/04\/2015" may be two days: .* or choose how dates are written$/ }),
  );
  await dates.getByRole('button', { name: /^Month first: (4 May|May 4),? 2015$/ }).click();
  await seen(page.getByText('Dates are read as month/day/year.'));
  await seen(page.getByRole('row', { name: /^Start date.*(4 May|May 4),? 2015/ }));
  await page.getByLabel('Means: Gone').selectOption('Has left');
  await page.getByRole('button', { name: 'Use 0077' }).click();
  await page.getByText('Department: “#N/A” (1 row)').waitFor();
  await seen(page.getByRole('row', { name: /Nora Nobody.*No person has this name/ }));
  const values = page.getByRole('region', { name: 'Replace values' });
  await values.getByLabel('Field').selectOption('Location');
  await values.getByLabel('In the file').fill('yul');
  await values.getByLabel('Means').fill('Montréal');
  await values.getByRole('button', { name: 'Add replacement' }).click();
  await seen(page.getByRole('row', { name: /Location.*yul.*Montréal/ }));
  await done('the answers about a file');
  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  await seen(page.getByRole('region', { name: 'Changes made' }));
  const { members } = await workspace.members('?size=10&includeInactive=true');
  const found = members.map((one) => [one.firstName, one.employeeNumber, one.department, one.location, one.active]);
  assert.deepEqual(found.filter(([name]) => ['Nia', 'Bo', 'Zoe'].includes(String(name))).sort(), [
    ['Bo', 'N-2', 'Sales', 'Montréal', false],
    ['Nia', 'N-1', null, 'Montréal', true],
    ['Zoe', '0077', 'Sales', 'York', true],
  ]);
  const nia = members.find(({ firstName }) => firstName === 'Nia');
  assert.deepEqual([nia?.manager?.id, nia?.hireDate], [workspace.memberIds[0], '2015-05-04']);
});
