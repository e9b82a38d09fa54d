import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../src/ground/database/database.ts';
import { readHistories, readHistoryAge } from '../../src/ground/database/history.ts';
import { moveDatabase } from '../../src/ground/database/move.ts';
import { pools } from '../../src/ground/database/pools.ts';
import { readUnchecked } from '../../src/insight/rights/erase-again.ts';
import { cleanUp } from '../support/cleanup.ts';
import { runJson } from '../support/commands.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire, program, projectDir, shellEnv } from '../support/process.ts';
import { startService } from '../support/service.ts';

const tokenKey = '7:a-key-that-is-long-enough-to-be-accepted-here';
const createEmpty = () => createTestDatabase({ template: 'template0' });
const move = (from: TestDatabase, to: { url: string }, ...more: string[]) =>
  giftwire(['database', 'move', to.url, ...more], { DATABASE_URL: from.url });
const order = () => anOrder({ orderItems: [aGift({ message: 'Merci \\ "ça" \t 🎁\nzwei' })] });

/** A stopped installation with an order, and how to start it again on a database. */
async function createInstallation() {
  const service = await startService({ tokenKey });
  const { requestId } = await service.fulfilled(order());
  const found = await service.call(`/api/v1/orders/${requestId}`);
  await service.stop();
  const { database, workspaceId, token } = service;
  const start = (on: TestDatabase) => startService({ tokenKey, database: on });
  return { database, start, requestId, found: found.body, credential: { workspace: workspaceId, token } };
}

