import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createDemo } from '../../src/doors/demo/demo.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { restoreBackup } from '../../src/ground/backup/restore.ts';
import { writeBackup } from '../../src/ground/backup/write.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import { claimEnvironment } from '../../src/ground/database/environment.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire, program, projectDir, shellEnv } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { everyNth } from '../support/seed.ts';
import { readWhole } from '../support/whole-database.ts';

const tokenKey = 'a-key-of-the-tests-for-backups-long-enough';
const folder = await mkdtemp(join(tmpdir(), 'giftwire-killed-'));
cleanUp(() => rm(folder, { recursive: true }));
const demo = await createTestDatabase();
await claimEnvironment(demo, 'test');
await createDemo(demo, giftTokenKeys(parseTokenKeys(tokenKey)), () => {});
const { file } = await writeBackup(demo, join(folder, 'demo.backup'), null);
const rowsOfDemo = await rowsOf(demo);

/** Texts of statements, which the command sends in this sequence. It is killed before or after it sends the last one. */
interface Moment {
  sent: string[];
  when: 'before' | 'after';
}

const mark = 'insert into migrations (name, run_on)';

/** Every row but those that say which database it is. */
async function rowsOf(database: TestDatabase): Promise<Record<string, unknown>> {
  const { histories, backups, migrations, ...whole } = await readWhole(database);
  return whole;
}

/** Runs a command whose connections go through proxies, and kills it at this moment. */
async function killAt(
  { sent, when }: Moment,
  databases: TestDatabase[],
  command: (urls: string[]) => { args: string[]; url: string },
): Promise<void> {
  const left = [...sent];
  const strike = () => {
    for (const proxy of proxies) proxy.become('hangs');
    child.kill('SIGKILL');
  };
  const onSent = (bytes: Buffer) => {
    if (left.length === 0 || !bytes.includes(left[0] as string)) return;
    left.shift();
    if (left.length > 0) return;
    if (when === 'before') strike();
    else setImmediate(strike);
  };
  const proxies = await Promise.all(databases.map(({ url }) => startProxy(url, onSent)));
  const { args, url } = command(proxies.map((proxy) => proxy.url));
  const child = spawn(process.execPath, [program, ...args], {
    cwd: projectDir,
    env: shellEnv({ DATABASE_URL: url, GIFTWIRE_TOKEN_KEY: tokenKey }),
    stdio: 'ignore',
  });
  const [, signal] = await once(child, 'exit');
  assert.deepEqual([left, signal], [[], 'SIGKILL'], 'the command has come to that moment');
  for (const proxy of proxies) proxy.become('refuses');
  for (const database of databases)
    await eventually(async () => {
      const others = `select from pg_stat_activity where datname = current_database() and application_name <> 'giftwire test'`;
      return (await database.query(others)).length === 0;
    });
}

/** What a node would find: nothing, a database that it does not serve on, or one that it serves. Then every row is there. */
async function lookAt(database: TestDatabase): Promise<'empty' | 'closed' | 'whole'> {
  const [tables] = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_class where relnamespace = current_schema()::regnamespace`,
  );
  if (tables?.count === 0) return 'empty';
  const { code, stderr } = await giftwire(['workspace', 'list'], { DATABASE_URL: database.url });
  if (code !== 0) {
    assert.match(stderr, /^This database (was moved to|is an incomplete copy)/);
    return 'closed';
  }
  assert.deepEqual(await rowsOf(database), rowsOfDemo);
  return 'whole';
}

describe('a restore that is killed leaves an empty database, or a whole one, and an empty one can be filled again:', () => {
  const moments: [string, Moment, 'empty' | 'whole'][] = [
    ['while it creates tables', { sent: ['create table certificates'], when: 'before' }, 'empty'],
    ['before the first rows', { sent: ['copy "accounts"'], when: 'before' }, 'empty'],
    ['between rows', { sent: ['copy "ledger_entries"'], when: 'after' }, 'empty'],
    ['while it checks keys', { sent: ['add constraint'], when: 'after' }, 'empty'],
    ['before its commit', { sent: ['set table_oid', 'commit'], when: 'before' }, 'empty'],
    ['after its commit', { sent: ['set table_oid', 'commit'], when: 'after' }, 'whole'],
    ['before the statistics', { sent: ['set table_oid', 'analyze'], when: 'before' }, 'whole'],
  ];
  for (const [name, moment, expected] of everyNth(2, moments))
    test(name, async () => {
      const target = await createTestDatabase({ template: 'template0' });
      await killAt(moment, [target], ([url = '']) => ({ args: ['restore', file, '--unencrypted'], url }));
      assert.equal(await lookAt(target), expected);
      if (expected === 'whole') return;
      const again = await giftwire(['restore', file, '--unencrypted'], { DATABASE_URL: target.url });
      assert.equal(again.code, 0, again.stderr);
      assert.equal(await lookAt(target), 'whole');
    });
});

describe('a move that is killed never leaves two databases that serve, or half of one, and can be repeated:', () => {
  const moments: [string, Moment, [source: string, target: string]][] = [
    ['while it creates tables', { sent: ['create table certificates'], when: 'after' }, ['whole', 'empty']],
    ['between rows', { sent: ['copy "ledger_entries"'], when: 'after' }, ['whole', 'empty']],
    ['before the copy is committed', { sent: [mark, 'commit'], when: 'before' }, ['whole', 'empty']],
    ['after the copy is committed', { sent: [mark, 'commit'], when: 'after' }, ['whole', 'closed']],
    ['while it verifies the copy', { sent: [mark, 'commit', 'ledger_entries'], when: 'after' }, ['whole', 'closed']],
    ['before the source is closed', { sent: [mark, mark, 'commit'], when: 'before' }, ['whole', 'closed']],
    ['after the source is closed', { sent: [mark, mark, 'commit'], when: 'after' }, ['closed', 'closed']],
    [
      'after the copy is opened',
      { sent: [mark, mark, 'commit', 'delete from migrations'], when: 'after' },
      ['closed', 'whole'],
    ],
  ];
  for (const [name, moment, expected] of everyNth(2, moments))
    test(name, async () => {
      const source = await createTestDatabase({ template: 'template0' });
      await restoreBackup(source, file, null, 'test');
      const target = await createTestDatabase({ template: 'template0' });
      await killAt(moment, [source, target], ([from = '', to = '']) => ({ args: ['database', 'move', to], url: from }));
      assert.deepEqual([await lookAt(source), await lookAt(target)], expected);
      if (expected[1] === 'whole') return;
      const again = await giftwire(['database', 'move', target.url], { DATABASE_URL: source.url });
      assert.equal(again.code, 0, again.stderr);
      assert.deepEqual([await lookAt(source), await lookAt(target)], ['closed', 'whole']);
    });
});
