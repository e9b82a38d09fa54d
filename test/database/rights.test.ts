import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { administer, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire, projectDir } from '../support/process.ts';
import { startService } from '../support/service.ts';

/** Each of the file's databases has roles of its own, because roles belong to the whole server. */
async function addRole(database: TestDatabase, kind: string): Promise<{ role: string; url: string }> {
  const role = `${database.name}_${kind}`;
  await administer(`create role ${role} login`);
  return { role, url: database.url.replace(`${serviceRole}@`, `${role}@`) };
}

async function refused(url: string, expected: RegExp): Promise<void> {
  for (const args of [['serve'], ['migrate'], ['workspace', 'list']]) {
    const { code, stdout, stderr } = await giftwire(args, { DATABASE_URL: url, PORT: '0' });
    const said = `${stdout}${stderr}`;
    assert.equal(code, 1, said);
    assert.match(said, expected);
    const lines = said
      .trim()
      .split('\n')
      .filter((line) => !line.includes('First start: creating the tables.'));
    assert.equal(lines.length, 1, said);
  }
}

test('a role that may not create the schema is told which grants it needs, and they are enough', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  const { role, url } = await addRole(database, 'stranger');
  const grants = `grant create on database ${database.name} to ${role}; grant usage, create on schema public to ${role}`;
  await refused(url, new RegExp(`"${grants}"`));
  const findings = await giftwire(['doctor'], { DATABASE_URL: url, PORT: '1' });
  assert.equal(findings.code, 12);
  await database.pool.query(grants);
  const { code, stderr } = await giftwire(['migrate'], { DATABASE_URL: url });
  assert.equal(code, 0, stderr);
});

test('a role that may not connect, an unknown role and a missing database are each reported in one sentence', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  const { role, url } = await addRole(database, 'stranger');
  await database.pool.query(`revoke connect on database ${database.name} from public`);
  await refused(url, /permission denied for database .*"grant connect on database/);
  await refused(url.replace(role, 'nobody_knows'), /role "nobody_knows" does not exist\): correct the user/);
  await refused(database.url.replace(database.name, 'nowhere'), /"nowhere" does not exist.*"create database/);
});

test('a role that owns nothing can run the service with the grants of docs/operate.md', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrate(database);
  const { role, url } = await addRole(database, 'runner');
  await refused(
    url,
    /lacks rights to accounts, .*: connect as giftwire_service, or run the grants of docs\/operate\.md/,
  );

  const guide = await readFile(join(projectDir, 'docs/operate.md'), 'utf8');
  const [, grants = ''] = /## Permissions in the database[\s\S]*?```sql\n([\s\S]*?)```/.exec(guide) ?? [];
  await database.pool.query(grants.replaceAll('giftwire_run', role));

  const service = await startService({ databaseUrl: url, database });
  const { state } = await service.fulfilled(anOrder());
  assert.equal(state, 'COMPLETED');
});
