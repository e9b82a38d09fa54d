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

test('names and departments that look the same become the same', async () => {
  const database = await openBefore('0033', 'it has people without counts');
  await database.query(`insert into teams (workspace_id, id, name) values (1, 1, 'Everyone')`);
  const people: [string, string | null][] = [
    ['Zoe\u0301', 'Sante\u0301'],
    ['Zoé', 'San\u200bté'],
    ['Zo\u200dé', '\ufeff'],
    ['می\u200cخواهم', null],
  ];
  for (const [nth, [name, department]] of people.entries()) {
    const values = [nth + 1, name, department];
    await database.query(
      `insert into members (workspace_id, id, team_id, first_name, department) values (1, $1, 1, $2, $3)`,
      values,
    );
    await database.query(
      `insert into member_texts (workspace_id, member_id, text) values (1, $1, lower($2))`,
      values.slice(0, 2),
    );
  }
  await migrate(database);
  const rows = await database.query<{ name: string; department: string | null; text: string }>(
    `select m.first_name as name, m.department, btrim(t.text) as text
       from members m join member_texts t on t.workspace_id = m.workspace_id and t.member_id = m.id
      order by m.id`,
  );
  assert.deepEqual(
    rows.map(({ name, department, text }) => [name, department, text]),
    [
      ['Zoé', 'Santé', 'zoé'],
      ['Zoé', 'Santé', 'zoé'],
      ['Zoé', null, 'zoé'],
      ['می\u200cخواهم', null, 'می\u200cخواهم'],
    ],
  );
});

test('teams that look the same become one, except those that an identity provider knows by its own id', async () => {
  const database = await openBefore('0034', 'it has people without counts');
  const teams: [string, string | null][] = [
    ['Everyone', null],
    ['Sante\u0301', null],
    ['Santé', null],
    ['San\u200bté', null],
    ['Zoe\u0301', null],
    ['Sante\ufeff\u0301', 'provider-7'],
    ['\u200b', null],
  ];
  for (const [nth, [name, externalId]] of teams.entries())
    await database.query(`insert into teams (workspace_id, id, name, external_id) values (1, $1, $2, $3)`, [
      nth + 1,
      name,
      externalId,
    ]);
  for (const [id, team] of [1, 2, 3, 4].entries())
    await database.query(`insert into members (workspace_id, id, team_id) values (1, $1, $2)`, [id + 1, team]);
  await database.query(
    `insert into team_members (workspace_id, team_id, member_id) values (1, 2, 2), (1, 3, 3), (1, 4, 4), (1, 3, 4)`,
  );
  await migrate(database);
  const left = await database.query<{ id: number; name: string }>(
    `select id, name from teams where workspace_id = 1 order by id`,
  );
  assert.deepEqual(
    left.map(({ id, name }) => [id, name]),
    [
      [1, 'Everyone'],
      [3, 'Santé'],
      [5, 'Zoé'],
      [6, 'Santé (6)'],
      [7, '7'],
    ],
  );
  const people = await database.query<{ team: number }>(`select team_id as team from members order by id`);
  assert.deepEqual(
    people.map(({ team }) => team),
    [1, 3, 3, 3],
  );
  const memberships = await database.query<{ member: number; team: number }>(
    `select member_id as member, team_id as team from team_members order by member_id`,
  );
  assert.deepEqual(
    memberships.map(({ member, team }) => [member, team]),
    [
      [2, 3],
      [3, 3],
      [4, 3],
    ],
  );
});
