import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { checkSchema, migrationsFolder, previousRelease, readSchema } from '../../src/ground/database/schema.ts';
import { Failure } from '../../src/ground/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire, projectDir } from '../support/process.ts';
import { startService } from '../support/service.ts';

const newer = '9999_of_a_newer_version';

async function upgradeByNewerVersion(database: TestDatabase): Promise<void> {
  await database.query('insert into migrations (name, run_on) values ($1, now())', [newer]);
}

test('a database in which the very first migration is still under way counts as new', async () => {
  const database = await createTestDatabase();
  await database.query('delete from migrations');
  assert.equal((await readSchema(database)).isNew, true);
});

test("on a newer version's schema nothing starts, and every command says in one line what to do", async () => {
  const database = await createTestDatabase();
  await upgradeByNewerVersion(database);
  const env = { DATABASE_URL: database.url, PORT: '0', GIFTWIRE_TOKEN_KEY: `1:${'k'.repeat(43)}` };
  const commands = [
    ['serve'],
    ['migrate'],
    ['workspace', 'list'],
    ['workspace', 'create', '--name', 'Acme'],
    ['token', 'revoke', '1'],
    ['members', 'export', '--workspace', '1'],
    ['order', 'show', '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'],
  ];
  for (const args of commands) {
    const { code, stdout, stderr } = await giftwire(args, env);
    const said = `${stdout}${stderr}`.trim();
    assert.equal(code, 1, `${args.join(' ')}: ${said}`);
    assert.match(said, /newer version.*9999_of_a_newer_version.*install that version, or restore the backup/, said);
    assert.equal(said.split('\n').length, 1, said);
  }
  const { code, stdout } = await giftwire(['doctor'], env);
  assert.equal(code, 12);
  assert.match(stdout, /✗ migrations +.*9999_of_a_newer_version\n +→ Install that version/);
});

test('a running node turns unready when the schema is no longer the one it knows', async () => {
  const service = await startService();
  /** Readiness is asked of the database about once a second. */
  const turns = (status: number, detail: string) =>
    eventually(async () => {
      const answer = await service.call<{ checks: Record<string, { detail: string }> }>('/health/ready', {
        token: null,
      });
      return answer.status === status && answer.body.checks.migrations?.detail === detail;
    });
  await turns(200, 'current');
  await checkSchema(service.database);

  const taken = await service.database.query<{ name: string }>('delete from migrations returning name');
  await turns(503, 'pending');
  await assert.rejects(checkSchema(service.database), { kind: 'unavailable' });
  for (const { name } of taken)
    await service.database.query('insert into migrations (name, run_on) values ($1, now())', [name]);
  await turns(200, 'current');

  await upgradeByNewerVersion(service.database);
  await turns(503, 'newer');
  await assert.rejects(checkSchema(service.database), (error) => {
    assert.ok(error instanceof Failure && error.kind === 'unavailable');
    assert.match((error.cause as Error).message, /9999_of_a_newer_version/);
    return true;
  });
});

test("on the next release's schema this version starts, serves and runs commands, and not on the one after", async () => {
  const tokenKey = `1:${'k'.repeat(43)}`;
  const { database } = await startService({ tokenKey });
  const newest = (await readdir(migrationsFolder)).sort().at(-1)?.slice(0, -'.sql'.length);
  const add = (name: string, previous: string | undefined) =>
    database.query('insert into migrations (name, run_on, previous_release) values ($1, now(), $2)', [name, previous]);
  await add('9998_of_the_next_release', newest);
  await checkSchema(database);
  const { pending, next, unknown } = await readSchema(database);
  assert.deepEqual([pending, next, unknown], [[], ['9998_of_the_next_release'], []]);
  await migrate(database);
  const beside = await startService({ databaseUrl: database.url, tokenKey });
  await beside.stop();
  const env = { DATABASE_URL: database.url, PORT: '0', GIFTWIRE_TOKEN_KEY: tokenKey };
  assert.equal((await giftwire(['workspace', 'list'], env)).code, 0);
  assert.match(
    (await giftwire(['doctor'], env)).stdout,
    /– migrations +the next version has run 9998_of_the_next_release/,
  );

  await add(newer, '9998_of_the_next_release');
  await assert.rejects(checkSchema(database), { kind: 'unavailable' });
  await assert.rejects(migrate(database), { kind: 'setup', message: /9998_of_the_next_release, 9999_of_a_newer/ });
});

test('the release that may serve beside this one is the latest in CHANGELOG.md', async () => {
  const changelog = await readFile(join(projectDir, 'CHANGELOG.md'), 'utf8');
  const { version: thisVersion } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
  const [, version, schema] = /^## (\d\S*) – .*, schema (\d{4})$/m.exec(changelog) ?? [];
  const files = (await readdir(migrationsFolder)).sort();
  const name = files.find((file) => file.startsWith(`${schema}_`))?.slice(0, -'.sql'.length);
  // A release itself ends with its own schema, and names the one before.
  if (version !== thisVersion) assert.equal(previousRelease, name);
  else
    assert.equal(files.at(-1), `${name}.sql`, `${version} is released: raise the version before you add a migration`);
});

test('a node that waited for the migration lock checks what the other node has migrated', async () => {
  const database = await createTestDatabase();
  const other = await database.pool.connect();
  await other.query('select pg_advisory_lock($1)', [0x676966_74]);
  const waiting = assert.rejects(migrate(database), { kind: 'setup', message: /9999_of_a_newer_version/ });
  await eventually(async () => {
    const waits = await database.query(`select from pg_stat_activity where datname = current_database()
                                           and query like 'select pg_try_advisory_lock%'`);
    return waits.length > 0;
  });
  await upgradeByNewerVersion(database);
  other.release(true);
  await waiting;
});
