import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerVerification, LedgerVerificationRun } from '../../src/ground/contract/ledger.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { countProblems, readVerificationStates, summarizeVerifications } from '../../src/insight/books/outcomes.ts';
import { planVerifications, requestVerification, runVerification } from '../../src/insight/books/runs.ts';
import { verifyNew } from '../../src/insight/books/verify.ts';
import { checkLedger, setBudget, tamper } from '../support/budgets.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { aCode } from '../support/pools.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';
import { endVerification, findInPieces, smallPieces, verifyFully } from '../support/verifications.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({
  tokenKey,
  database: await createTestDatabase({ mayDisagree: 'the tests of this file tamper with it' }),
});
const { database, workspaceId } = service;
const gifts = createGifts(service);
const { claimed, spend, fill } = await offerAllOptions(service, gifts);
const call = <Body>(path: string, asked = {}) =>
  service.call<Body>(`/api/v1${path}`, { token: service.token, workspace: workspaceId, ...asked });
const of = `workspace_id = ${workspaceId}`;

async function live(): Promise<void> {
  for (const choice of [
    { option: 'payroll', amount: '4' },
    { option: 'charity', amount: '4' },
    { option: 'cards', amount: '25', retailer: 'Riverside Books' },
  ]) {
    const { longToken } = await claimed(choice.option === 'cards' ? 25 : 10);
    assert.equal((await spend(longToken, choice)).status, 200);
  }
  const { id } = await gifts.order({ amount: 5 });
  assert.equal((await call(`/gifts/${id}/cancel`, { method: 'POST', body: {} })).status, 200);
  await gifts.order({ amount: 7 });
}

await setBudget(database, workspaceId, { amount: 5_000 });
await fill(...Array.from({ length: 20 }, () => aCode('Riverside Books', 25)));
await live();

const findNew = async (inside: Database) => (await verifyNew(inside, workspaceId)).faults;
const readCheckpoints = () =>
  database.query<{ at: string; fullAt: string; seals: number }>(
    `select at::text as at, full_at::text as "fullAt", seals from ledger_checkpoints where ${of}`,
  );

const verifyDaily = async () => {
  const [run] = await database.query<{ number: number }>(
    `insert into verifications (workspace_id, number, kind, requested_at)
     select $1, max(number) + 1, 'DAILY', now() from verifications where workspace_id = $1
     returning number`,
    [workspaceId],
  );
  return endVerification(database, workspaceId, run?.number ?? 0);
};

test('a full verification in pieces leaves a sealed checkpoint, and the next one compares what is new with it', async () => {
  assert.equal((await verifyNew(database, workspaceId)).checkpoint, null);
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  const first = await verifyNew(database, workspaceId);
  assert.deepEqual(first.faults, []);
  assert.ok(first.checkpoint && first.checkpoint.entries > 0);
  await live();
  assert.deepEqual(await findNew(database), []);
  await checkLedger(database);
});

test('seals of checkpoints and budgets have a version that the release before leaves out, and all others the one that it compares', async () => {
  const versions = await database.query<{ version: number; records: string[] }>(
    `select distinct version, records from seals where ${of}`,
  );
  for (const { version, records } of versions)
    assert.equal(version, records.includes('budget') ? 3 : records.includes('checkpoint') ? 2 : 1);
  assert.ok(versions.some(({ version }) => version === 2));
});

test('a checkpoint that was changed, moved or deleted is found, and a full verification leaves another one', async () => {
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  for (const sql of [
    `update ledger_checkpoints set content = jsonb_set(content, '{books,0,issued}', '1') where ${of}`,
    `update ledger_checkpoints set content = jsonb_set(content, '{seals}', to_jsonb((select max(number) from seals where ${of}))) where ${of}`,
    `update ledger_checkpoints set at = at + interval '1 hour', full_at = now() where ${of}`,
    `update ledger_checkpoints set entries = 0 where ${of}`,
    `delete from ledger_checkpoints where ${of}`,
  ])
    assert.match((await tamper(database, sql, findNew)).join('\n'), /The checkpoint /, sql);
  await database.query(`update ledger_checkpoints set entries = 0 where ${of}`);
  const [fault, ...others] = await verifyFully(database, workspaceId);
  assert.match(fault?.problem ?? '', /^The checkpoint was changed after seal/);
  assert.deepEqual(others, []);
  assert.deepEqual(await findNew(database), []);
});

