import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { endOfDay, readMoments, startOfDay } from '../../src/company/workspaces/days.ts';
import { updateGiftSettings } from '../../src/company/workspaces/gift-settings.ts';
import { readSpan } from '../../src/company/workspaces/span.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { firstUuidAt } from '../../src/ground/values/uuid.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

test('a day begins with its first moment and ends with its last, in every time zone of two years', async () => {
  const wrong = await database.query(
    `select name, day::date, begins
       from pg_timezone_names,
            generate_series(timestamp '2026-01-01', timestamp '2027-12-31', interval '1 day') as day,
            lateral (select ${startOfDay('day::date', 'name')} as begins, ${endOfDay('day::date', 'name')} as ends offset 0) found
      where name !~ '^(posix|Etc)'
        and ((begins at time zone name)::date <> day::date
             or ((begins - interval '1 microsecond') at time zone name)::date <> day::date - 1
             or ends <> ${startOfDay('(day::date + 1)', 'name')})
      limit 5`,
  );
  assert.deepEqual(wrong, []);
});

test('filters by day begin and end with the first midnight where midnight comes twice', async () => {
  const { id } = await database.transaction((tx) =>
    createWorkspace(tx, theService, { name: 'Azores', language: 'EN_CA', refusesUnknownEmployeeNumbers: false }),
  );
  await database.transaction((tx) => updateGiftSettings(tx, id, { timeZone: 'Atlantic/Azores' }));
  const days = { from: '2027-10-31', to: '2027-10-30' };
  const midnight = Date.parse('2027-10-31T00:00:00Z');
  const moments = await readMoments(database, id, days);
  assert.deepEqual([Date.parse(moments.from), Date.parse(moments.to)], [midnight, midnight]);
  const { first, end } = await readSpan(database, id, days);
  assert.deepEqual([first, end], [firstUuidAt(midnight), firstUuidAt(midnight)]);
});
