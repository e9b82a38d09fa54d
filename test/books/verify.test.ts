import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { LedgerEntryDetails } from '../../src/ground/contract/ledger-entry.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { checkLedger, setBudget, tamper } from '../support/budgets.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService({
  database: await createTestDatabase({ mayDisagree: 'the tests of this file tamper with it' }),
});
const { database } = service;
const { workspace, issue, repaired } = await giftsOf(service);
const { id } = await setBudget(database, workspace.id, { amount: 500 });
const [first, second] = await issue({ email: 'ada@example.com' }, { email: 'ida@example.com' });
const [third] = await issue({ email: 'ada@example.com' });
await repaired(first as number, 'cancel');
const free = await giftsOf(service);
await free.issue({ email: 'ada@example.com' });

const afterTampering = (sql: string) => tamper(database, sql);

test('the books agree, and the head of every chain is told', async () => {
  await checkLedger(database);
  const { heads } = await verifyLedger(database);
  const { head, entries } = heads.find(({ budgetId }) => budgetId === id) ?? {};
  const { body } = await workspace.call<LedgerEntryDetails>(`/api/v1/budgets/${id}/entries/${entries}`);
  assert.equal(body.hash, head);
  assert.equal(createHash('sha256').update(body.text).digest('hex'), head, 'others can compute it');
});

test('a cent that was changed is named, wherever it was', async () => {
  const of = `workspace_id = ${workspace.id} and`;
  const cases: [string, RegExp][] = [
    [
      `update ledger_entries set amount = amount + 0.01 where ${of} number = 2`,
      new RegExp(`^${id} 2: The fields of the entry`),
    ],
    [
      `update ledger_entries set amounts[1] = amounts[1] - 0.01 where ${of} number = 3`,
      new RegExp(`^${id} 3: The fields of the entry`),
    ],
    [
      `update certificates set amount = 25.01 where id = ${second}`,
      /: Order [0-9a-f-]+ asks for 50, and its gifts add up to 50\.01/,
    ],
    [
      `update order_budgets set amount = amount + 0.01 where workspace_id = ${workspace.id}`,
      /is reserved for order [0-9a-f-]+, which asks for/,
    ],
    [
      `update order_requests set body = jsonb_set(body, '{orderItems,0,amount}', '25.01') where workspace_id = ${free.workspace.id}`,
      /asks for 25\.01, and its gifts add up to 25/,
    ],
    [
      `update budgets set available = available + 0.01, issued = issued - 0.01 where ${of} id = ${id}`,
      new RegExp(`^${id} \\d+: The balance "available" is`),
    ],
    [
      `delete from order_requests where workspace_id = ${free.workspace.id}`,
      /^null null: Order [0-9a-f-]+ is not stored/m,
    ],
    [
      `delete from order_requests where workspace_id = ${free.workspace.id};
       delete from certificates where workspace_id = ${free.workspace.id}; delete from orders where workspace_id = ${free.workspace.id}`,
      /^\d+ 1: Order [0-9a-f-]+ is not stored/m,
    ],
    [
      `update certificates set state = 'ISSUED' where id = ${first}`,
      /: Gift 0 of order [0-9a-f-]+ is ISSUED and costs 25/,
    ],
  ];
  for (const [sql, says] of cases) assert.match((await afterTampering(sql)).join('\n'), says, sql);
});

test('an entry that was deleted, exchanged or inserted is named', async () => {
  const of = `workspace_id = ${workspace.id} and budget_id = ${id}`;
  const cases: [string, RegExp][] = [
    [`delete from ledger_entries where ${of} and number = 2`, new RegExp(`^${id} 3: An entry before 3 is missing`)],
    [
      `delete from ledger_entries where ${of} and number = (select max(number) from ledger_entries where ${of})`,
      /The latest entry of the book should be/,
    ],
    [
      `update ledger_entries set number = case number when 2 then 3 when 3 then 2 else number end + 1000 where ${of};
       update ledger_entries set number = number - 1000 where ${of}`,
      new RegExp(`^${id} 2: The entry does not carry the hash of the entry before it`),
    ],
    [
      `delete from ledger_entries where ${of}; update budgets set latest = 0 where ${of.replace('budget_id', 'id')}`,
      /add up to 0/,
    ],
  ];
  for (const [sql, says] of cases) assert.match((await afterTampering(`${sql}`)).join('\n'), says, sql);
});

