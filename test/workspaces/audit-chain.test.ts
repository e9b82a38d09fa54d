import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backfills } from '../../src/backfills.ts';
import { addPerson, changePerson } from '../../src/company/directory/change.ts';
import { atTheCommandLine, audit, theService } from '../../src/company/workspaces/audit.ts';
import { readAuditHeads, takeInLate } from '../../src/company/workspaces/audit-chain.ts';
import { auditRetention } from '../../src/company/workspaces/audit-retention.ts';
import { verifyAudit } from '../../src/company/workspaces/audit-verify.ts';
import { runBackfill } from '../../src/company/workspaces/backfills.ts';
import { inWorkspace, lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { recordAt } from '../../src/company/workspaces/replayed.ts';
import { beginRetention, runRetention } from '../../src/company/workspaces/retention.ts';
import type { AuditVerification } from '../../src/ground/contract/audit.ts';
import { startHistory } from '../../src/ground/database/history.ts';
import type { AuditAction } from '../../src/ground/values/audit-actions.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { tamper } from '../support/budgets.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const { database } = service;

const note = (workspaceId: number, detail: object = {}, on = database) =>
  on.transaction((tx) =>
    audit(tx, { workspaceId, actor: theService, action: 'settings.changed', detail: { ...detail } }),
  );

/** A workspace with entries of all kinds: a user and a person are named, and a merge has a detail. */
async function openAudited() {
  const workspace = await openWorkspace(service);
  const { id } = workspace;
  await database.transaction((tx) =>
    audit(tx, {
      workspaceId: id,
      actor: { is: 'USER', id: 9_000_000, name: 'Samir Marín' },
      action: 'webhook.added',
      subject: { id: 3, name: 'https://example.com/giftwire' },
      detail: { events: ['gift.claimed'] },
    }),
  );
  await note(id, { giftDays: 30 });
  await note(id, { giftDays: 60 });
  return workspace;
}

const verify = (workspaceId: number, known: string[] = []) => verifyAudit(database, workspaceId, known);
const problems = async (workspaceId: number) => (await verify(workspaceId)).faults.map(({ problem }) => problem);

const afterTampering = (workspaceId: number, sql: string) =>
  tamper(database, sql, async (inside) =>
    (await verifyAudit(inside, workspaceId)).faults.map((fault) => ({ ...fault, budgetId: null })),
  );

/** As a node of the release before writes an entry. */
const writeWithoutChain = (workspaceId: number, count = 1) =>
  database.query(
    `insert into audit_log (workspace_id, id, actor, action) select $1, nextval('audit_ids'), 'SYSTEM', 'settings.changed' from generate_series(1, $2::int)`,
    [workspaceId, count],
  );

test('entries of transactions that run at the same time are one chain without gaps', async () => {
  const { id } = await openAudited();
  const { entries: before } = await verify(id);
  await Promise.all(Array.from({ length: 40 }, (_, nth) => note(id, { nth })));
  const found = await verify(id);
  assert.deepEqual([found.faults, found.entries, found.unchained, found.takenIn], [[], before + 40, 0, 0]);
  const numbers = await database.query<{ number: number }>(
    'select number from audit_log where workspace_id = $1 order by number',
    [id],
  );
  assert.deepEqual(
    numbers.map(({ number }) => number),
    numbers.map((_, nth) => nth + 1),
  );
});

test('an entry of a transaction that is rolled back, or of a part of one, leaves no gap', async () => {
  const { id } = await openAudited();
  await assert.rejects(
    database.transaction(async (tx) => {
      await audit(tx, { workspaceId: id, actor: theService, action: 'settings.changed' });
      throw new Error('no');
    }),
  );
  await database.transaction(async (tx) => {
    await tx.query('savepoint part');
    await audit(tx, { workspaceId: id, actor: theService, action: 'settings.changed' });
    await tx.query('rollback to savepoint part');
    await audit(tx, { workspaceId: id, actor: theService, action: 'settings.changed' });
  });
  assert.deepEqual(await problems(id), []);
});

test('transactions that write to two workspaces in either sequence do not wait for each other for ever', async () => {
  const [one, other] = [await openAudited(), await openAudited()];
  const both = (first: number, second: number) =>
    database.transaction(async (tx) => {
      for (const workspaceId of [first, second])
        await audit(tx, { workspaceId, actor: theService, action: 'settings.changed' });
    });
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (nth % 2 ? both(one.id, other.id) : both(other.id, one.id))),
  );
  assert.deepEqual([await problems(one.id), await problems(other.id)], [[], []]);
});

/** Another value for each column of an entry, as SQL. */
const otherValues: Record<string, string> = {
  workspace_id: '(select min(id) from workspaces)',
  id: `nextval('audit_ids')`,
  at: `at - interval '1 second'`,
  actor: `'CLI'`,
  actor_id: '9000001',
  actor_name: `'Ada Okafor'`,
  action: `'webhook.deleted'`,
  subject_id: `'4'`,
  subject_name: `'https://example.com/other'`,
  detail: `'{"events": []}'`,
  number: '900000',
  previous: 'sha256(previous)',
  hash: 'sha256(hash)',
  text_key: 'sha256(text_key)',
  text_hash: 'sha256(text_hash)',
  taken_in_at: 'now()',
};

