import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOut } from '../../src/company/directory/kept-out.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { sendAnyway, skipOccurrence } from '../../src/giving/automations/by-hand.ts';
import { addBudget } from '../../src/giving/budgets/manage.ts';
import type { AutomationOutlooks } from '../../src/ground/contract/automation-plan.ts';
import type { OccurrencePage } from '../../src/ground/contract/occurrence.ts';
import type { Overview } from '../../src/ground/contract/overview.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { engineOn, openAutomations, person } from '../support/automation-runs.ts';
import { startService } from '../support/service.ts';

const service = await startService({ role: 'api' });

async function openWithBirthdays(names: string[], inDays = 1) {
  const company = await openAutomations(service, { people: names.map((name) => person(name)) });
  const day = await company.day(inDays);
  const changes = company.memberIds.map((id) => ({ id, birthday: day.slice(5) }));
  await company.under((tx) => updateMembers(tx, company.id, changes));
  return { ...company, forDay: day };
}

/** A database whose nth statement fails after it was sent, as if the process had died. */
function failingAt(database: Database, nth: number): { database: Database; count: () => number } {
  let seen = 0;
  const wrap = (on: Queryable): Queryable =>
    new Proxy(on, {
      get(target, name) {
        const own = Reflect.get(target, name);
        if (name !== 'query') return typeof own === 'function' ? own.bind(target) : own;
        return async (...args: Parameters<Queryable['query']>) => {
          seen += 1;
          if (seen === nth) throw new Error('killed');
          return target.query(...args);
        };
      },
    });
  const wrapped = new Proxy(wrap(database) as Database, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name);
      return (work: (tx: Queryable) => Promise<unknown>) =>
        database.transaction((tx) => {
          // Locks and moments belong to the transaction itself.
          const query = tx.query.bind(tx);
          tx.query = (async (...args: Parameters<Queryable['query']>) => {
            seen += 1;
            if (seen === nth) throw new Error('killed');
            return query(...args);
          }) as Queryable['query'];
          return work(tx);
        });
    },
  });
  return { database: wrapped, count: () => seen };
}

test('a worker that dies at any statement of look and send leaves the same gifts', async () => {
  for (let nth = 1; ; nth += 1) {
    const company = await openWithBirthdays(['Ana', 'Ben']);
    await company.on();
    await company.miss(1);
    const failing = failingAt(service.database, nth);
    const failed = await company.run(engineOn(failing.database)).then(
      () => false,
      () => true,
    );
    await company.run();
    const gifts = (await company.gifts()).map(({ to }) => to);
    assert.deepEqual(gifts, ['ana@example.com', 'ben@example.com'], `statement ${nth}`);
    assert.deepEqual(
      (await company.rows()).map(({ state }) => state),
      ['SENT', 'SENT'],
      `statement ${nth}`,
    );
    if (!failed && failing.count() < nth) break;
  }
});

test('missed days are made up for within the limit, marked as late, and skipped after it', async () => {
  const company = await openWithBirthdays(['Ana'], 1);
  const [late] = await company.addPeople([person('Zoe', { birthday: (await company.day(6)).slice(5) })]);
  await company.on({ catchUpDays: 2 });
  await company.run();
  await company.miss(8);
  await company.run();
  assert.partialDeepStrictEqual(await company.rows(), [
    { memberId: company.memberIds[0], state: 'SKIPPED', reason: 'TOO_LATE' },
    { memberId: late, state: 'SENT', daysLate: 2 },
  ]);
});

test('people who have left or are on leave are skipped, with the reason', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben', 'Cai']);
  const [ana, ben] = company.memberIds as [number, number];
  await company.under((tx) =>
    updateMembers(tx, company.id, [
      { id: ana, active: false },
      { id: ben, leaveStartsOn: company.forDay },
    ]),
  );
  await company.on();
  await company.pass(2);
  const rows = await company.rows();
  assert.deepEqual(
    rows.map(({ state, reason }) => [state, reason]),
    [
      ['SKIPPED', 'HAS_LEFT'],
      ['SKIPPED', 'ON_LEAVE'],
      ['SENT', null],
    ],
  );
});

