import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { sendAnyway } from '../../src/giving/automations/by-hand.ts';
import { grantMoney } from '../../src/giving/budgets/grants.ts';
import { openAutomations, person } from '../support/automation-runs.ts';
import { setBudget } from '../support/budgets.ts';
import { startService } from '../support/service.ts';

const service = await startService({ role: 'api' });

async function open(names: string[], fields: Parameters<typeof person>[1] = {}) {
  const company = await openAutomations(service, { people: names.map((name) => person(name, fields)) });
  const { database } = service;
  return {
    ...company,
    set: (id: number, change: Parameters<typeof person>[1]) =>
      company.under((tx) => updateMembers(tx, company.id, [{ id, ...change }])),
    /** Hours that pass, with a look after each. */
    async hours(count: number) {
      for (let nth = 0; nth < count; nth += 1) {
        await database.transaction((tx) => advanceClock(tx, company.id, 3_600));
        await company.run();
      }
    },
    outcomes: async () => (await company.rows()).map(({ state, reason }) => [state, reason]),
  };
}

test('a person who moves to a time zone whose day was looked at already is listed, not forgotten', async () => {
  const company = await open(['Ana'], { timeZone: 'Pacific/Pago_Pago' });
  const [ana] = company.memberIds as [number];
  const [other] = await company.addPeople([person('Kim', { timeZone: 'Pacific/Kiritimati' })]);
  assert.ok(other);
  const day = await company.day(3);
  await company.set(ana, { birthday: day.slice(5) });
  await company.on({ catchUpDays: 0, hour: 12 });
  // Noon of that day in Kiritimati is 22:00 UTC of the day before, and in Pago Pago 23:00 UTC of the day itself.
  while ((await company.day(0)) !== day) await company.hours(1);
  await company.hours(2);
  assert.deepEqual(await company.outcomes(), []);
  await company.set(ana, { timeZone: 'Pacific/Kiritimati' });
  await company.hours(30);
  assert.deepEqual(await company.outcomes(), [['SKIPPED', 'TOO_LATE']]);
});

test('a day that was noticed too late does not stand for the corrected one, and each is sent once', async () => {
  const company = await open(['Ana']);
  const [ana] = company.memberIds as [number];
  const [wrong, right] = [await company.day(20), await company.day(40)];
  await company.on({ catchUpDays: 0 });
  await company.pass(21);
  await company.set(ana, { birthday: wrong.slice(5) });
  await company.pass(1);
  assert.deepEqual(await company.outcomes(), [['SKIPPED', 'TOO_LATE']]);
  await company.set(ana, { birthday: right.slice(5) });
  await company.pass(20);
  assert.deepEqual(await company.outcomes(), [
    ['SKIPPED', 'TOO_LATE'],
    ['SENT', null],
  ]);
  const [late] = await company.rows();
  await assert.rejects(
    company.under((tx) => sendAnyway(tx, theService, company.id, late?.id as number)),
    /gone out/,
  );
});

test('what was skipped can be sent by hand', async () => {
  const company = await open(['Ana']);
  const [ana] = company.memberIds as [number];
  await company.set(ana, { birthday: (await company.day(2)).slice(5), leaveStartsOn: await company.day(1) });
  await company.on();
  await company.pass(3);
  assert.deepEqual(await company.outcomes(), [['SKIPPED', 'ON_LEAVE']]);
  const [skipped] = await company.rows();
  await company.under((tx) => sendAnyway(tx, theService, company.id, skipped?.id as number));
  await company.run();
  assert.deepEqual(await company.outcomes(), [['SENT', null]]);
  assert.equal((await company.gifts()).length, 1);
});

test('what two records of a person could not get is sent once by hand, if they were merged since', async () => {
  const company = await open(['Ana', 'Anna']);
  const [ana, anna] = company.memberIds as [number, number];
  for (const id of [ana, anna]) await company.set(id, { birthday: (await company.day(1)).slice(5) });
  const budget = await setBudget(service.database, company.id, { amount: 1 });
  await company.on({ budgetId: budget.id, ifShort: 'WAIT' });
  await company.pass(1);
  await company.under((tx) => mergeMembers(tx, theService, company.id, ana, anna));
  await company.under((tx) =>
    grantMoney(tx, theService, company.id, budget.id, { amount: 100, idempotencyKey: null } as never),
  );
  const [first, second] = await company.rows();
  await company.under((tx) => sendAnyway(tx, theService, company.id, first?.id as number));
  const again = () => company.under((tx) => sendAnyway(tx, theService, company.id, second?.id as number));
  await assert.rejects(again, /goes out now/);
  await company.run();
  await assert.rejects(again, /gone out/);
  assert.equal((await company.gifts()).length, 1);
});

test('a message that was missing is written before it is sent by hand', async () => {
  const company = await open(['Ana']);
  const [ana] = company.memberIds as [number];
  await company.set(ana, { birthday: (await company.day(1)).slice(5) });
  const id = await company.on({ messages: { EN: '{team}' } });
  await company.pass(1);
  assert.deepEqual(await company.outcomes(), [['NOT_DONE', 'NO_MESSAGE']]);
  await company.change(id, { messages: { EN: 'Dear {firstName}' } });
  const [row] = await company.rows();
  await company.under((tx) => sendAnyway(tx, theService, company.id, row?.id as number));
  await company.run();
  assert.deepEqual(
    (await company.gifts()).map(({ message }) => message),
    ['Dear Ana'],
  );
});

test('people who left long ago get their gifts from an automation that does not skip them', async () => {
  const company = await open(['Ana'], {});
  const [ana] = company.memberIds as [number];
  await company.set(ana, { birthday: (await company.day(400)).slice(5), active: false });
  await company.on({ skipsLeft: false, action: { is: 'SHOUTOUT' } });
  await company.miss(395);
  await company.run();
  await company.pass(10);
  assert.equal((await company.rows()).filter(({ state }) => state !== 'SKIPPED').length, 1);
});

test('a message that is too long is cut between two characters', async () => {
  const company = await open(['Ana']);
  const [ana] = company.memberIds as [number];
  await company.set(ana, { birthday: (await company.day(1)).slice(5) });
  await company.on({ messages: { EN: `{firstName} ${'🎉'.repeat(499)}${'🎂'.repeat(495)}{firstName} 🎈🎈` } });
  await company.pass(1);
  const [gift] = await company.gifts();
  assert.equal([...(gift?.message ?? '')].length, 1_000);
});