test('a change of any column of an entry is found', async () => {
  const { id } = await openAudited();
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'audit_log' and table_schema = current_schema()`,
  );
  assert.deepEqual(columns.map(({ name }) => name).sort(), Object.keys(otherValues).sort());
  for (const [column, value] of Object.entries(otherValues)) {
    const which = `where workspace_id = ${id} and action = 'webhook.added'`;
    const said = await afterTampering(id, `update audit_log set ${column} = ${value} ${which}`);
    assert.notDeepEqual(said, [], `${column} was changed, and nothing was found`);
  }
  for (const column of ['actor_id', 'actor_name', 'subject_id', 'subject_name', 'text_key']) {
    const said = await afterTampering(
      id,
      `update audit_log set ${column} = null where workspace_id = ${id} and action = 'webhook.added'`,
    );
    assert.notDeepEqual(said, [], `${column} was removed, and nothing was found`);
  }
});

test('an entry that was removed, added or moved is found, and so is a chain that was cut', async () => {
  const { id } = await openAudited();
  const of = `where workspace_id = ${id}`;
  const first = `(select min(number) from audit_log ${of})`;
  const last = `(select max(number) from audit_log ${of})`;
  const cases: [string, RegExp][] = [
    [`delete from audit_log ${of} and number = ${first} + 1`, /1 entries before it are missing/],
    [`delete from audit_log ${of} and number = ${first}`, /missing/],
    [`delete from audit_log ${of} and number = ${last}`, /chain ends with entry/],
    [`update audit_chains set number = number + 1 ${of}`, /chain ends with entry/],
    [`update audit_chains set hash = sha256(hash) ${of}`, /chain ends with entry/],
    [`update audit_chains set checkpoint_number = 1, checkpoint_hash = sha256('') ${of}`, /no entry says/],
    [`delete from audit_chains ${of}`, /chain ends with entry/],
    [
      `insert into audit_log (workspace_id, id, actor, action, number) values (${id}, nextval('audit_ids'), 'CLI', 'token.created', ${last} + 1)`,
      /does not have its hash|fields of the entry/,
    ],
  ];
  for (const [sql, expected] of cases) assert.match((await afterTampering(id, sql)).join('\n'), expected, sql);
});

test('a head that was kept proves that the entries before it are the same', async () => {
  const { id } = await openAudited();
  const head = (await readAuditHeads(database)).find(({ workspaceId }) => workspaceId === id)?.head as string;
  await note(id);
  assert.deepEqual((await verify(id, [head])).faults, []);
  assert.match((await verify(id, ['f'.repeat(64)])).faults[0]?.problem as string, /No entry has the head/);
});

test('entries that nodes of the release before write are taken in, and counted', async () => {
  const { id } = await openAudited();
  await writeWithoutChain(id, 3);
  await note(id);
  assert.equal((await verify(id)).unchained, 3);
  while ((await takeInLate(database)) > 0);
  await note(id);
  const { faults, unchained, takenIn, lastTakenInAt } = await verify(id);
  assert.deepEqual([faults, unchained, takenIn], [[], 0, 3]);
  assert.ok(lastTakenInAt instanceof Date);
});

test('the backfill chains what was written before the upgrade, beside writers', async () => {
  const { id } = await openAudited();
  await writeWithoutChain(id, 250);
  const fill = async () => {
    while ((await runBackfill(database, backfills, 40)) !== null);
  };
  await Promise.all([fill(), ...Array.from({ length: 20 }, () => note(id)), takeInLate(database)]);
  while ((await takeInLate(database)) > 0);
  const { faults, unchained, takenIn } = await verify(id);
  assert.deepEqual([faults, unchained, takenIn], [[], 0, 250]);
});

test('an erasure removes names from entries, the log still agrees, and a change afterwards is found', async () => {
  const { id } = await openAudited();
  const named = { firstName: 'Tomás', lastName: 'Rivera', email: 'tomas.rivera@example.com' };
  const member = await inWorkspace(database, id, (tx) => addPerson(tx, atTheCommandLine, id, named));
  await inWorkspace(database, id, (tx) => changePerson(tx, atTheCommandLine, id, member, { department: 'Research' }));
  await note(id, { replyTo: 'tomas.rivera@example.com' });
  await writeWithoutChain(id);
  const keysBefore = await keysOf(id);
  assert.deepEqual(await problems(id), []);

  await database.transaction(async (tx) => {
    await lockWorkspace(tx, id);
    await requestErasure(tx, atTheCommandLine, id, member);
  });
  await database.query('update erasures set due_at = now() where workspace_id = $1', [id]);
  while (await runErasure(database));
  while ((await takeInLate(database)) > 0);

  assert.deepEqual(await problems(id), []);
  const texts = await database.query<{ text: string }>('select a::text from audit_log a where workspace_id = $1', [id]);
  assert.ok(!JSON.stringify(texts).includes('Rivera'));
  const keysAfter = await keysOf(id);
  const changed = [...keysBefore].filter(([number, key]) => keysAfter.get(number) !== key);
  assert.equal(changed.length, 3, 'the entries that named the person have new keys: the old ones are gone');
  const [number] = changed[0] as [number, string];
  const of = `where workspace_id = ${id} and number = ${number}`;
  for (const sql of [
    `update audit_log set actor_id = 7 ${of}`,
    `update audit_log set subject_id = '7' ${of}`,
    `update audit_log set detail = '{"department": "Sales"}' ${of}`,
    `update audit_log set text_key = null ${of}`,
    `delete from audit_log where workspace_id = ${id} and action = 'audit.names_removed'`,
  ])
    assert.notDeepEqual(await afterTampering(id, sql), [], sql);
});

const keysOf = async (workspaceId: number) =>
  new Map(
    (
      await database.query<{ number: number; key: string }>(
        `select number, encode(text_key, 'hex') as key from audit_log where workspace_id = $1 and number is not null`,
        [workspaceId],
      )
    ).map(({ number, key }) => [number, key]),
  );

test('removal by age moves the beginning of the chain, says so in an entry, and keeps what verifications read', async () => {
  const { id } = await openWorkspace(service);
  await forgetEntries(id);
  for (let nth = 0; nth < 12; nth++)
    await noteAt(id, '2020-05-01', nth === 5 ? 'payroll.exported' : 'settings.changed');
  await note(id);
  const everyYear = { ...auditRetention, runsAs: 'test of this file', usualDays: 365 };
  await beginRetention(database, [everyYear]);
  let removed = 0;
  for (let batch = await runRetention(database, [everyYear], 5); batch; ) {
    removed += batch.removed;
    assert.deepEqual(await problems(id), [], `after ${removed}`);
    batch = await runRetention(database, [everyYear], 5);
  }
  const { removedUpTo, entries } = await verify(id);
  assert.deepEqual([removedUpTo >= 12, removed >= 11, entries >= 3], [true, true, true]);
  const kept = await database.query('select distinct action from audit_log where workspace_id = $1 and number <= $2', [
    id,
    removedUpTo,
  ]);
  assert.deepEqual(kept, [{ action: 'payroll.exported' }]);
  const of = (action: string) => `where workspace_id = ${id} and action = '${action}'`;
  for (const sql of [
    `delete from audit_log ${of('audit.entries_removed')}`,
    `update audit_log set actor_id = 5 ${of('payroll.exported')}`,
    `update audit_log set detail = '{}' ${of('audit.entries_removed')}`,
  ])
    assert.notDeepEqual(await afterTampering(id, sql), [], sql);
});

/** The first entries of a workspace are of today, and nothing after them is removed before they are. */
async function forgetEntries(workspaceId: number) {
  await database.query('delete from audit_log where workspace_id = $1', [workspaceId]);
  await database.query('delete from audit_chains where workspace_id = $1', [workspaceId]);
}

/** An entry of a day in the past, as the demo company has them. */
const noteAt = (workspaceId: number, day: string, action: AuditAction) =>
  database.transaction((tx) => {
    recordAt(tx, new Date(day));
    return audit(tx, { workspaceId, actor: theService, action });
  });

test('the API and the command line say what was found, and the command fails after tampering', async () => {
  const { id, read, call } = await openAudited();
  const { at, ...body } = await read<AuditVerification>('/api/v1/audit/verify');
  const { workspaceId: _, lastTakenInAt, ...found } = await verify(id);
  assert.ok(Date.parse(at) > 0);
  assert.deepEqual(body, { agrees: true, ...found, lastTakenInAt });
  const { status } = await call('/api/v1/audit/verify?head=abc');
  assert.equal(status, 400);

  const env = { DATABASE_URL: database.url };
  const asked = ['audit', 'verify', '--workspace', String(id)];
  assert.match((await giftwire(asked, env)).stdout, /the audit log agrees, \d+ entries/);
  const { head } = found;
  assert.match((await giftwire(['audit', 'heads'], env)).stdout, new RegExp(head?.hash as string));
  assert.equal((await giftwire(['audit', 'verify', '--head', head?.hash as string], env)).code, 0);
  await database.query('update audit_log set actor_id = 5 where workspace_id = $1 and number = $2', [id, head?.number]);
  const { code, stdout } = await giftwire(asked, env);
  assert.deepEqual([code, /entry \d+: The fields of the entry/.test(stdout)], [1, true]);
});

test('entries that were removed are counted in a new history too, whatever their numbers are', async () => {
  const { id } = await openAudited();
  const { base } = await startHistory(database, 'a test');
  await note(id, { giftDays: 90 });
  await note(id, { giftDays: 120 });
  assert.deepEqual(await problems(id), []);
  const said = await afterTampering(id, `delete from audit_log where workspace_id = ${id} and number = ${base + 1}`);
  assert.match(said.join('\n'), new RegExp(`^null ${base + 2}: 1 entries before it are missing`, 'm'));
});