test('a person who is kept out of automations is skipped, with the reason', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben']);
  const [ana] = company.memberIds as [number];
  await company.under((tx) => keepOut(tx, theService, company.id, ana, null));
  await company.on();
  await company.pass(2);
  assert.deepEqual(
    (await company.rows()).map(({ state, reason }) => [state, reason]),
    [
      ['SKIPPED', 'KEPT_OUT'],
      ['SENT', null],
    ],
  );
});

for (const [ifShort, state] of [
  ['MESSAGE', 'MESSAGE_ONLY'],
  ['WAIT', 'NOT_DONE'],
] as const)
  test(`without money, ${ifShort} leaves ${state}, the others are paid, and the gift can be sent later`, async () => {
    const company = await openWithBirthdays(['Ana', 'Ben', 'Cai']);
    const { budgetId } = await company.under(async (tx) => {
      const budget = await addBudget(tx, theService, company.id, { currency: 'CAD', amount: 60 });
      return { budgetId: budget.id };
    });
    await company.on({ ifShort, budgetId });
    await company.pass(1);
    const rows = await company.rows();
    assert.deepEqual(rows.map((row) => row.state).sort(), [state, 'SENT', 'SENT'].sort());
    const short = rows.find((row) => row.state === state);
    assert.equal(short?.reason, 'NO_MONEY');
    assert.equal(short?.shoutout !== null, ifShort === 'MESSAGE');
    assert.equal((await company.gifts()).length, 2);
    await company.under((tx) => sendAnyway(tx, theService, company.id, short?.id as number));
    await company.run();
    const again = (await company.rows()).find((row) => row.id === short?.id);
    assert.deepEqual([again?.state, again?.shoutout], [state, short?.shoutout]);
  });

test('an occurrence that was skipped by hand does not go out', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben']);
  const id = await company.on();
  const choice = { memberId: company.memberIds[0] as number, forDay: company.forDay };
  await company.under((tx) => skipOccurrence(tx, theService, company.id, id, choice));
  await company.pass(2);
  assert.deepEqual(
    (await company.rows()).map(({ state, reason }) => [state, reason]),
    [
      ['SKIPPED', 'BY_HAND'],
      ['SENT', null],
    ],
  );
});

test('what could not be done is counted for those who see the overview, for 30 days', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben']);
  await company.under((tx) => addBudget(tx, theService, company.id, { currency: 'CAD', amount: 30 }));
  await company.on({ ifShort: 'WAIT' });
  await company.on({ name: 'Message', ifShort: 'MESSAGE' });
  await company.pass(1);
  const count = async () => (await company.read<Overview>('/api/v1/reports/overview')).attention.notDoneOccurrences;
  assert.equal(await count(), 3);
  const { content } = await company.read<OccurrencePage>('/api/v1/automations/occurrences?isIncomplete=true');
  assert.deepEqual(content.map(({ state }) => state).sort(), ['MESSAGE_ONLY', 'MESSAGE_ONLY', 'NOT_DONE']);
  const { outlooks } = await company.read<AutomationOutlooks>('/api/v1/automations/outlook');
  assert.deepEqual(
    outlooks.map(({ notDone }) => notDone),
    [1, 2],
  );
  await company.miss(31);
  assert.equal(await count(), 0);
});

test('the message without its gift is private for a person who hides the day, also if their record was merged meanwhile', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben']);
  const [ana, ben] = company.memberIds as [number, number];
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, birthday: null, hiddenDays: 'BIRTHDAY' }]));
  await company.under((tx) => addBudget(tx, theService, company.id, { currency: 'CAD', amount: 1 }));
  const id = await company.on({ ifShort: 'WAIT' });
  await company.pass(1);
  await company.under((tx) => mergeMembers(tx, theService, company.id, ben, ana));
  await company.change(id, { ifShort: 'MESSAGE' });
  const [row] = await company.rows();
  await company.under((tx) => sendAnyway(tx, theService, company.id, row?.id as number));
  await company.run();
  assert.deepEqual(
    (await company.rows()).map(({ state }) => state),
    ['MESSAGE_ONLY'],
  );
  const shown = `select is_private as "isPrivate", receiver_id as "receiverId" from activities where workspace_id = $1 and type = 'SHOUTOUT'`;
  assert.deepEqual(await service.database.query(shown, [company.id]), [{ isPrivate: true, receiverId: ana }]);
});
