import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../src/ground/database/database.ts';
import { enter, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { findBinaries } from '../../src/ground/database/embedded/binaries.ts';
import { type Files, prepareFolders } from '../../src/ground/database/embedded/cluster.ts';
import { startServer } from '../../src/ground/database/embedded/postmaster.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { openEmbeddedServer } from '../../src/ground/database/embedded/server.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { makeDataDir, postmasterPid } from '../support/process.ts';

function open(url: string): Database {
  const database = openDatabase({ url, name: 'test', maxConnections: 2, statementTimeoutMs: 60_000 });
  cleanUp(() => database.close());
  return database;
}

/** What an attacker could try with SQL injection. */
const attacks = [
  `select pg_read_file('/etc/passwd')`,
  `select pg_read_binary_file('postmaster.pid')`,
  `select pg_ls_dir('/')`,
  `select lo_import('/etc/passwd')`,
  `select lo_export(lo_create(0), '/tmp/giftwire-exported')`,
  `create temp table lines (line text); copy lines from '/etc/passwd'`,
  `copy (select 1) to '/tmp/giftwire-copied'`,
  `copy (select 1) to program 'id'`,
  `create temp table output (line text); copy output from program 'id'`,
  `alter role ${serviceRole} superuser`,
  `alter role ${serviceRole} createdb createrole`,
  `create role other superuser login`,
  `grant ${administrator} to ${serviceRole}`,
  `grant pg_read_server_files to ${serviceRole}`,
  `set role ${administrator}`,
  `set session authorization ${administrator}`,
  `alter system set archive_command = 'id'`,
  `alter database postgres owner to ${serviceRole}`,
  `create database other`,
  `create extension dblink`,
  `create extension postgres_fdw`,
  `create extension file_fdw`,
  `create extension pageinspect`,
  `create function run(text) returns int language c as '/lib/libc.so.6', 'system'`,
  `load '/tmp/other.so'`,
  `update pg_authid set rolsuper = true`,
];

async function assertHarmless(database: Database): Promise<void> {
  for (const sql of attacks)
    await assert.rejects(
      database.pool.query(sql),
      // 42501 insufficient privilege; 0A000 where this build has no such extension.
      ({ code, message }) => /^(42501|0A000)$/.test(code) || assert.fail(`${sql}: ${code} ${message}`),
      sql,
    );
  const [role] = await database.query(
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
            (select count(*) from pg_auth_members where member = pg_roles.oid) as memberships
       from pg_roles where rolname = current_user`,
  );
  const none = {
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
  };
  assert.deepEqual(role, { ...none, memberships: 0 });
}

const dataDir = await makeDataDir();
const server = await openEmbeddedServer({ dataDir, exclusive: true });
cleanUp(server.stop);

test("SQL over the service's connection cannot read files, run programs or take another role", async () => {
  const database = open(server.url);
  await assertHarmless(database);
  await migrate(database);
  await assertHarmless(database);
  const strangers = await database.query(`select rolname from pg_roles where rolsuper and rolname <> $1`, [
    administrator,
  ]);
  assert.deepEqual(strangers, []);
});

test('the server runs without capabilities, and only the system user who runs Giftwire can be its superuser', async () => {
  const status = await readFile(`/proc/${await postmasterPid(dataDir)}/status`, 'utf8').catch(() => null);
  if (status !== null && process.getuid?.() === 0) {
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      assert.match(status, new RegExp(`^${set}:\\s+0+$`, 'm'), set);
    assert.doesNotMatch(status, /^Uid:.*\b0\b/m);
  }
  const socket = new URL(server.url).searchParams.get('host') as string;
  const admin = open(connectionUrl(socket, administrator, 'postgres'));
  const rules = await admin.query(
    `select type, user_name, auth_method from pg_hba_file_rules where error is null order by rule_number`,
  );
  assert.deepEqual(rules, [
    { type: 'local', user_name: [serviceRole], auth_method: 'trust' },
    { type: 'local', user_name: [administrator], auth_method: 'peer' },
  ]);
  await assert.rejects(open(connectionUrl(socket, 'postgres', 'postgres')).pool.query('select 1'), /pg_hba|not exist/);
});

let oldCluster: string | null = null;

/** A cluster of the previous version: the superuser is its only role. */
async function startOldCluster(dataDir: string): Promise<Files> {
  const files = await prepareFolders(dataDir);
  // Made once and copied, because that is faster.
  if (oldCluster === null) oldCluster = await makeOldCluster(files);
  else await promisify(execFile)('cp', ['-a', oldCluster, files.clusterDir]);
  void startServer(files);
  const admin = open(connectionUrl(files.socketDir, 'giftwire', 'postgres'));
  await eventually(() =>
    admin.query('select 1').then(
      () => true,
      () => false,
    ),
  );
  return files;
}

/** Returns where a copy of it is. */
async function makeOldCluster({ account, clusterDir, dataDir }: Files): Promise<string> {
  await mkdir(clusterDir, { mode: 0o700 });
  if (account) await chown(clusterDir, account.uid, account.gid);
  const { cwd, path } = await enter(account, clusterDir);
  const settings = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const args = [`--pgdata=${path}`, '--username=giftwire', ...settings, '--auth-local=trust', '--auth-host=reject'];
  const { initdb } = await findBinaries(account);
  const [code] = await once(spawn(initdb, args, { ...optionsAs(account, cwd), stdio: 'ignore' }), 'exit');
  assert.equal(code, 0);
  const copy = join(dataDir, '../old');
  await promisify(execFile)('cp', ['-a', clusterDir, copy]);
  return copy;
}

const ownersSql = `
  select distinct pg_get_userbyid(relowner) as owner
    from pg_class
   where relnamespace = 'public'::regnamespace
     and oid >= 16384
  union
  select pg_get_userbyid(proowner)
    from pg_proc
   where pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  union
  select pg_get_userbyid(datdba) from pg_database where datname = current_database()`;

test('a cluster of the previous version is taken over once, with all its data', async () => {
  const dataDir = await makeDataDir();
  await chmod(dirname(dataDir), 0o755);
  const { socketDir } = await startOldCluster(dataDir);
  const admin = open(connectionUrl(socketDir, 'giftwire', 'postgres'));
  await admin.pool.query('create database giftwire');
  const old = open(connectionUrl(socketDir, 'giftwire', 'giftwire'));
  await migrate(old);
  await old.query(`insert into installation (environment) values ('test')`);
  await old.query(`create view "An operator's own" as select environment from installation`);
  await old.query(`create type mood as enum ('glad')`);

  for (let start = 0; start < 2; start++) {
    // Several at once, as a service and a command may be.
    const servers = await Promise.all(
      [true, false, false].map((exclusive) => openEmbeddedServer({ dataDir, exclusive })),
    );
    const database = open(servers[0]?.url as string);
    assert.deepEqual(await database.query(`select * from "An operator's own"`), [{ environment: 'test' }]);
    await migrate(database);
    assert.deepEqual(await database.query(ownersSql), [{ owner: serviceRole }]);
    await database.transaction(async (tx) => {
      await tx.query('alter table members add column probe mood');
      await tx.query('alter table members drop column probe');
      await tx.query('analyze members');
    });
    await assertHarmless(database);
    await Promise.all(servers.map((server) => server.stop()));
  }
});

test('a cluster of the previous version whose first start was killed before it made the database is completed', async () => {
  const dataDir = await makeDataDir();
  await startOldCluster(dataDir);
  // Rules of an operator's own are replaced too: they could let everybody be the superuser.
  await writeFile(join(dataDir, 'postgres/pg_hba.conf'), 'local all all trust\n');
  const server = await openEmbeddedServer({ dataDir, exclusive: true });
  cleanUp(server.stop);
  const database = open(server.url);
  await migrate(database);
  await assertHarmless(database);
});