test('what can still be paid out is compared by every verification, however old it is', async () => {
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  const cases: Record<string, RegExp> = {
    [`update certificates set amount = amount + 100 where ${of} and state = 'ISSUED'`]:
      /What is left of the gifts adds up to/,
    [`update certificates set redeemed = 0, state = 'CLAIMED' where ${of} and state = 'PARTLY_REDEEMED'`]:
      /What is left/,
    [`update certificates set state = 'CLAIMED' where ${of} and state = 'CANCELLED'`]: /What is left of the gifts/,
    [`update budgets set available = available + 1, granted = granted + 1 where ${of} and kind = 'WORKSPACE'`]:
      /The balance/,
    [`update budgets set gift_limit = 100000 where ${of} and kind = 'WORKSPACE'`]: /Budget \d+ was changed after seal/,
    [`update redemptions set amount = 9 where ${of} and state = 'REQUESTED'`]: /Redemption \d+ was changed after seal/,
    [`update redemptions set kind = 'PAYROLL', spending_option = 'payroll' where ${of} and kind = 'POOL'`]:
      /Redemption \d+ can be paid out, and no seal has it/,
    [`update pool_codes set value = 500 where ${of} and redemption_id is null`]: /Code \d+ was changed after seal/,
    [`update pool_codes set redemption_id = null, given_at = null where ${of} and redemption_id is not null`]:
      /Code \d+ can be paid out, and no seal has it/,
    [`update spending_options set max_amount = 100000 where ${of}`]: /Spending option \w+ was changed/,
    [`delete from pool_codes where ${of} and redemption_id is null`]: /Code \d+ is not there/,
  };
  for (const [sql, problem] of Object.entries(cases))
    assert.match((await tamper(database, sql, findNew)).join('\n'), problem, sql);
});

test('a key of a seal that no record can have is a problem, not an error', async () => {
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  await live();
  for (const record of ['order', 'gifts', 'redemption', 'code']) {
    const sql = `update seals set keys = array_replace(keys, keys[array_position(records, '${record}')], 'x/y') where ${of} and '${record}' = any(records)`;
    assert.match((await tamper(database, sql, findNew)).join('\n'), /Seal|seal/, record);
    const inPieces = await tamper(database, sql, (_, tx) => findInPieces(tx, workspaceId));
    assert.match(inPieces.join('\n'), /The fields of seal/, record);
  }
});

test('an old row that moves no money now is found by a full verification', async () => {
  const exchanged = `update certificates set member_id = (select max(id) from members where ${of}) where ${of} and state = 'CANCELLED'`;
  assert.deepEqual(await tamper(database, exchanged, findNew), []);
  const [row] = await database.query<{ id: string; memberId: number }>(
    `select id, member_id as "memberId" from certificates where ${of} and state = 'CANCELLED' limit 1`,
  );
  const set = (memberId: number) =>
    database.query(`update certificates set member_id = $1 where ${of} and id = $2`, [memberId, row?.id]);
  const [before] = await readCheckpoints();
  await set((row?.memberId ?? 0) + 1);
  assert.match(
    (await verifyFully(database, workspaceId))[0]?.problem ?? '',
    /One of the gifts .* was changed after seal/,
  );
  assert.deepEqual(await readCheckpoints(), [before], 'a verification with problems leaves no checkpoint');
  await set(row?.memberId ?? 0);
});

test('a daily verification neither clears what a full one found nor leaves a checkpoint', async () => {
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  const [gift] = await database.query<{ id: string }>(
    `select id from certificates where ${of} and state = 'CANCELLED' limit 1`,
  );
  const change = (by: number) =>
    database.query(`update certificates set member_id = member_id + $1 where ${of} and id = $2`, [by, gift?.id]);
  const problems = async () => ({
    home: (await countProblems(database, workspaceId)) > 0,
    metric: (await summarizeVerifications(database)).withProblems,
    doctor: (await readVerificationStates(database)).filter(({ isFinished }) => isFinished).length,
  });
  const wrong = { home: true, metric: 1, doctor: 1 };
  await change(1);
  assert.notDeepEqual(await verifyFully(database, workspaceId), []);
  assert.deepEqual(await problems(), wrong);
  await live();
  const before = await readCheckpoints();
  assert.deepEqual(await verifyDaily(), []);
  assert.deepEqual(await problems(), wrong);
  assert.deepEqual(await readCheckpoints(), before);
  const usual = await findNew(database);
  assert.equal(usual.length, 1);
  assert.match(
    usual[0]?.problem ?? '',
    /was changed after seal \d+\. The full verification of [0-9-]{10} [0-9:]{5} UTC found it; another one says/,
  );
  await change(-1);
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  assert.deepEqual(await problems(), { home: false, metric: 0, doctor: 0 });
});

