import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { engineOn, openAutomations, person } from '../support/automation-runs.ts';
import { startService } from '../support/service.ts';

const service = await startService({ role: 'api' });
const open = (...people: Parameters<typeof person>[]) =>
  openAutomations(service, { people: people.map((one) => person(...one)) });

test('a birthday is paid on its day, once a year, whatever runs again', async () => {
  const company = await open(['Ana'], ['Ben']);
  const [ana] = company.memberIds as [number];
  const day = await company.day(3);
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, birthday: day.slice(5) }]));
  await company.on();
  await company.run();
  assert.deepEqual(await company.gifts(), []);
  await company.pass(2);
  assert.deepEqual(await company.gifts(), []);
  await company.pass(1);
  const gift = { to: 'ana@example.com', amount: 25, message: 'Happy birthday, Ana!' };
  const [sent] = await company.gifts();
  assert.partialDeepStrictEqual(sent, gift);
  await company.run();
  await company.run(engineOn(service.database));
  await company.pass(30);
  assert.equal((await company.gifts()).length, 1);
  assert.partialDeepStrictEqual(await company.rows(), [{ forDay: day, state: 'SENT', daysLate: 0 }]);
  await company.pass(340);
  assert.equal((await company.gifts()).length, 2);
});

test('two workers at the same time pay once', async () => {
  const company = await open(['Ana'], ['Ben'], ['Cai'], ['Dee']);
  const day = await company.day(1);
  await company.under((tx) =>
    updateMembers(
      tx,
      company.id,
      company.memberIds.map((id) => ({ id, birthday: day.slice(5) })),
    ),
  );
  await company.on();
  await company.miss(1);
  await Promise.all([company.run(), company.run(engineOn(service.database)), company.run(engineOn(service.database))]);
  await company.run();
  assert.deepEqual(
    (await company.gifts()).map(({ to }) => to),
    ['ana@example.com', 'ben@example.com', 'cai@example.com', 'dee@example.com'],
  );
});

test('a corrected date, a merged record and a returning leaver are not paid again in the same year', async () => {
  const company = await open(['Ana'], ['Ana2']);
  const [ana, twin] = company.memberIds as [number, number];
  const [first, later] = [await company.day(2), await company.day(20)];
  const correct = (id: number, day: string) =>
    company.under((tx) => updateMembers(tx, company.id, [{ id, birthday: day.slice(5) }]));
  await correct(ana, first);
  await company.on();
  await company.pass(4);
  assert.equal((await company.gifts()).length, 1);
  await company.under((tx) => mergeMembers(tx, theService, company.id, ana, twin));
  await correct(twin, later);
  await company.pass(30);
  assert.equal((await company.gifts()).length, 1);
  assert.partialDeepStrictEqual(await company.rows(), [
    { forDay: first, state: 'SENT' },
    { forDay: later, state: 'SKIPPED', reason: 'ALREADY_DONE' },
  ]);
});

test('a rule that changes, pauses and continues pays nothing twice, and nothing for the days of its pause', async () => {
  const company = await open(['Ana'], ['Ben']);
  const [ana, ben] = company.memberIds as [number, number];
  const [first, paused] = [await company.day(1), await company.day(5)];
  await company.under((tx) =>
    updateMembers(tx, company.id, [
      { id: ana, birthday: first.slice(5) },
      { id: ben, birthday: paused.slice(5) },
    ]),
  );
  const id = await company.on();
  await company.pass(2);
  await company.change(id, { action: { is: 'GIFT', currency: 'CAD', amount: 40 }, hour: 3 });
  await company.pass(1);
  await company.change(id, { state: 'PAUSED' });
  await company.pass(4);
  await company.change(id, { state: 'ON' });
  await company.pass(3);
  assert.deepEqual(
    (await company.gifts()).map(({ to, amount }) => [to, amount]),
    [['ana@example.com', 25]],
  );
});

test('a draft does nothing, and one that is turned on does nothing for the past', async () => {
  const company = await open(['Ana'], ['Ben']);
  const [ana, ben] = company.memberIds as [number, number];
  const [past, next] = [await company.day(1), await company.day(4)];
  await company.under((tx) =>
    updateMembers(tx, company.id, [
      { id: ana, birthday: past.slice(5) },
      { id: ben, birthday: next.slice(5) },
    ]),
  );
  const id = await company.add();
  await company.pass(2);
  assert.deepEqual(await company.rows(), []);
  await company.change(id, { state: 'ON' });
  await company.run();
  assert.deepEqual(await company.rows(), []);
  await company.pass(3);
  assert.partialDeepStrictEqual(await company.rows(), [{ memberId: ben, state: 'SENT' }]);
});

test('time that is moved stops after a day when its limit is reached, says what is left, and continues there', async () => {
  const company = await openAutomations(service, { people: [person('ada')] });
  const days = await Promise.all([1, 2, 3].map(company.day));
  for (const monthDay of days) await company.on({ trigger: { is: 'YEARLY', monthDay: monthDay.slice(5) } });
  assert.equal(await company.pass(3, 0), 2 * 86_400);
  assert.deepEqual(
    (await company.rows()).map(({ forDay }) => forDay),
    days.slice(0, 1),
  );
  assert.equal(await company.pass(2), 0);
  assert.deepEqual(
    (await company.rows()).map(({ forDay, daysLate }) => [forDay, daysLate]),
    days.map((day) => [day, 0]),
  );
});
