import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { takeInLate } from '../../src/company/workspaces/audit-chain.ts';
import {
  beginRetention,
  countRemoved,
  type Retention,
  type RowRetention,
  runOf,
  runRetention,
} from '../../src/company/workspaces/retention.ts';
import { previewRetention, setRetention } from '../../src/company/workspaces/retention-settings.ts';
import { openDatabase, type Queryable } from '../../src/ground/database/database.ts';
import { pools } from '../../src/ground/database/pools.ts';
import { removeOldSnapshots } from '../../src/insight/reports/memory/snapshots.ts';
import { retentions } from '../../src/retention.ts';
import { checkLedger } from '../support/budgets.ts';
import { type Json, runJson } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { giftwire } from '../support/process.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';

const { service } = await openGifts();
const { database } = service;
const env = { DATABASE_URL: database.url };

/** The first declaration of each kind. */
const kinds = [...Map.groupBy(retentions, ({ kind }) => kind).values()].map(([first]) => first as Retention);

let made = 0;

/** The same retention with another name, so that the worker leaves it alone. With 0 days everything is old. */
function retentionOf(kind: string, usualDays: number | null): Retention {
  const found = retentions.find((one) => one.kind === kind);
  assert.ok(found, kind);
  return renamed(found, usualDays);
}

const renamed = (one: Retention, usualDays: number | null): Retention => ({
  ...one,
  runsAs: `${one.runsAs ?? one.kind} ${++made}`,
  usualDays,
});

/** Removes everything that is due, in batches. Returns how many rows were removed. */
async function run(retention: Retention, most?: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await runRetention(database, [retention], most);
    if (!batch) return removed;
    removed += batch.removed;
  }
}

const runOnce = (kind: string, days: number | null) => begin(retentionOf(kind, days));

async function begin(retention: Retention): Promise<number> {
  await beginRetention(database, [retention]);
  return run(retention);
}

const countOf = async (table: string, workspaceId: number, where = 'true') => {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from ${table} t where workspace_id = $1 and ${where}`,
    [workspaceId],
  );
  return row?.count as number;
};

test('emails and logs of old gifts are removed, and those of a gift that can be claimed stay', async () => {
  const { workspace, issue, gift, setMail } = await giftsOf(service);
  const people = ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.com` }));
  const [open, claimed, waiting, corrected] = (await issue(...people)) as [number, number, number, number];
  for (const id of [open, claimed, corrected]) await setMail(id, 'SENT');
  await setMail(waiting, 'QUEUED', new Date(Date.now() - 60_000));
  await changeMails(workspace.id, corrected, `address = 'd@new.example.com'`);
  for (const id of [claimed, waiting, corrected]) await claim(database, workspace.id, id);
  const before = await gift(claimed);
  assert.ok(before.timeline.some(({ type }) => type === 'CLAIMED'));
  assert.equal(before.delivery, 'SENT');

  assert.equal(await runOnce('emails', 1), 0);
  assert.equal(await runOnce('gift-log', 1), 0);
  await runOnce('emails', 0);
  await runOnce('gift-log', 0);
  assert.equal((await gift(open)).delivery, 'SENT');
  assert.equal((await gift(waiting)).delivery, 'QUEUED');
  assert.equal((await gift(corrected)).address, 'd@new.example.com');
  const after = await gift(claimed);
  assert.equal(after.delivery, 'NONE');
  assert.ok(!after.timeline.some(({ type }) => type === 'CLAIMED'));
  const rest = { delivery: null, timeline: null, sentAt: null };
  assert.deepEqual({ ...after, ...rest }, { ...before, ...rest });
  assert.equal(await countOf('mails', workspace.id), 3);
});

/** Sets columns of the emails about a gift. */
const changeMails = (workspaceId: number, id: number, set: string, on: Queryable = database) =>
  on.query(
    `update mails m set ${set}
       from certificates c
      where c.workspace_id = $1 and c.id = $2 and m.workspace_id = $1 and m.request_id = c.request_id and m.position = c.position`,
    [workspaceId, id],
  );

