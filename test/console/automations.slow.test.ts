import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AutomationList } from '../../src/ground/contract/automation.ts';
import type { Occurrence } from '../../src/ground/contract/occurrence.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { setBudget } from '../support/budgets.ts';
import { openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const owner = { role: 'OWNER', email: 'owner@example.com' } as const;

/** A day of the next months, as people have it in the workspace's directory. */
function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

const people = [
  { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka', birthday: dayAfter(3).slice(5) },
  { email: 'owen@example.com', firstName: 'Owen', lastName: 'Clarke', birthday: dayAfter(5).slice(5) },
  { email: 'nils@example.com', firstName: 'Nils', lastName: 'Berg', birthday: null },
];

const automationsOf = (workspace: TestWorkspace) => workspace.read<AutomationList>('/api/v1/automations');
const occurrencesOf = async (workspace: TestWorkspace) =>
  (await workspace.read<{ content: Occurrence[] }>('/api/v1/automations/occurrences')).content;

/** An automation that is on, without the console. */
async function turnOn(workspace: TestWorkspace, change: object = {}): Promise<number> {
  const body = {
    name: 'Birthdays',
    trigger: { is: 'BIRTHDAY' },
    action: { is: 'GIFT', currency: 'CAD', amount: 25 },
    messages: { EN: 'Happy birthday, {firstName}' },
    onDayOff: 'SAME_DAY',
    ...change,
  };
  const { body: made } = await workspace.call<{ id: number }>('/api/v1/automations', { method: 'POST', body });
  const { status } = await workspace.call(`/api/v1/automations/${made.id}`, { method: 'PATCH', body: { state: 'ON' } });
  assert.equal(status, 200);
  return made.id;
}

test(
  'a new people team turns on birthdays from a template, and sees who gets what when, and what happened',
  needsBrowser,
  async () => {
    const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
    const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
    await open('/automations');
    await seen(page.getByText('No automations yet'));
    await done('without automations');
    await page.getByRole('button', { name: /^Birthdays/ }).click();
    await seen(page.getByRole('heading', { level: 1, name: 'Birthdays' }));
    await page.getByRole('button', { name: 'Amount: CA$25.00' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('30');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^On a weekend or public holiday/ }).click();
    await page.getByRole('radio', { name: 'on the same day' }).click();
    await seen(page.getByText('CA$60.00', { exact: true }));
    await seen(page.getByText('2 gifts to 2 people in twelve months'));
    await seen(page.getByText('1 person has no birthday'));
    await seen(page.getByText(/^As Mei Tanaka reads it/));
    await seen(page.getByRole('blockquote').filter({ hasText: 'Happy birthday, Mei.' }));
    const row = page.getByRole('row').filter({ hasText: 'Mei Tanaka' });
    await seen(row.getByText('CA$30.00'));
    await done('a new automation');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await seen(page.getByText('“Birthdays” is turned on.'));
    const { automations } = await automationsOf(workspace);
    assert.deepEqual(
      automations.map(({ name, state, action, onDayOff }) => ({ name, state, amount: action.amount, onDayOff })),
      [{ name: 'Birthdays', state: 'ON', amount: 30, onDayOff: 'SAME_DAY' }],
    );
    await open('/automations');
    await seen(page.getByText(/^One is on\. Next: Mei Tanaka/));
    await done('the list');
    await page.getByRole('button', { name: 'A week' }).click();
    await eventually(
      () => occurrencesOf(workspace),
      (found) => found.length === 2 && found.every(({ state }) => state === 'SENT'),
    );
    await page.getByRole('link', { name: 'What happened' }).click();
    const happened = page.getByRole('listitem').filter({ hasText: 'Mei Tanaka' });
    await seen(happened.getByText('Sent', { exact: true }));
    await seen(happened.getByText('CA$30.00.'));
    await done('what happened');
  },
);

test('one occurrence is skipped in the table of its month, and the skip can be taken back', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  const id = await turnOn(workspace);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open(`/automations/${id}`);
  await page.getByRole('button', { name: 'Skip this one: Mei Tanaka' }).click();
  const told = page.getByText('Mei Tanaka is skipped.');
  await seen(told);
  const bar = page.getByRole('region', { name: 'Total and saving' });
  await eventually(async () => {
    const [above, below] = [await told.boundingBox(), await bar.boundingBox()];
    return above && below && above.y + above.height <= below.y;
  });
  await seen(page.getByRole('button', { name: 'Do not skip' }));
  await seen(page.getByText('1 gift to 1 person in twelve months'));
  await done('a skipped occurrence');
  await page.getByRole('button', { name: 'Do not skip' }).click();
  await seen(page.getByText('2 gifts to 2 people in twelve months'));
});

test('one automation and all of them are paused, with the reason for colleagues', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  const id = await turnOn(workspace);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open(`/automations/${id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause “Birthdays”?' });
  await dialog.getByLabel('Why, for your colleagues').fill('until the new leads have met');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await seen(page.getByText('“Birthdays” is paused.'));
  await open('/automations');
  await seen(page.getByText(/“until the new leads have met”/));
  await page.getByRole('button', { name: 'Pause all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause all' }).click();
  await seen(page.getByText('All automations are paused. Nothing goes out.'));
  await done('paused');
  assert.equal((await automationsOf(workspace)).isPaused, true);
  await page.getByRole('button', { name: 'Resume all' }).click();
  await eventually(
    () => automationsOf(workspace),
    ({ isPaused }) => !isPaused,
  );
});

test('a change shows what it does before it is saved, and can be discarded', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  const id = await turnOn(workspace);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open(`/automations/${id}`);
  await page.getByRole('button', { name: 'Amount: CA$25.00' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('40');
  await page.getByRole('button', { name: 'Done' }).click();
  await seen(page.getByText('2 larger gifts'));
  await seen(page.getByText('+CA$30.00 in twelve months'));
  await seen(page.getByText('Before your change: CA$50.00'));
  await done('a change');
  await page.getByRole('button', { name: 'Discard' }).click();
  await seen(page.getByRole('button', { name: 'Amount: CA$25.00' }));
  await page.getByRole('button', { name: 'Occasion: the birthday' }).click();
  await page.getByRole('combobox', { name: 'Occasion' }).click();
  await page.getByRole('option', { name: 'Work anniversary' }).click();
  await seen(page.getByText('No one has a day in the next twelve months.'));
});

test('an automation is from a person whom one types, and for chosen people', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  const [mei, owen] = workspace.memberIds;
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner });
  await open('/automations/new?template=BIRTHDAY');
  await page.getByRole('button', { name: /^Sender/ }).click();
  await page.getByRole('radio', { name: 'A person' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('mei');
  await page.getByRole('option', { name: /Mei/ }).click();
  await seen(page.getByRole('button', { name: 'Sender: Mei Tanaka' }));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Who/ }).click();
  await page.getByRole('combobox', { name: 'Add' }).click();
  await page.getByRole('option', { name: 'Person', exact: true }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('owen');
  await page.getByRole('option', { name: /Owen/ }).click();
  await seen(page.getByText('1 gift to 1 person in twelve months'));
  await done('a sender and an audience');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await seen(page.getByText('“Birthdays” is turned on.'));
  const { automations } = await automationsOf(workspace);
  assert.partialDeepStrictEqual(automations, [
    { state: 'ON', from: { is: 'MEMBER', memberId: mei }, audience: { include: [{ memberId: owen }], exclude: [] } },
  ]);
});

test('what could not be done says why in words, and the gift is sent when there is money', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people: people.slice(0, 1), language: 'EN_CA' });
  await setBudget(service.database, workspace.id, { currency: 'CAD', amount: 10 });
  const id = await turnOn(workspace, { ifShort: 'WAIT' });
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, ...owner, width: 360 });
  await open('/automations');
  await seen(page.getByText(/^Birthdays: money is short in /));
  await page.getByRole('button', { name: 'A week' }).click();
  await eventually(
    () => occurrencesOf(workspace),
    ([one]) => one?.state === 'NOT_DONE',
  );
  await open(`/automations/happened?only=NOT_DONE&automation=${id}`);
  await seen(page.getByText('The budget had too little money. Add money, then send the gift. The gift is CA$25.00.'));
  await done('not done');
  const [budget] = (await workspace.read<{ budgets: { id: number }[] }>('/api/v1/budgets')).budgets;
  await workspace.call(`/api/v1/budgets/${budget?.id}/grants`, { method: 'POST', body: { amount: 100 } });
  await page.getByRole('button', { name: 'Send the gift to Mei Tanaka' }).click();
  await eventually(
    () => occurrencesOf(workspace),
    ([one]) => one?.state === 'SENT',
  );
});

test('an auditor reads automations and changes nothing', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  const id = await turnOn(workspace);
  const { page, open, done } = await openConsole(service, { workspace: workspace.id, role: 'AUDITOR' });
  await open('/automations');
  await seen(page.getByRole('link', { name: 'Birthdays' }));
  for (const name of ['New automation', 'Pause all', 'A week'])
    assert.equal(await page.getByRole('button', { name }).count(), 0);
  await open(`/automations/${id}`);
  await seen(page.getByText('the birthday', { exact: true }));
  for (const name of [/^Skip/, 'Pause', 'Turn on', /^Amount/])
    assert.equal(await page.getByRole('button', { name }).count(), 0);
  await done('an automation of an auditor');
});

test('nothing is said about automations that could not be read', needsBrowser, async () => {
  const workspace = await openWorkspace(service, { people, language: 'EN_CA' });
  await turnOn(workspace);
  const { page, open } = await openConsole(service, { workspace: workspace.id });
  await page.route('**/api/v1/automations', (route) => route.abort());
  await open('/automations');
  await seen(page.getByRole('alert'));
  assert.equal(await page.getByText('None is on').count(), 0);
});