test('a piece that a killed node did not end is done again, by any node', async () => {
  await requestVerification(database, workspaceId);
  const killed: Database = {
    ...database,
    transaction: <T>(work: (tx: Queryable) => Promise<T>) =>
      database.transaction(async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await assert.rejects(runVerification({ ...killed, query: database.query.bind(database) }, smallPieces), /killed/);
  let isNext = true;
  const everySecond = async () => {
    isNext = !isNext;
    if (isNext) await runVerification({ ...killed, query: database.query.bind(database) }, smallPieces).catch(() => {});
  };
  assert.deepEqual(await verifyFully(database, workspaceId, everySecond), []);
});

test('after a restore, when numbers continue far ahead, the checkpoint still holds', async () => {
  await database.query(
    `insert into histories select (jsonb_populate_record(h, jsonb_build_object('id', gen_random_uuid(), 'base', base + 1000000))).*
       from histories h order by base desc limit 1`,
  );
  await live();
  assert.deepEqual(await findNew(database), []);
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  await live();
  assert.deepEqual(await findNew(database), []);
});

test('every workspace with money is verified by itself: fully in its first day and each week, and what is new each day', async () => {
  const kinds = async () => {
    await planVerifications(database);
    const rows = await database.query<{ kind: string }>(
      `select kind from verifications where ${of} and finished_at is null`,
    );
    return rows.map(({ kind }) => kind);
  };
  // As if it ran now: the service plans verifications too, and would plan another.
  const end = () =>
    database.query(
      `update verifications set started_at = now(), finished_at = now() where ${of} and finished_at is null`,
    );
  assert.deepEqual(await kinds(), []);
  await database.query(`update verifications set started_at = started_at - interval '25 hours' where ${of}`);
  assert.deepEqual(await kinds(), ['DAILY']);
  assert.deepEqual(await kinds(), ['DAILY'], 'one at a time');
  await end();
  await database.query(`update verifications set started_at = now() - interval '7 days' where ${of}`);
  assert.deepEqual(await kinds(), ['FULL']);
  await end();
});

test('the daily verification moves the checkpoint to what is new, and leaves an idle workspace as it is', async () => {
  await live();
  const [before] = await readCheckpoints();
  assert.deepEqual(await verifyDaily(), []);
  const [moved] = await readCheckpoints();
  assert.ok(before && moved && moved.seals > before.seals);
  assert.equal(moved.fullAt, before.fullAt);
  assert.deepEqual(await findNew(database), []);
  assert.deepEqual(await verifyDaily(), []);
  assert.deepEqual(await readCheckpoints(), [moved]);
});

test('over HTTP, a full verification is started once, shows its progress, and its outcome stays', async () => {
  const start = () => call<LedgerVerificationRun>('/ledger/verifications', { method: 'POST' });
  const started = await start();
  assert.equal(started.status, 202);
  assert.equal(started.body.kind, 'FULL');
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  const { body } = await call<{ verifications: LedgerVerificationRun[] }>('/ledger/verifications');
  const run = body.verifications.find(({ number }) => number === started.body.number);
  assert.deepEqual([run?.status, run?.agrees, run?.faults], ['FINISHED', true, []]);
  assert.ok(run && run.rowsDone > 0 && run.rowsExpected >= run.rowsDone && run.finishedAt);
  const verified = await call<LedgerVerification>('/ledger/verify');
  assert.equal(verified.body.agrees, true);
  assert.ok(verified.body.checkpoint && verified.body.checkpoint.entries > 0);
});

test('the command compares what is new and says since when, and everything with --full; doctor names a workspace with problems', async () => {
  const env = { DATABASE_URL: database.url };
  const usual = await giftwire(['ledger', 'verify'], env);
  assert.match(
    usual.stdout,
    /^The books agree: \d+ entries in \d+ chains?\.\nOf these, \d+ entries were verified before/,
  );
  const full = await giftwire(['ledger', 'verify', '--full'], env);
  assert.deepEqual([full.code, full.stderr], [0, '']);
  assert.match(full.stdout, /^The books agree: \d+ entries in \d+ chains?\.\n$/);
  await database.query(`update payroll_exports set lines = lines where ${of}`);
  await database.query(`update certificates set edition = edition + 1 where ${of}`);
  const wrong = await giftwire(['ledger', 'verify', '--full', '--json'], env);
  assert.equal(wrong.code, 1);
  assert.equal(JSON.parse(wrong.stdout).agrees, false);
  const { stdout } = await giftwire(['doctor'], env);
  assert.match(
    stdout,
    new RegExp(`ledger.*the verification of .* has found \\d+ problems in workspace ${workspaceId}`),
  );
  await database.query(`update certificates set edition = edition - 1 where ${of}`);
});

test('a workspace whose verification ends with an error does not stop the others, and the command says so', async () => {
  const broken = await openWorkspace(service);
  await setBudget(database, broken.id, { amount: 10 });
  await database.query(
    `insert into verifications (workspace_id, number, kind, requested_at, subject) values ($1, 1, 'FULL', now(), 'unknown')`,
    [broken.id],
  );
  const full = await giftwire(['ledger', 'verify', '--full'], { DATABASE_URL: database.url });
  assert.equal(full.code, 1);
  assert.match(
    full.stdout,
    new RegExp(`^workspace ${broken.id}: it could not be verified \\(error \\w+\\)\\. Workers try again`),
  );
  const { body } = await call<{ verifications: LedgerVerificationRun[] }>('/ledger/verifications');
  assert.equal(body.verifications[0]?.agrees, true, 'the other workspace was verified');
});