test('the ledger agrees after everything is removed that may be, and payroll exports keep their audit entry', async () => {
  const { workspace, issue } = await giftsOf(service);
  await offerSpendingOption(database, workspace.id, 'payroll', { kind: 'PAYROLL', name: 'With the salary' });
  const [gift] = (await issue({ email: 'a@example.com', employeeNumber: 'A-1' })) as [number];
  await claim(database, workspace.id, gift);
  await spend(database, workspace.id, gift, 'payroll');
  const closed = await workspace.call('/api/v1/payroll-exports', { method: 'POST' });
  assert.equal(closed.status, 201, JSON.stringify(closed.body));
  await checkLedger(database);
  for (const one of retentions) await begin(renamed(one, 0));
  assert.equal(await countOf('audit_log', workspace.id, `action <> 'audit.entries_removed'`), 1);
  assert.equal(await countOf('audit_log', workspace.id, `action = 'payroll.exported'`), 1);
  await checkLedger(database);
  const again = await workspace.read<{ state: string }>(`/api/v1/gifts/${gift}`);
  assert.equal(again.state, 'REDEEMED');
});

test('nodes that work at the same time remove each row once, and go on after a crash', async () => {
  const { workspace } = await giftsOf(service);
  await addAttempts(workspace.id, 100);
  const retention = retentionOf('webhook-attempts', 30);
  await beginRetention(database, [retention]);
  const broken = { ...retention, isRemovable: 't.attempted_at < $2::timestamptz and 1 / (t.id - t.id) > 0' };
  await assert.rejects(runAll(broken), /division by zero/);
  assert.equal(await countOf('webhook_attempts', workspace.id), 100);
  const together = await Promise.all([run(retention, 7), run(retention, 7), run(retention, 7)]);
  // A node that meets another's lock looks again later. All three may have met one.
  const rest = await run(retention, 7);
  assert.equal(
    together.reduce((sum, one) => sum + one, rest),
    50,
  );
  assert.equal(await countOf('webhook_attempts', workspace.id), 50);
  assert.equal(await countOf('webhook_attempts', workspace.id, `attempted_at < now() - interval '30 days'`), 0);
  assert.equal(await run(retention), 0);
  assert.ok((await countRemoved(database)).removed >= 50);
});

test('a batch reads no more rows than it looks at, however many there are', async () => {
  const { workspace } = await giftsOf(service);
  await keepFromWorker(workspace.id);
  const { afterPass: _, ...retention } = retentionOf('audit-log', 365) as RowRetention;
  await database.query('insert into retention_runs (workspace_id, kind, next_at) values ($1, $2, now())', [
    workspace.id,
    retention.runsAs,
  ]);
  // Every other entry is about a payroll export, and stays.
  await database.query(
    `insert into audit_log (workspace_id, id, at, actor, action)
     select $1, nextval('audit_ids'), now() - interval '400 days' + n * interval '1 second', 'SYSTEM',
            case when n % 2 = 0 then 'payroll.exported' else 'member.changed' end
       from generate_series(1, 4000) n`,
    [workspace.id],
  );
  while ((await takeInLate(database)) > 0);
  await database.query('update audit_chains set checkpoint_number = number where workspace_id = $1', [workspace.id]);
  await database.query('vacuum audit_log');
  const session = openDatabase({ url: database.url, ...pools.jobs, maxConnections: 1 });
  const read: number[] = [];
  const counting = {
    ...session,
    transaction: <T>(work: (tx: Queryable) => Promise<T>) =>
      session.transaction(async (tx) => {
        const result = await work(tx);
        const [row] = await tx.query<{ rows: number }>(rowsSql);
        read.push(row?.rows ?? Number.NaN);
        return result;
      }),
  };
  let removed = 0;
  for (
    let batch = await runRetention(counting, [retention], 100);
    batch;
    batch = await runRetention(counting, [retention], 100)
  )
    removed += batch.removed;
  await session.close();
  assert.equal(removed, 2_000);
  assert.ok(read.length >= 40);
  // PostgreSQL counts on until it has reported what a session has read.
  const ofEach = read.map(
    (rows, nth) => rows - (nth > 0 && rows >= (read[nth - 1] as number) ? (read[nth - 1] as number) : 0),
  );
  assert.ok(Math.max(...ofEach) < 600, `${ofEach}`);
  await database.query(`delete from audit_log where workspace_id = $1 and action = 'payroll.exported'`, [workspace.id]);
});

const rowsSql = `
  select sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid))::float8 as rows
    from (select 'audit_log'::regclass::oid as oid
           union
          select indexrelid from pg_index where indrelid = 'audit_log'::regclass) read`;

