import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeForgottenImports } from '../../src/company/import/open-imports.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { openImports } from '../support/imports.ts';
import { program, projectDir, shellEnv } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const folder = await mkdtemp(join(tmpdir(), 'giftwire-imports-'));
cleanUp(() => rm(folder, { recursive: true }));

interface Imported {
  type: string;
  data: { importId: string; complete: boolean } & Record<string, unknown>;
}

async function open() {
  const imports = await openImports(service);
  const read = () =>
    database.query<Imported>('select type, data from events where workspace_id = $1 order by number', [
      imports.workspaceId,
    ]);
  const waiting = () => database.query('select from open_imports where workspace_id = $1', [imports.workspaceId]);
  /** What the last event says, without its id. */
  const last = async (): Promise<Record<string, unknown>> => {
    const { importId: _id, ...said } = (await read()).at(-1)?.data ?? { importId: '' };
    return said;
  };
  return { ...imports, read, last, waiting };
}

const zero = { added: 0, changed: 0, left: 0, returned: 0 };
const person = (nth: number, status = 'active', manager = '') => `p${nth}@example.com,${status},${manager}\n`;
const file = (rows: string[]) => `email,status,manager\n${rows.join('')}`;
const people = (count: number, manager = '') =>
  Array.from({ length: count }, (_, nth) => person(nth, 'active', manager));

test('an import is one event with its counts, over all its batches, and none if it changes nothing', async () => {
  const { take, read, last, waiting } = await open();
  const first = file([...people(2_100, 'p2099@example.com')]);
  await take(first);
  assert.deepEqual(await last(), { ...zero, added: 2_100, complete: true });
  await take(first);
  assert.equal((await read()).length, 1, 'nothing changed');
  await take(file([person(1, 'left'), person(2, 'left'), person(3, 'active', 'p2@example.com')]));
  assert.deepEqual(await last(), { ...zero, changed: 3, left: 2, complete: true });
  await take(file([person(1, 'active'), person(5_000, 'left')]));
  assert.deepEqual(await last(), { ...zero, added: 1, changed: 1, returned: 1, complete: true });
  const events = await read();
  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(['members.imported']));
  assert.equal(new Set(events.map(({ data }) => data.importId)).size, 3);
  assert.deepEqual(await waiting(), []);
});

test('a dry run has no event', async () => {
  const { take, read, waiting } = await open();
  await take(file(people(3)), { isDryRun: true });
  assert.deepEqual([await read(), await waiting()], [[], []]);
});

test('an import that is stopped, or fails on the way, says so with what it has done', async () => {
  const { take, read, last, waiting } = await open();
  async function* failing() {
    yield Buffer.from(file(people(2_500)));
    throw new Error('the disk is gone');
  }
  await take(failing());
  assert.deepEqual(await last(), { ...zero, added: 2_000, complete: false });
  const stop = new AbortController();
  async function* stopping() {
    yield Buffer.from(file(people(4_500)));
    await eventually(async () => (await waiting()).length > 0);
    stop.abort();
  }
  await take(stopping(), { signal: stop.signal });
  assert.equal((await read()).length, 2);
  assert.deepEqual(await last(), { ...zero, added: 2_000, complete: false });
  assert.deepEqual(await waiting(), []);
});

test('a batch that is rolled back is not counted', async () => {
  const { workspaceId, take, last } = await open();
  await database.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await database.query(
    `create trigger refuse before insert on members for each row
       when (new.workspace_id = ${workspaceId} and new.email = 'p2100@example.com') execute function refuse()`,
  );
  const { stopped } = await take(file(people(2_500)));
  assert.match(String(stopped?.error), /refused/);
  assert.deepEqual(await last(), { ...zero, added: 2_000, complete: false });
  await database.query('drop trigger refuse on members');
});

// Where the process is killed: after the rows, in the middle of the managers, in the middle of the leavers.
const steps: [string, (on: Queryable, workspaceId: number) => Promise<boolean>][] = [
  ['rows', async (on, id) => (await count(on, id, 'true')) > 2_100],
  ['managers', async (on, id) => (await count(on, id, 'manager_id is not null')) > 0],
  ['leavers', async (on, id) => (await count(on, id, 'left_at is not null')) > 0],
];

async function count(on: Queryable, workspaceId: number, condition: string): Promise<number> {
  const [row] = await on.query<{ n: number }>(
    `select count(*) as n from members where workspace_id = $1 and ${condition}`,
    [workspaceId],
  );
  return row?.n ?? 0;
}

for (const [name, isThere] of steps)
  test(`an import that is killed among its ${name} has one event, from a worker`, async () => {
    const { workspaceId, take, read, last, waiting } = await open();
    await take(file(people(2_100)));
    const rows = [
      ...Array.from({ length: 2_100 }, (_, nth) => person(nth, 'left')),
      ...Array.from({ length: 2_100 }, (_, nth) => person(3_000 + nth, 'active', 'p9999@example.com')),
      person(9_999),
    ];
    const args = ['members', 'import', '-', '--workspace', String(workspaceId), '--allow-leavers', '5000'];
    const child = spawn(process.execPath, [program, ...args, '--rejected', join(folder, `${name}.csv`)], {
      cwd: projectDir,
      env: shellEnv({ DATABASE_URL: database.url }),
    });
    const closed = once(child, 'close');
    child.stdin.on('error', () => {});
    child.stdin.end(file(rows));
    await eventually(waiting, (imports) => imports.length > 0, { everyMs: 5 });
    await eventually(() => isThere(database, workspaceId), Boolean, { everyMs: 2 });
    child.kill('SIGKILL');
    await closed;
    assert.equal(await closeForgottenImports(database), 0, 'it may still be running');
    await closeForgottenImports(database, 0);
    await closeForgottenImports(database, 0);
    const events = await read();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['members.imported', 'members.imported'],
    );
    const said = await last();
    const [added, left] = [(await count(database, workspaceId, 'true')) - 2_100, 'left_at is not null'];
    assert.equal(said.added, added);
    assert.equal(said.left, await count(database, workspaceId, left));
  });

test('an import that goes on after a worker took it for killed tells the rest in another event', async () => {
  const { take, read } = await open();
  async function* pausing() {
    yield Buffer.from(file(people(2_500)));
    await eventually(async () => (await closeForgottenImports(database, 0)) > 0);
    yield Buffer.from(person(7_000));
  }
  await take(pausing());
  assert.deepEqual(
    (await read()).map(({ data: { added, complete } }) => [added, complete]),
    [
      [2_000, false],
      [501, true],
    ],
  );
});
