import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { openBefore } from '../support/earlier-schema.ts';

test('a person of records that were merged is counted from the first day of them', async () => {
  const database = await openBefore('0026', 'it has people without search texts');
  await database.query(`insert into teams (workspace_id, id, name) values (1, 1, 'Everyone')`);
  const days = ['2026-03-01', '2026-01-01', '2026-02-01', '2026-05-01', '2026-06-01'];
  for (const [nth, day] of days.entries())
    await database.query(`insert into members (workspace_id, id, team_id, created_at) values (1, $1, 1, $2)`, [
      nth + 1,
      day,
    ]);
  await database.query('update members set merged_into = 1 where id in (2, 3)');
  await database.query('update members set merged_into = 4 where id = 5');
  await migrate(database);
  const rows = await database.query<{ day: string }>(
    `select (created_at at time zone current_setting('TimeZone'))::date::text as day from members order by id`,
  );
  assert.deepEqual(
    rows.map(({ day }) => day),
    ['2026-01-01', '2026-01-01', '2026-02-01', '2026-05-01', '2026-06-01'],
  );
});