test('a workspace sets how long it keeps a kind, and the next run follows that', async () => {
  const { workspace } = await giftsOf(service);
  await addAttempts(workspace.id, 10);
  const retention = { ...retentionOf('webhook-attempts', null), leastDays: 1 };
  await beginRetention(database, [retention]);
  assert.equal(await run(retention), 0);
  const set = (days: number | null | 'usual') =>
    database.transaction((tx) =>
      setRetention(tx, theService, [retention], workspace.id, [{ kind: retention.kind, days }]),
    );
  await set(30);
  assert.deepEqual(await previewRetention(database, [retention], workspace.id), [{ kind: retention.kind, rows: 5 }]);
  assert.equal(await run(retention), 5);
  assert.deepEqual(await previewRetention(database, [retention], workspace.id), [{ kind: retention.kind, rows: 0 }]);
  await set('usual');
  await addAttempts(workspace.id, 10);
  assert.equal(await run(retention), 0);
});

test('the command lists, sets and previews what a workspace keeps, and the audit log says who set it', async () => {
  const { workspace } = await giftsOf(service);
  const of = ['--workspace', String(workspace.id)];
  const list = await runJson<Json[]>(['retention', 'list', ...of], env);
  assert.deepEqual(
    list.map(({ kind, days, isUsual }) => [kind, days, isUsual]),
    kinds.map(({ kind, usualDays }) => [kind, usualDays, true]),
  );
  const { stdout } = await giftwire(['retention', 'list', ...of], env);
  assert.match(stdout, /^emails: 730 days \(default\), 0 removed so far\n {2}\S.*\n {2}Why: \S.*\n\n/m);
  const set = await runJson<Json[]>(['retention', 'set', 'audit-log', '2555', ...of], env);
  const state = (all: Json[], kind: string) => all.find((one) => one.kind === kind);
  assert.deepEqual([state(set, 'audit-log')?.days, state(set, 'audit-log')?.isUsual], [2_555, false]);
  const always = await runJson<Json[]>(['retention', 'set', 'emails', 'always', ...of], env);
  assert.equal(state(always, 'emails')?.days, null);
  const entries = await workspace.read<{ entries: { action: string; detail: object }[] }>('/api/v1/audit?size=10');
  assert.deepEqual(entries.entries[0]?.detail, { retention: { emails: null } });
  const usual = await runJson<Json[]>(['retention', 'set', 'emails', 'usual', ...of], env);
  assert.equal(state(usual, 'emails')?.days, 730);
  const preview = await runJson<Json[]>(['retention', 'preview', ...of], env);
  assert.deepEqual(
    preview,
    kinds.map(({ kind }) => ({ kind, rows: 0 })),
  );
  for (const [args, message] of [
    [['audit-log', '30'], /audit-log can be kept for 365 to 36500 days/],
    [['orders', '30'], /orders is always kept\. Choose one of: gift-texts, shoutout-texts, emails, approval-emails, /],
    [['emails', 'soon'], /soon is not a number of days/],
  ] as const) {
    const { code, stderr } = await giftwire(['retention', 'set', ...args, ...of], env);
    assert.match(stderr, message);
    assert.equal(code, 2);
  }
});

test('a snapshot of a company whose reports were not read for a month is removed', async () => {
  const { workspace } = await giftsOf(service);
  const add = (age: string) =>
    database.query(
      `insert into report_snapshots (workspace_id, id, format, parts, read_at)
       values ($1, gen_random_uuid(), 'none', 0, now() - $2::interval)`,
      [workspace.id, age],
    );
  await add('29 days');
  await removeOldSnapshots(database);
  assert.equal(await countOf('report_snapshots', workspace.id), 1);
  await database.query(`update report_snapshots set read_at = now() - interval '31 days' where workspace_id = $1`, [
    workspace.id,
  ]);
  await removeOldSnapshots(database);
  assert.equal(await countOf('report_snapshots', workspace.id), 0);
});

test('the command prints the size of tables, and what a gift takes', async () => {
  const { issue } = await giftsOf(service);
  await issue({ email: 'a@example.com' });
  await database.pool.query('analyze');
  const sizes = await runJson<Json & { tables: Json[] }>(['database', 'sizes'], env);
  assert.ok(Number(sizes.gifts) > 0 && Number(sizes.orders) > 0);
  const tables = sizes.tables.map(({ table }) => table);
  assert.ok(tables.includes('certificates') && tables.includes('gift_log'));
  const { stdout } = await giftwire(['database', 'sizes'], env);
  assert.match(stdout, /MB for \d+ gifts in \d+ orders\./);
});

