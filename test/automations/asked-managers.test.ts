import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateMembers } from '../../src/company/directory/save.ts';
import { writeLine } from '../../src/giving/automations/managers.ts';
import { queueManagerMails } from '../../src/giving/delivery/managers/queue.ts';
import { openAutomations, person } from '../support/automation-runs.ts';
import { startService } from '../support/service.ts';

const service = await startService({ role: 'api' });

test('a manager counts as asked only where an email can reach them', async () => {
  const company = await openAutomations(service, {
    people: [
      person('Lucie'),
      { firstName: 'Omar', lastName: 'Haddad', employeeNumber: '7' },
      ...['Ana', 'Ben', 'Cleo'].map((name) => person(name)),
    ],
  });
  const [lucie, omar, ana, ben, cleo] = company.memberIds as [number, number, number, number, number];
  const birthday = (await company.day(3)).slice(5);
  for (const [id, managerId] of [
    [ana, lucie],
    [ben, omar],
    [cleo, null],
  ] as const)
    await service.database.query('update members set birthday = $2, manager_id = $3 where id = $1', [
      id,
      birthday,
      managerId,
    ]);
  const asked = async () => (await company.rows()).map(({ memberId, state }) => [memberId, state]);
  await company.on({ leadDays: 5 });
  await company.run();
  assert.deepEqual(await asked(), [], 'no emails are sent here');
  const automation = await company.on({ name: 'Others', leadDays: 5 });
  await company.run({ ...company.engine, emailManagers: queueManagerMails });
  assert.ok(automation);
  assert.deepEqual(await asked(), [[ana, 'ASKED']]);
});

test('a manager who was asked keeps the sentence if managers get less time, and it goes out', async () => {
  const company = await openAutomations(service, { people: [person('Lucie'), person('Ana')] });
  const [lucie, ana] = company.memberIds as [number, number];
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, managerId: lucie }]));
  const birthday = (await company.day(6)).slice(5);
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, birthday }]));
  const engine = { ...company.engine, emailManagers: queueManagerMails };
  const id = await company.on({ leadDays: 7 });
  await company.run(engine);
  const [row] = await company.rows();
  assert.equal(row?.state, 'ASKED');
  await company.under((tx) => writeLine(tx, company.id, row?.id as number, 'You carried the launch.'));
  for (const leadDays of [2, 0]) {
    await company.change(id, { leadDays });
    await company.miss(1);
    await company.run(engine);
    assert.partialDeepStrictEqual(await company.rows(), [{ id: row?.id, state: 'ASKED' }]);
  }
  await company.miss(5);
  await company.run(engine);
  assert.match(String((await company.gifts())[0]?.message), /^You carried the launch\./);
});
