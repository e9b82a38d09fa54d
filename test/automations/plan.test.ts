import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToday } from '../../src/company/workspaces/days.ts';
import type { Automation, NewAutomation } from '../../src/ground/contract/automation.ts';
import type { AutomationOutlooks, AutomationPlan } from '../../src/ground/contract/automation-plan.ts';
import { dayNth, dayOf } from '../support/automations-model.ts';
import { setBudget } from '../support/budgets.ts';
import { startService } from '../support/service.ts';
import { type Opening, openWorkspace } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

const birthdays: NewAutomation = {
  name: 'Birthdays',
  trigger: { is: 'BIRTHDAY' },
  action: { is: 'GIFT', currency: 'CAD', amount: 25 },
  messages: { EN: 'Happy birthday, {firstName} of {team}!' },
  onDayOff: 'SAME_DAY',
};

/** A workspace, its today, and functions that ask for plans. */
async function open(opening: Opening = {}) {
  const workspace = await openWorkspace(service, { language: 'EN_CA', ...opening });
  const today = dayOf(await readToday(service.database, workspace.id));
  const post = async <Body>(path: string, body: object, status: number) => {
    const answer = await workspace.call<Body>(`/api/v1/automations${path}`, { method: 'POST', body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  };
  return {
    ...workspace,
    today,
    /** The day after some days, from today on. */
    after: (days: number) => dayNth(today.nth + days).text,
    plan: (terms: NewAutomation, more: object = {}) => post<AutomationPlan>('/plan', { terms, ...more }, 200),
    add: (terms: NewAutomation) => post<Automation>('', terms, 201),
    turnOn: async (id: number) => {
      const path = `/api/v1/automations/${id}`;
      const { body, status } = await workspace.call(path, { method: 'PATCH', body: { state: 'ON' } });
      assert.equal(status, 200, JSON.stringify(body));
    },
    /** What an automation did. */
    did: (automationId: number, memberId: number, forDay: string, state: string, reason: string | null) =>
      service.database.query(
        `insert into occurrences (workspace_id, automation_id, member_id, for_day, state, reason, due_at, at)
         values ($1, $2, $3, $4::date, $5, $6, $4::date, now())`,
        [workspace.id, automationId, memberId, forDay, state, reason],
      ),
  };
}

test('a plan begins with the current month, and ends with the same one a year later', async () => {
  const { plan, today } = await open();
  const { months, total, missed, passed } = await plan(birthdays);
  const [year, month] = today.text.split('-');
  assert.deepEqual(
    [months.length, months[0]?.month, months.at(-1)?.month],
    [13, `${year}-${month}`, `${Number(year) + 1}-${month}`],
  );
  assert.deepEqual([total, missed, passed], [{ people: 0, occurrences: 0, amount: 0 }, [], []]);
});

test('each day of the year comes once in a plan', async () => {
  const days = Array.from({ length: 365 }, (_, nth) => dayNth(dayOf('2027-01-01').nth + nth).monthDay);
  const { plan } = await open({ people: days.map((birthday, nth) => ({ email: `${nth}@example.com`, birthday })) });
  const { months, total } = await plan(birthdays);
  assert.deepEqual(total, { people: 365, occurrences: 365, amount: 365 * 25 });
  assert.equal(
    months.reduce((sum, { people }) => sum + people, 0),
    365,
  );
});

test('whose hour passed before the automation was turned on is listed, and can be run by hand once', async () => {
  const [hour, timeZone] = [0, 'Asia/Tokyo'];
  const now = dayOf(new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10));
  const people = [now.nth, now.nth - 2].map((nth) => ({
    ...{ email: `${nth}@example.com`, birthday: dayNth(nth).monthDay, timeZone },
  }));
  const { plan, add, turnOn, memberIds, call } = await open({ people });
  const passedOf = async (more: object = {}) =>
    (await plan({ ...birthdays, hour }, more)).passed.map(({ memberId, forDay }) => [memberId, forDay]);
  assert.deepEqual(await passedOf(), [[memberIds[0], now.text]]);
  const { id } = await add({ ...birthdays, hour });
  await turnOn(id);
  assert.deepEqual(await passedOf({ automationId: id }), [[memberIds[0], now.text]]);
  const run = () =>
    call(`/api/v1/automations/${id}/run`, { method: 'POST', body: { memberId: memberIds[0], forDay: now.text } });
  assert.deepEqual([(await run()).status, (await run()).status], [200, 409]);
  assert.deepEqual(await passedOf({ automationId: id }), []);
  assert.equal((await plan({ ...birthdays, hour }, { automationId: id })).total.occurrences, 2);
});

test('people without a date, an address or a value, and those who read another language, are named', async () => {
  const soon = dayNth(dayOf(new Date().toISOString().slice(0, 10)).nth + 60);
  const { plan, memberIds } = await open({
    people: [
      { firstName: 'Ada', email: 'ada@example.com', birthday: dayNth(dayOf('2028-01-01').nth).monthDay },
      { firstName: 'Ben', email: 'ben@example.com' },
      { firstName: 'Cleo', employeeNumber: '3', birthday: soon.monthDay, language: 'ES_MX', timeZone: 'Asia/Tokyo' },
    ],
  });
  const { total, missed, samples, listed } = await plan(birthdays, { month: soon.text.slice(0, 7) });
  assert.deepEqual(total, { people: 2, occurrences: 2, amount: 50 });
  assert.deepEqual(
    missed.map(({ why, what, people, first }) => [why, what, people, first[0]?.firstName]),
    [
      ['NO_DATE', null, 1, 'Ben'],
      ['NO_EMAIL', null, 1, 'Cleo'],
      ['NO_MESSAGE', 'ES', 1, 'Cleo'],
      ['NO_VALUE', 'team', 2, 'Ada'],
    ],
  );
  assert.deepEqual(
    samples.map(({ firstName, language, values }) => [firstName, language, values.firstName, values.team]),
    [['Ada', 'EN', 'Ada', undefined]],
  );
  assert.deepEqual(
    listed.flatMap(({ memberId, dueAt, timeZone, amount }) =>
      memberId === memberIds[2] ? [[dueAt, timeZone, amount]] : [],
    ),
    [[`${dayNth(soon.nth - 1).text}T23:00:00.000Z`, 'Asia/Tokyo', 25]],
  );
});

test('what was skipped by hand is shown as skipped and costs nothing, and what was done is not planned again', async () => {
  const { after, plan, add, memberIds, did } = await open({
    people: ['ada', 'ben'].map((name) => ({ email: `${name}@example.com`, birthday: '08-15' })),
  });
  const { id } = await add(birthdays);
  const [ada = 0, ben = 0] = memberIds;
  const year = after(0).slice(5) < '08-15' ? Number(after(0).slice(0, 4)) : Number(after(0).slice(0, 4)) + 1;
  await did(id, ada, `${year}-08-15`, 'SKIPPED', 'BY_HAND');
  await did(id, ben, `${year}-08-10`, 'SENT', null);
  const { listed, total, difference } = await plan(birthdays, { automationId: id, month: `${year}-08` });
  assert.deepEqual(
    listed.map(({ memberId, isSkipped }) => [memberId, isSkipped]),
    [[ada, true]],
  );
  assert.deepEqual(total, { people: 0, occurrences: 0, amount: 0 });
  assert.deepEqual([difference?.added, difference?.removed, difference?.moved], [0, 0, 0]);
});

test('a change says what it adds, removes, moves, and which gifts get larger or smaller', async () => {
  const hired = (years: number, monthDay: string) => `${new Date().getUTCFullYear() - years}-${monthDay}`;
  const { plan, add } = await open({
    people: ['03-10', '04-10', '05-10'].map((day, nth) => ({
      email: `${nth}@example.com`,
      hireDate: hired(nth + 1, day),
    })),
  });
  const anniversaries: NewAutomation = {
    ...birthdays,
    trigger: { is: 'ANNIVERSARY' },
    action: { is: 'GIFT', currency: 'CAD', byYears: [2, 3, 4].map((years) => ({ years, amount: years * 10 })) },
    messages: { EN: '{years}!' },
  };
  const { id } = await add(anniversaries);
  const later = { ...anniversaries, hour: 9 };
  const { difference: moved } = await plan(later, { automationId: id });
  assert.deepEqual(
    { ...moved, before: moved?.before.amount },
    { before: 90, added: 0, removed: 0, moved: 3, larger: 0, smaller: 0 },
  );
  const tiers = [
    { years: 2, amount: 100 },
    { years: 3, amount: 1 },
  ];
  const action = { ...anniversaries.action, byYears: tiers };
  const { difference, total } = await plan({ ...anniversaries, action }, { automationId: id });
  assert.deepEqual(
    [difference?.added, difference?.removed, difference?.moved, difference?.larger, difference?.smaller, total.amount],
    [0, 1, 0, 1, 1, 101],
  );
});

test('months draw on the budget in turn, with its allowance, after what other automations cost', async () => {
  const { id, plan, add, turnOn, read, today } = await open({
    people: Array.from({ length: 12 }, (_, nth) => ({
      ...{ email: `${nth}@example.com`, birthday: `${String(nth + 1).padStart(2, '0')}-28` },
    })),
  });
  await setBudget(service.database, id, { amount: 60, allowance: { amount: 10, every: 'MONTH' } });
  // Setting an allowance grants the first at once: 70 are there, and each month adds 10.
  const { months } = await plan(birthdays);
  const after28 = today.monthDay.slice(3) >= '28' ? 1 : 0;
  const paid = months.slice(after28, after28 + 5).map(({ amount, short, unpaid }) => [amount, short, unpaid]);
  if (!after28)
    assert.deepEqual(paid, [
      [25, 0, 0],
      [25, 0, 0],
      [25, 0, 0],
      [25, 0, 0],
      [25, 15, 1],
    ]);
  const { id: other } = await add({ ...birthdays, name: 'Others', action: { ...birthdays.action, amount: 20 } });
  await turnOn(other);
  const { months: shared } = await plan(birthdays);
  assert.ok((shared[2]?.available ?? 0) < (months[2]?.available ?? 0));
  const { outlooks } = await read<AutomationOutlooks>('/api/v1/automations/outlook');
  assert.deepEqual(
    [outlooks.length, outlooks[0]?.automationId, outlooks[0]?.waiting, outlooks[0]?.notDone],
    [1, other, 0, 0],
  );
  assert.equal(outlooks[0]?.next?.amount, 20);
  assert.equal(outlooks[0]?.people, outlooks[0]?.soon.length);
  assert.ok((outlooks[0]?.short ?? 0) > 0);
});

test('people who have left, will have left or will be on leave are not planned', async () => {
  const { plan, after, memberIds } = await open({
    people: [
      { email: 'ada@example.com', leavesOn: '2020-01-01' },
      { email: 'ben@example.com' },
      { email: 'cleo@example.com', leaveStartsOn: '2020-01-01' },
    ],
  });
  await service.database.query('update members set birthday = $2, leaves_on = $3 where id = $1', [
    memberIds[0],
    after(40).slice(5),
    after(39),
  ]);
  await service.database.query('update members set birthday = $2 where id = any($1)', [
    memberIds.slice(1),
    after(40).slice(5),
  ]);
  const planned = async (terms: Partial<NewAutomation>) => (await plan({ ...birthdays, ...terms })).total.people;
  assert.equal(await planned({}), 1);
  assert.equal(await planned({ skipsLeft: false }), 2);
  assert.equal(await planned({ skipsLeft: false, skipsOnLeave: false }), 3);
});