// After the test of the ledger, because these set the state of gifts without their entries.
test('a gift that can be extended or waits for a decision keeps its corrected address, and that no reminders are wanted', async () => {
  const { workspace, issue, gift, setMail, setState } = await giftsOf(service);
  await offerSpendingOption(database, workspace.id, 'charity', { kind: 'HAND', name: 'Charity' });
  const people = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` }));
  const [expired, requested, cancelled] = (await issue(...people)) as [number, number, number];
  for (const id of [expired, requested, cancelled]) {
    await setMail(id, 'SENT');
    await changeMails(workspace.id, id, `address = 'new@example.com'`);
  }
  await database.query(
    `insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
     select workspace_id, request_id, position, 'REMINDER', edition, 0, 'CANCELLED', now()
       from certificates
      where workspace_id = $1 and id = any($2::bigint[])`,
    [workspace.id, [expired, cancelled]],
  );
  await claim(database, workspace.id, requested);
  await spend(database, workspace.id, requested, 'charity');
  assert.equal((await gift(requested)).state, 'REDEEMED');
  await setState(expired, 'EXPIRED');
  await setState(cancelled, 'CANCELLED');
  await runOnce('emails', 0);
  assert.equal((await gift(expired)).address, 'new@example.com');
  assert.equal((await gift(requested)).address, 'new@example.com');
  assert.equal(await countOf('mails', workspace.id, `kind = 'REMINDER' and nth = 0`), 1);
  assert.equal(await countOf('mails', workspace.id), 3);
  await database.query(`update redemptions set state = 'DONE' where workspace_id = $1`, [workspace.id]);
  assert.equal(await runOnce('emails', 0), 1);
});

test('a gift that has expired keeps what became of its email, so that an extension continues from there', async () => {
  const { workspace, issue, gift, setMail, setState, setExpiry } = await giftsOf(service);
  const [sent, withdrawn] = (await issue({ email: 'a@example.com' }, { email: 'b@example.com' })) as [number, number];
  await setMail(sent, 'SENT');
  await setMail(withdrawn, 'CANCELLED');
  for (const id of [sent, withdrawn]) {
    await setExpiry(id, new Date(Date.now() - 86_400_000));
    await setState(id, 'EXPIRED');
  }
  await runOnce('emails', 0);
  assert.equal((await gift(sent)).delivery, 'SENT');
  const body = { expiresOn: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10) };
  for (const id of [sent, withdrawn])
    assert.equal((await workspace.call(`/api/v1/gifts/${id}/extend`, { method: 'POST', body })).status, 200);
  assert.notEqual((await gift(withdrawn)).delivery, 'NONE', 'the email that was withdrawn is due again');
  assert.equal((await gift(sent)).delivery, 'SENT');
});

test('an email that is queued again while it is being removed stays', async () => {
  const { workspace, issue, setMail, setState } = await giftsOf(service);
  const [id] = (await issue({ email: 'a@example.com' })) as [number];
  await setMail(id, 'SENT');
  await setState(id, 'CANCELLED');
  const removal = await database.transaction(async (tx) => {
    await changeMails(workspace.id, id, `state = 'QUEUED'`, tx);
    const run = runOnce('emails', 0);
    await eventually(
      () =>
        database.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%with seen as%'
                               and datname = current_database()`),
      (waiting) => waiting.length > 0,
    );
    return { run };
  });
  await removal.run;
  assert.equal(await countOf('mails', workspace.id, `state = 'QUEUED'`), 1);
});

/** Failed attempts of a webhook: half of them are 60 days old. */
/** The worker finds that it has looked through this workspace already. */
async function keepFromWorker(workspaceId: number): Promise<void> {
  await database.query(
    `insert into retention_runs (workspace_id, kind, next_at)
     select $1, unnest($2::text[]), 'infinity'
         on conflict (workspace_id, kind) do update set next_at = excluded.next_at`,
    [workspaceId, retentions.map(runOf)],
  );
}

async function addAttempts(workspaceId: number, count: number): Promise<void> {
  await keepFromWorker(workspaceId);
  await database.query(
    `with webhook as (
       insert into webhooks (workspace_id, id, url, types, ordering, key_version, secret_version, cursor, created_at, disabled_at)
       select $1, 1, 'https://example.com', '{}', 'none', 1, 1, 0, now(), now()
           on conflict do nothing
     )
     insert into webhook_attempts (workspace_id, webhook_id, id, number, attempted_at, duration_ms, error)
     select $1, 1, nextval('webhook_attempt_ids'), n, now() - interval '1 day' * case when n % 2 = 0 then 60 else 1 end, 5, 'refused'
       from generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

async function runAll(retention: Retention): Promise<void> {
  while (await runRetention(database, [retention]));
}
