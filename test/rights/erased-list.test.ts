import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Queryable } from '../../src/ground/database/database.ts';
import { type KeptList, keepErasedList } from '../../src/insight/rights/erased-list.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

/** A folder, and a process that keeps the list in it. */
async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-list-'));
  cleanUp(() => rm(folder, { recursive: true }));
  let kept: KeptList | null = null;
  let read: unknown[] = [];
  let hour = 0;
  const on: Queryable = Object.assign(Object.create(database), {
    async query(sql: string, ...rest: []) {
      const rows = await database.query(sql.replace("date_trunc('hour', now())", `'hour ${hour}'`), ...rest);
      if (sql.includes('from erasures')) read = rows.map((row) => (row as { memberId: number }).memberId);
      return rows;
    },
  });
  return {
    keep: async () => {
      kept = await keepErasedList(on, folder, kept);
      return read;
    },
    letAnHourPass: () => {
      hour++;
    },
    listed: async () => {
      const [name = ''] = await readdir(folder);
      const { erased } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { erased: { memberId: number }[] };
      return erased.map(({ memberId }) => memberId).sort((one, other) => one - other);
    },
  };
}

const erase = (memberId: number, state: string, doneAgo: string | null) =>
  database.query(
    `insert into erasures (workspace_id, member_id, state, requested_by, requested_at, done_at)
     values (1, $1, $2, '{}', now(), now() - $3::interval)`,
    [memberId, state, doneAgo],
  );

test('a process reads all erasures once, then those that are new, and all again after an hour and in another history', async () => {
  await erase(1, 'DONE', '2 days');
  await erase(2, 'WAITING', null);
  const { keep, letAnHourPass, listed } = await openFolder();
  assert.deepEqual(await keep(), [1]);
  assert.deepEqual(await keep(), []);
  await erase(3, 'RUNNING', null);
  await erase(4, 'DONE', '1 second');
  assert.deepEqual((await keep()).sort(), [3, 4]);
  assert.deepEqual(await listed(), [1, 3, 4]);

  // A database that went back in time may have an erasure that this process has not seen, and not have others.
  await erase(5, 'DONE', '3 days');
  await database.query('delete from erasures where member_id = 1');
  assert.ok(!(await keep()).includes(5));
  letAnHourPass();
  await keep();
  assert.deepEqual(await listed(), [1, 3, 4, 5]);
  await erase(6, 'DONE', '3 days');
  await database.query(
    `insert into histories (id, base, started_at, reason)
     select gen_random_uuid(), max(base) + 1000000, now(), 'the data folder was copied' from histories`,
  );
  await keep();
  assert.deepEqual(await listed(), [1, 3, 4, 5, 6]);
});

test('erasures that are new are found through indexes', async () => {
  const plan = await database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const rows = await tx.query<{ 'QUERY PLAN': string }>(
      `explain select * from erasures where state = 'DONE' and done_at >= now() union all select * from erasures where state = 'RUNNING'`,
    );
    return rows.map((row) => row['QUERY PLAN']).join();
  });
  assert.match(plan, /erasures_done/);
  assert.match(plan, /erasures_running/);
});