test('everything is read as it was at one moment, though two connections read it', async () => {
  const change = (cents: number) =>
    database.query('update certificates set amount = amount + $1 where id = $2', [cents / 100, third]);
  const secondIsDone = Promise.withResolvers<void>();
  const withChange: typeof database.transaction = async (work) => {
    await change(1);
    return database.transaction(work).finally(secondIsDone.resolve);
  };
  const waiting: typeof database.transaction = (work) =>
    database.transaction((tx) => {
      const query: typeof tx.query = async (sql, ...rest) => {
        if (sql.includes('enable_nestloop')) await secondIsDone.promise;
        return tx.query(sql, ...rest);
      };
      return work({ query });
    });
  const connections = [waiting, withChange];
  const shared: typeof database = {
    ...database,
    transaction: (work) => (connections.shift() ?? database.transaction)(work),
  };
  assert.deepEqual((await verifyLedger(shared)).faults, [], 'the gift was changed after the first one had begun');
  assert.deepEqual(connections, []);
  assert.match((await verifyLedger(database)).faults[0]?.problem ?? '', /asks for 25, and its gifts add up to 25\.01/);
  await change(-1);
});

test('a chain that was rewritten as a whole does not have the head that somebody kept', async () => {
  const { heads } = await verifyLedger(database);
  const kept = heads.map(({ head }) => head);
  assert.deepEqual((await verifyLedger(database, { known: kept })).faults, []);
  const lost = 'ab'.repeat(32);
  assert.match(
    (await verifyLedger(database, { known: [lost] })).faults[0]?.problem ?? '',
    /No entry has the head abab/,
  );
});

test('the head of each chain of seals is printed, and is known again later', async () => {
  const { stdout } = await giftwire(['ledger', 'heads', '--json'], { DATABASE_URL: database.url });
  const heads = JSON.parse(stdout) as { workspaceId: number; seals?: number; head: string }[];
  const { head = '', seals = 0 } = heads.find((one) => one.workspaceId === workspace.id && one.seals) ?? {};
  assert.ok(seals > 0);
  assert.deepEqual((await verifyLedger(database, { known: [head] })).faults, []);
  const lost = await verifyLedger(database, { workspaceId: free.workspace.id, known: [head] });
  assert.match(lost.faults[0]?.problem ?? '', /^No entry has the head/, 'the head of another workspace');
});

test('the interface verifies one workspace, and nothing of another one is told', async () => {
  interface Said {
    agrees: boolean;
    entries: number;
    faults: { budgetId: number; number: number; problem: string }[];
  }
  const own = await workspace.call<Said>('/api/v1/ledger/verify');
  const others = await free.workspace.call<Said>('/api/v1/ledger/verify');
  assert.deepEqual([own.status, own.body.agrees, others.body.agrees], [200, true, true]);
  const { head } = (await verifyLedger(database)).heads.find(({ budgetId }) => budgetId === id) ?? {};
  const known = await free.workspace.call<Said>(`/api/v1/ledger/verify?head=${head}`);
  assert.match(known.body.faults[0]?.problem ?? '', /^No entry has the head/, 'the head of another workspace');
  await database.query('update budgets set available = available + 0.01, issued = issued - 0.01 where id = $1', [id]);
  const wrong = await workspace.call<Said>('/api/v1/ledger/verify');
  assert.deepEqual([wrong.body.agrees, wrong.body.faults[0]?.budgetId], [false, id]);
  assert.deepEqual((await free.workspace.call<Said>('/api/v1/ledger/verify')).body.faults, []);
  await database.query('update budgets set available = available - 0.01, issued = issued + 0.01 where id = $1', [id]);
});

test('the interface verifies on a connection that waits longer than those of requests do', async () => {
  const { waiting, verification } = await database.transaction(async (tx) => {
    await tx.query('lock table ledger_entries in access exclusive mode');
    const asked = workspace.call('/api/v1/ledger/verify');
    const [found] = await eventually(
      () =>
        database.query<{ name: string }>(
          `select application_name as name
             from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_entries%'`,
        ),
      (rows) => rows.length > 0,
    );
    // Not awaited here: it is answered when the table is free again.
    return { waiting: found, verification: { asked } };
  });
  assert.equal(waiting?.name, 'giftwire verification');
  assert.equal((await verification.asked).status, 200);
});

test('the command says that the books agree, or which entry is at fault', async () => {
  const env = { DATABASE_URL: database.url };
  const { code, stdout } = await giftwire(['ledger', 'verify'], env);
  assert.equal(code, 0);
  assert.match(stdout, /^The books agree: \d+ entries in 2 chains\.\n$/);
  await database.query(
    `update ledger_entries set detail = '{"note":"Spring"}' where workspace_id = $1 and number = 1`,
    [workspace.id],
  );
  const wrong = await giftwire(['ledger', 'verify', '--json'], env);
  assert.equal(wrong.code, 1);
  const { agrees, faults } = JSON.parse(wrong.stdout);
  assert.deepEqual([agrees, faults[0].budgetId, faults[0].number], [false, id, 1]);
});
