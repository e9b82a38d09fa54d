import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOrders, type OrderList, type OrderQuery } from '../../src/giving/orders/list.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import type { Outcome } from '../support/commands-in-turn.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const env = { DATABASE_URL: service.database.url };

/** Lists orders as the command does. The command itself is run only where its output matters, because each run is a process. */
function list(query: Partial<OrderQuery> = {}, database: Queryable = service.database): Promise<OrderList> {
  return listOrders(database, { workspaceId: null, status: null, limit: 20, before: null, ...query });
}

const ids = ({ orders }: OrderList) => orders.map(({ requestId }) => requestId);

/** Three orders in one workspace, the second of which failed, and one in another. */
async function someOrders() {
  await service.database.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin raise exception 'this gift is cursed'; end $$;
    create trigger poison before insert on certificates
       for each row when (new.message = 'poison') execute function refuse_poison()`);
  const gifts = [aGift({ amount: 10.1 }), aGift({ amount: 0.2 + 1 }), aGift({ amount: 3 })];
  const first = (await service.fulfilled(anOrder({ orderItems: gifts }))).requestId;
  const { body } = await service.create(anOrder({ orderItems: [aGift({ message: 'poison' })] }), {
    'X-Customer-Request-Id': 'run 7',
  });
  await service.finished(body.requestId);
  const third = (await service.fulfilled(anOrder({ currency: 'USD' }))).requestId;
  const workspace = await service.addWorkspace({ name: 'Second' });
  const { token } = await service.addToken({ name: 'Bot', workspaces: [workspace] });
  const other = await service.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    token,
    workspace,
    body: anOrder(),
  });
  return { first, failed: body.requestId, third, other: other.body.requestId, workspace };
}

const made = await someOrders();
const own = { workspaceId: service.workspaceId };
const ownFlag = ['--workspace', String(service.workspaceId)];

test('orders are listed newest first, with state, gifts, total and sender', async () => {
  const { code, stdout, stderr } = await giftwire(['order', 'list', ...ownFlag, '--json'], env);
  assert.deepEqual([code, stderr], [0, '']);
  const { orders, next } = JSON.parse(stdout) as OrderList;
  assert.equal(next, null);
  assert.deepEqual(
    orders.map((one) => [one.requestId, one.requestStatus, one.gifts, one.total, one.currency, one.senderName]),
    [
      [made.third, 'COMPLETED', 1, 25, 'USD', 'Payroll'],
      [made.failed, 'FAILED', 1, 25, 'CAD', 'Payroll'],
      [made.first, 'COMPLETED', 3, 14.3, 'CAD', 'Payroll'],
    ],
  );
  assert.equal(orders[1]?.failure, 'this gift is cursed');
  assert.equal(orders[1]?.customerRequestId, 'run 7');
  assert.equal(typeof orders[0]?.orderId, 'number');
});

test('a list can be filtered by workspace and status, and continued page by page', async () => {
  const [everywhere, elsewhere, failed, completed, accepted, first, rest, restOfAll] = await Promise.all([
    list(),
    list({ workspaceId: made.workspace }),
    list({ status: 'FAILED' }),
    list({ ...own, status: 'COMPLETED' }),
    list({ ...own, status: 'ACCEPTED' }),
    list({ ...own, limit: 2 }),
    list({ ...own, limit: 2, before: made.failed }),
    list({ limit: 2, before: made.third }),
  ]);
  assert.deepEqual(ids(everywhere), [made.other, made.third, made.failed, made.first]);
  assert.deepEqual(ids(elsewhere), [made.other]);
  assert.deepEqual(ids(failed), [made.failed]);
  assert.deepEqual(ids(completed), [made.third, made.first]);
  assert.deepEqual(ids(accepted), []);
  assert.deepEqual([ids(first), first.next], [[made.third, made.failed], made.failed]);
  assert.deepEqual([ids(rest), rest.next], [[made.first], null]);
  assert.deepEqual([ids(restOfAll), restOfAll.next], [[made.failed, made.first], null]);
});

test('a full page says how far it has looked, and leads on only where there is more', async () => {
  const search = { ...own, status: 'COMPLETED' } as const;
  const [one, both, whole] = await Promise.all([
    list({ ...search, limit: 1 }),
    list({ ...search, limit: 2 }),
    list({ ...own, limit: 3 }),
  ]);
  assert.deepEqual([ids(one), one.examined, one.next], [[made.third], 1, made.third]);
  assert.deepEqual([ids(both), both.examined, both.next], [[made.third, made.first], 3, null]);
  assert.deepEqual([ids(whole).length, whole.examined, whole.next], [3, 3, null]);
});

test('on a terminal each order takes two lines of at most 80 columns, and the list says how to continue', async () => {
  const unused = await service.addWorkspace({ name: 'Unused' });
  const [readable, none, empty, nowhere] = await Promise.all([
    giftwire(['order', 'list', ...ownFlag, '--limit', '2'], env),
    giftwire(['order', 'list', ...ownFlag, '--status', 'accepted'], env),
    giftwire(['order', 'list', '--workspace', String(unused)], env),
    giftwire(['order', 'list', '--workspace', '999'], env),
  ]);
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
  const lines = [
    `${made.third}  COMPLETED  ${time}`,
    `  1 gift, 25 USD, sent by Payroll in workspace ${service.workspaceId}`,
    `${made.failed}  FAILED     ${time}`,
    `  1 gift, 25 CAD, sent by Payroll in workspace ${service.workspaceId}`,
    '  failed: this gift is cursed',
    `Older ones: add --before ${made.failed}`,
  ];
  assert.match(readable.stdout, new RegExp(`^${lines.join('\n')}\n$`));
  for (const line of readable.stdout.split('\n')) assert.ok(line.length <= 80, line);
  assert.equal(none.stdout, 'No ACCEPTED orders.\n');
  assert.match(empty.stdout, /no order here yet/);
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
  assert.match(nowhere.stderr, /no workspace 999/);
});

test('invalid list options are refused with what to do', async () => {
  const cases: [string, number, RegExp][] = [
    ['order list --status lost', 2, /ACCEPTED, COMPLETED, FAILED/],
    ['order list --limit 1001', 2, /from 1 to 1000/],
    ['order list --before 7', 2, /UUID/],
    ['order list --before 0190a3c2-0000-7000-8000-000000000001', 1, /no order request 0190a3c2/],
    ['order show 0190a3c2-0000-7000-8000-000000000001', 1, /giftwire order list/],
  ];
  const outcomes = await Promise.all(cases.map(([args]) => giftwire(args.split(' '), env)));
  for (const [index, [args, code, says]] of cases.entries()) {
    const outcome = outcomes[index] as Outcome;
    assert.match(outcome.stderr, says);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ''], args);
  }
});

test('among many orders a list reads only the newest, and a long search stops and can be continued', async () => {
  const database = await createTestDatabase();
  await database.transaction(async (tx) => {
    await tx.query(`insert into accounts values (1, 'A')`);
    await tx.query(`insert into workspaces (id, account_id, name, language) values (1, 1, 'A', 'EN_CA')`);
    await tx.query(
      `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body, accepted_at)
       select 1, ('0190a3c2-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 1, 1, 'A', 'CAD', 'EN_CA', $1,
              timestamptz '2026-01-01' + n * interval '1 second'
         from generate_series(1, 60000) as n`,
      [JSON.stringify(anOrder())],
    );
    await tx.query(
      `insert into orders (workspace_id, request_id, id, gift_count, failure)
       select 1, request_id, case when nth > 1 then nth end, 1, case when nth = 1 then 'lost' end
         from (select request_id, row_number() over (order by request_id) as nth from order_requests) r`,
    );
    await tx.query('analyze order_requests, orders');
    // What was counted until here is known before the lists are read.
    await tx.query('select pg_stat_force_next_flush()');
  });
  const read = async () => {
    const [row] = await database.query<{ scans: number; fetched: number; looks: number }>(
      `select sum(seq_scan) as scans, sum(idx_tup_fetch) as fetched, sum(idx_scan) as looks
         from pg_stat_user_tables
        where relname in ('order_requests', 'orders')`,
    );
    return row as { scans: number; fetched: number; looks: number };
  };
  const before = await read();
  const pages = await database.transaction(async (tx) => {
    const both = [await list({ limit: 5 }, tx), await list({ limit: 5, workspaceId: 1 }, tx)];
    await tx.query('select pg_stat_force_next_flush()');
    return both;
  });
  const newest = [0, 1, 2, 3, 4].map((n) => `0190a3c2-0000-7000-8000-${String(60_000 - n).padStart(12, '0')}`);
  for (const page of pages) assert.deepEqual(ids(page), newest);
  const after = await eventually(read, ({ looks }) => looks >= before.looks + 12);
  assert.equal(after.scans, before.scans, 'no table is read from end to end');
  assert.ok(after.fetched - before.fetched < 100, `${after.fetched - before.fetched} rows`);

  const failed = ['0190a3c2-0000-7000-8000-000000000001'];
  const begun = await list({ status: 'FAILED' }, database);
  assert.deepEqual([ids(begun), begun.examined], [[], 50_000]);
  const found = await list({ status: 'FAILED', before: begun.next }, database);
  assert.deepEqual([ids(found), found.examined, found.next], [failed, 10_000, null]);
  const ofOne = await list({ status: 'FAILED', workspaceId: 1 }, database);
  assert.deepEqual([ids(ofOne), ofOne.examined, ofOne.next], [failed, 1, null], 'a workspace finds them by index');
  assert.equal((await read()).scans, before.scans);
});
