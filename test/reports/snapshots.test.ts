import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeOldEvents } from '../../src/company/events/retention.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { Companies } from '../../src/insight/reports/memory/companies.ts';
import { lockSnapshot } from '../../src/insight/reports/memory/snapshots.ts';
import { eventually } from '../support/eventually.ts';
import { contents, contentsNow } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey });
const { database } = service;

const people = ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.com`, department: 'Care' }));

/** A process of a node: the companies that it keeps, which stores every snapshot, and the statements that it sends. */
function startProcess() {
  const statements: string[] = [];
  const noting = (on: Queryable): Queryable => ({
    query: (sql, values, use) => {
      statements.push(sql);
      return on.query(sql, values, use);
    },
  });
  const noted: Database = {
    ...database,
    ...noting(database),
    transaction: (work) => database.transaction((tx) => work(noting(tx))),
  };
  const companies = new Companies(noted, { storedFromRows: 1 });
  const hasReadAll = () => statements.some((sql) => sql.includes('from members m') && sql.includes('order by m.id'));
  const looks = () => statements.filter((sql) => sql.includes('pg_try_advisory_xact_lock')).length;
  return { companies, hasReadAll, looks };
}

type Process = ReturnType<typeof startProcess>;

const know = ({ companies }: Process, workspaceId: number) => companies.ask(workspaceId, contents);

async function open() {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  await workspace.gift({ email: 'a@example.com' }, { email: 'b@example.com' });
  const shoutout = await workspace.given(aShoutout({ recipient: { email: 'c@example.com' } }));
  return { workspace, shoutout };
}

test('a process that starts reads what an earlier one has stored, and is exact at once', async () => {
  const { workspace, shoutout } = await open();
  const first = startProcess();
  await know(first, workspace.id);
  assert.ok(first.hasReadAll());
  const [a, b] = workspace.memberIds as [number, number];
  await workspace.decide(shoutout.id, 'decline');
  await workspace.change(a, { department: 'Sales', active: false, leftOn: '2026-01-01' });
  await workspace.merge(a, b);
  await workspace.gift({ email: 'new@example.com' });
  const second = startProcess();
  assert.deepEqual(await know(second, workspace.id), await contentsNow(database, workspace.id));
  assert.ok(!second.hasReadAll());
});

test('a process that starts while changes arrive agrees with the one that was there before', async () => {
  const { workspace } = await open();
  const before = startProcess();
  await know(before, workspace.id);
  const changes = (async () => {
    for (let nth = 0; nth < 10; nth++) {
      await workspace.change(workspace.memberIds[nth % 4] as number, { department: `Department ${nth}` });
      await workspace.gift({ email: `new${nth}@example.com` });
    }
  })();
  const started = startProcess();
  const asked = async () => {
    for (let nth = 0; nth < 10; nth++) await Promise.all([know(before, workspace.id), know(started, workspace.id)]);
  };
  await Promise.all([changes, asked()]);
  const now = await contentsNow(database, workspace.id);
  assert.deepEqual(await know(before, workspace.id), now);
  assert.deepEqual(await know(started, workspace.id), now);
  assert.ok(!started.hasReadAll());
});

test('of processes that start at the same time, one reads the company', async () => {
  const { workspace } = await open();
  const processes = [1, 2, 3].map(startProcess);
  const known = await Promise.all(processes.map((one) => know(one, workspace.id)));
  assert.equal(processes.filter((one) => one.hasReadAll()).length, 1);
  const now = await contentsNow(database, workspace.id);
  assert.deepEqual(known, [now, now, now]);
});

test('when the process that reads a company is killed, another one reads it', async () => {
  const { workspace } = await open();
  const { promise: isKilled, resolve: kill } = Promise.withResolvers<void>();
  const { promise: holdsLock, resolve: reads } = Promise.withResolvers<void>();
  const killed = database.transaction(async (tx) => {
    assert.ok(await lockSnapshot(tx, workspace.id));
    reads();
    await isKilled;
    throw new Error('killed');
  });
  await holdsLock;
  const other = startProcess();
  const known = know(other, workspace.id);
  await eventually(async () => other.looks() > 2);
  assert.ok(!other.hasReadAll());
  kill();
  await assert.rejects(killed, /killed/);
  assert.deepEqual(await known, await contentsNow(database, workspace.id));
  assert.ok(other.hasReadAll());
});

test('a snapshot that is incomplete or in the format of another version is not used', async () => {
  for (const change of [
    'delete from report_snapshot_parts where workspace_id = $1',
    `update report_snapshots set format = 'other' where workspace_id = $1`,
  ]) {
    const { workspace } = await open();
    await know(startProcess(), workspace.id);
    await database.query(change, [workspace.id]);
    const process = startProcess();
    assert.deepEqual(await know(process, workspace.id), await contentsNow(database, workspace.id));
    assert.ok(process.hasReadAll());
    const next = startProcess();
    await know(next, workspace.id);
    assert.ok(!next.hasReadAll());
  }
});

test('a snapshot is not used once events after it are gone', async () => {
  const { workspace } = await open();
  await know(startProcess(), workspace.id);
  await workspace.change(workspace.memberIds[0] as number, { department: 'Sales' });
  await database.query(`update events set created_at = created_at - interval '900 days' where workspace_id = $1`, [
    workspace.id,
  ]);
  await removeOldEvents(database, 400);
  const process = startProcess();
  assert.deepEqual(await know(process, workspace.id), await contentsNow(database, workspace.id));
  assert.ok(process.hasReadAll());
});

test('the next start reads the companies first whose reports were read last, without a sign-in', async () => {
  const { workspace: earlier } = await open();
  const { workspace: later } = await open();
  for (const { id } of [earlier, later]) await know(startProcess(), id);
  await database.query(`update report_snapshots set read_at = now() - interval '2 days'`);
  await know(startProcess(), later.id);
  await eventually(async () => {
    const [latest] = await database.query<{ id: number }>(
      'select workspace_id as id from report_snapshots order by read_at desc limit 1',
    );
    return latest?.id === later.id;
  });
  const node = await startService({ database, tokenKey, logLevel: 'debug' });
  const line = await eventually(async () => node.logLines().find(({ msg }) => msg === 'Reports were read ahead.'));
  const read = line.workspaces as number[];
  assert.equal(read[0], later.id);
  assert.ok(read.includes(earlier.id));
});
