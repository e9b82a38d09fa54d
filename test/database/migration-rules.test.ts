import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastWithStop, type Migration, readMigration } from '../../src/ground/database/migration-file.ts';
import { migrationsFolder } from '../../src/ground/database/schema.ts';
import { splitStatements } from '../../src/ground/database/statements.ts';
import { findProblems } from '../support/migration-rules.ts';
import { projectDir } from '../support/process.ts';

const migration = (sql: string): Migration => ({
  name: '9999_planted',
  kind: sql.startsWith('-- resumable') ? 'resumable' : 'transaction',
  sql,
  statements: splitStatements(sql),
  needsStop: false,
});
const problemsOf = (sql: string) => findProblems([migration(sql)], (name) => name === 'state');

/** Whether the sources of the newest release name it. Without the history of the repository, they count as naming everything. */
async function readUsedBefore(): Promise<(name: string) => boolean> {
  const releases: Record<string, { commit: string }> = JSON.parse(
    await readFile(join(projectDir, 'test/upgrades/releases.json'), 'utf8'),
  );
  const commit = Object.values(releases).at(-1)?.commit ?? '';
  const args = (name: string) => ['grep', '-qw', name, commit, '--', 'src', ':!src/ground/database/migrations'];
  return (name) => spawnSync('git', args(name), { cwd: projectDir }).status !== 1;
}

/** Why a migration may do what a rule rejects. */
const exceptions: Record<string, string> = {
  '0034_countries_emails_and_teams: rows are filled in the background':
    'a workspace has few teams, and only those are merged whose names look the same and are written differently',
};

test('migrations after 0.7.0 let nodes of two versions serve while they run', async () => {
  const names = (await readdir(migrationsFolder)).sort().map((file) => file.slice(0, -'.sql'.length));
  const later = names.filter((name) => name > lastWithStop);
  const migrations = await Promise.all(later.map((name) => readMigration(migrationsFolder, name)));
  const problems = findProblems(migrations, await readUsedBefore());
  const isException = (problem: string) => Object.keys(exceptions).some((start) => problem.startsWith(start));
  assert.deepEqual(
    problems.filter((problem) => !isException(problem)),
    [],
  );
});

const rejected: Record<string, string> = {
  'an index is built concurrently': 'create index gifts_by_day on certificates (created_at);',
  'concurrently is for resumable files': 'create index concurrently gifts_by_day on certificates (created_at);',
  'a resumable file can run again': '-- resumable\nalter table certificates add column colour text;',
  'no type of a column changes': 'alter table certificates alter column id type text;',
  'a column becomes not null after a validated check': 'alter table members alter column email set not null;',
  'a new column lets the release before write': 'alter table members add column colour text not null;',
  'a new column does not rewrite the table': 'alter table members add column key uuid default gen_random_uuid();',
  'a constraint is added without a look at the rows':
    'alter table members add constraint named check (first_name is not null);',
  'rows are filled in the background': `update certificates set message = '';`,
  'nothing is dropped or renamed that the release before uses': 'alter table certificates drop column state;',
  'no table is locked as a whole': 'lock table members;',
};
for (const [rule, sql] of Object.entries(rejected))
  test(`${rule}: another migration is rejected`, () => {
    assert.match(problemsOf(sql).join('\n'), new RegExp(`^9999_planted: ${rule}`, 'm'));
  });

test('a rename, an insert from a large table and an update in a with are rejected too', () => {
  for (const sql of [
    'alter table members rename column email to address;',
    'alter table members rename to people;',
    'insert into colours select id from members;',
    'with a as (select 1) update members set email = null from a;',
    'alter table members add column team bigint references teams (id);',
  ])
    assert.equal(problemsOf(sql).length, 1, sql);
});

test('a migration that expands is accepted', () => {
  const accepted = [
    `create table colours (workspace_id bigint not null, id bigint not null, name text not null, primary key (workspace_id, id));
     create index colours_by_name on colours (workspace_id, name);
     alter table members add column colour text;
     alter table members add column shade int not null default 0, add column tone text default 'x';
     alter table members add constraint shaded check (shade >= 0) not valid;
     alter table members alter column colour set default 'red';
     update workspaces set name = 'x';
     alter table certificates drop column unused;`,
    `-- resumable
     create unique index concurrently members_by_colour on members (workspace_id, colour);
     alter table members validate constraint shaded;
     alter table members add column if not exists hue text;`,
  ];
  for (const sql of accepted) assert.deepEqual(problemsOf(sql), []);
  const checked = migration('alter table members add constraint c check (colour is not null) not valid;');
  const validated = migration('-- resumable\nalter table members validate constraint c;');
  const set = migration('alter table members alter column colour set not null;');
  assert.deepEqual(
    findProblems([checked, validated, set], () => true),
    [],
  );
});