/** Every row of every table but those that say which database it is. */
async function rowsOf(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('histories', 'migrations')`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables)
    rows[name] = (await database.query<{ text: string }>(`select t::text from ${name} t order by 1`, [], 'once')).map(
      ({ text }) => text,
    );
  return rows;
}

async function moveWith(source: TestDatabase, target: TestDatabase, own: Partial<Parameters<typeof moveDatabase>[0]>) {
  const opened = openDatabase({ url: source.url, ...pools.longCommands });
  try {
    return await moveDatabase({
      source: opened,
      targetUrl: target.url,
      onCopied: () => {},
      verify: async () => {},
      ...own,
    });
  } finally {
    await opened.close();
  }
}

describe('an installation that was moved', () => {
  let source: Awaited<ReturnType<typeof createInstallation>>;
  let target: TestDatabase;
  let moved: Awaited<ReturnType<typeof giftwire>>;

  before(async () => {
    source = await createInstallation();
    target = await createEmpty();
    await source.database.query(
      `insert into report_snapshots select id, gen_random_uuid(), 'a', 1, now() from workspaces`,
    );
    moved = await move(source.database, target);
  });

  test('has every row, and says what to do next', async () => {
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /Row counts, checksums, sequences and books agree\.[\s\S]*1\. Set DATABASE_URL/);
    assert.match(moved.stderr, /certificates +1 rows/);
    const { report_snapshots: derived, ...rows } = await rowsOf(source.database);
    assert.equal(derived?.length, 1, 'what can be read again is not copied');
    assert.deepEqual(await rowsOf(target), { ...rows, report_snapshots: [] });
  });

  test('has lost nothing: no alert, and nothing to say about erased people', async () => {
    assert.equal(await readHistoryAge(target), null);
    assert.equal(await readUnchecked(target, null), null);
  });

  test('serves with its links and tokens, and continues with ids that the old database never issues', async () => {
    const service = await source.start(target);
    const found = await service.call(`/api/v1/orders/${source.requestId}`, source.credential);
    assert.deepEqual([found.status, found.body], [200, source.found]);
    const [latest] = await readHistories(target);
    const [before] = await readHistories(source.database);
    assert.match(latest?.reason ?? '', /moved/);
    assert.notEqual(latest?.id, before?.id);
    const next = await service.fulfilled(order());
    assert.ok(Number(next.id) > (latest?.base ?? 0), `${next.id} is above ${latest?.base}`);
    await service.stop();
  });

  test('leaves a database on which nothing starts, which says where it went', async () => {
    const env = { DATABASE_URL: source.database.url };
    const where = new RegExp(`was moved to .*${target.name} on \\d{4}-.*set DATABASE_URL to that database`);
    for (const args of [['order', 'list'], ['migrate'], ['serve'], ['database', 'move', target.url]]) {
      const { code, stderr } = await giftwire(args, env);
      assert.equal(code, 1, args.join(' '));
      if (args[0] !== 'database') assert.match(stderr, where, args.join(' '));
    }
    const doctor = await giftwire(['doctor'], { ...env, PORT: '1' });
    assert.equal(doctor.code, 12);
    assert.match(doctor.stdout, where);
  });

  test('can be used at its old place again, which starts a new history', async () => {
    const env = { DATABASE_URL: source.database.url };
    const unasked = await giftwire(['database', 'reopen'], env);
    assert.match(unasked.stderr, /Add --yes/);
    await assert.rejects(source.start(source.database), /was moved to/);
    await runJson(['database', 'reopen', '--yes'], env);
    const service = await source.start(source.database);
    assert.equal((await service.call(`/api/v1/orders/${source.requestId}`, source.credential)).status, 200);
    const [latest] = await readHistories(source.database);
    assert.match(latest?.reason ?? '', /used again/);
    await service.stop();
    const again = await giftwire(['database', 'reopen', '--yes'], env);
    assert.match(again.stderr, /was not moved/);
  });
});

test('nothing is moved while a node runs', async () => {
  const { database, stop } = await startService();
  const target = await createEmpty();
  const { code, stderr } = await move(database, target);
  assert.equal(code, 1);
  assert.match(stderr, /stop every node/);
  await stop();
  assert.equal((await move(database, target)).code, 0);
});

test('a target that cannot be used is rejected before anything happens, and the source stays usable', async () => {
  const source = await createInstallation();
  const used = await createEmpty();
  await used.query('create table guests (id int)');
  const rejected: [url: string, reason: RegExp][] = [
    [used.url, /is not empty \(it has guests\), and a move never overwrites/],
    [source.database.url, /is not empty/],
    [used.url.replace(used.name, 'missing'), /create database giftwire/],
    ['postgres://giftwire@127.0.0.1:1/giftwire', /The target cannot be reached \(.*ECONNREFUSED.*check its URL/],
    ['mysql://db/giftwire', /must look like postgres:/],
  ];
  for (const [url, reason] of rejected) {
    const { code, stderr } = await move(source.database, { url });
    assert.notEqual(code, 0);
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /DATABASE_URL/);
  }
  const service = await source.start(source.database);
  await service.fulfilled(order());
});

test('a move that is interrupted while it copies leaves an empty target and a usable source', async () => {
  const source = await createInstallation();
  const target = await createEmpty();
  const interrupt = () => {
    throw new Error('interrupted');
  };
  await assert.rejects(moveWith(source.database, target, { onCopied: interrupt }), /interrupted/);
  assert.deepEqual(await rowsOf(target), {});
  const service = await source.start(source.database);
  await service.stop();
  assert.equal((await move(source.database, target)).code, 0);
});

test('a copy that was not verified to its end is recognizable, serves nobody, and is filled again', async () => {
  const source = await createInstallation();
  const target = await createEmpty();
  const verify = () => Promise.reject(new Error('interrupted'));
  await assert.rejects(moveWith(source.database, target, { verify }), /interrupted/);
  await assert.rejects(source.start(target), /This database is an incomplete copy: run "giftwire database move" again/);
  const service = await source.start(source.database);
  await service.fulfilled(order());
  await service.stop();
  const moved = await move(source.database, target);
  assert.equal(moved.code, 0, moved.stderr);
  assert.deepEqual(await rowsOf(target), await rowsOf(source.database));
});

test('a move that was killed after the source was marked can be repeated', async () => {
  const source = await createInstallation();
  const target = await createEmpty();
  assert.equal((await move(source.database, target)).code, 0);
  const [mark] = await source.database.query<{ id: string }>(
    `select substring(name from 'move (.*)$') as id from migrations where name like 'moved to %'`,
  );
  await target.query(
    `insert into migrations (name, run_on) values ('incomplete copy of another database, move ' || $1, now())`,
    [mark?.id],
  );
  const again = await move(source.database, target, '--json');
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(await rowsOf(target), await rowsOf(source.database));
  await (await source.start(target)).stop();
});

test('an incomplete copy is not opened after another move has closed the source', async () => {
  const source = await createInstallation();
  const [first, second] = [await createEmpty(), await createEmpty()];
  const verify = () => Promise.reject(new Error('interrupted'));
  await assert.rejects(moveWith(source.database, second, { verify }), /interrupted/);
  assert.equal((await move(source.database, first)).code, 0);
  const again = await move(source.database, second);
  assert.equal(again.code, 1);
  assert.match(again.stderr, new RegExp(`was moved to .*${first.name} on`));
  await assert.rejects(source.start(second), /is an incomplete copy/);
  await (await source.start(first)).stop();
});

test('of two moves to different places at the same time, one closes the source', async () => {
  const source = await createInstallation();
  const targets = [await createEmpty(), await createEmpty()];
  const ends = await Promise.allSettled(targets.map((target) => moveWith(source.database, target, {})));
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('tables that are not Giftwire’s are left out and named, and the URL can come from standard input', async () => {
  const source = await createInstallation();
  const target = await createEmpty();
  await source.database.query('create table guests (id serial primary key)');
  await source.database.query('insert into guests default values');
  const child = spawn(process.execPath, [program, 'database', 'move', '-'], {
    cwd: projectDir,
    env: shellEnv({ DATABASE_URL: source.database.url }),
  });
  child.stdin.end(`${target.url}\n`);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Left out tables that are not Giftwire's: guests\./);
  const { guests, ...rows } = await rowsOf(source.database);
  assert.equal(guests?.length, 1);
  assert.deepEqual(await rowsOf(target), rows);
});

test('nothing is written to the source, and no node starts on it, while it is copied', async () => {
  const source = await createInstallation();
  const target = await createEmpty();
  const writer = openDatabase({ url: source.database.url, ...pools.commands, lockTimeoutMs: 50 });
  cleanUp(() => writer.close());
  const seen: unknown[] = [];
  await moveWith(source.database, target, {
    async verify() {
      for (const sql of [`update workspaces set name = 'Late'`, 'select count(*) from migrations'])
        seen.push(await writer.query(sql).catch((error) => error.cause?.code));
    },
  });
  assert.deepEqual(seen, ['55P03', '55P03']);
});
