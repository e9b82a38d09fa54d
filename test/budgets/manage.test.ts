import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { beginDuePeriods } from '../../src/giving/budgets/allowances.ts';
import type { Budget } from '../../src/ground/contract/budget.ts';
import type { LedgerEntry, LedgerEntryPage } from '../../src/ground/contract/ledger-entry.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { sealAsIs } from '../support/seals.ts';
import { startService } from '../support/service.ts';
import { isReplay, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const { database } = service;
const workspace = await openWorkspace(service);
const post = (path: string, body: unknown, headers = {}) =>
  workspace.call<LedgerEntry>(`/api/v1/budgets/${path}`, { method: 'POST', body, headers });

test('money is granted once for a key, and nothing below what is committed is withdrawn', async () => {
  const { id } = await setBudget(database, workspace.id, { amount: 100 });
  const grants = await Promise.all(
    Array.from({ length: 20 }, () => post(`${id}/grants`, { amount: 50, note: 'Spring' }, { 'Idempotency-Key': 'a' })),
  );
  assert.ok(grants.every(({ status }) => status === 201));
  assert.equal(grants.filter((grant) => !isReplay(grant)).length, 1);
  assert.match(
    refusal(await post(`${id}/grants`, { amount: 51, note: 'Spring' }, { 'Idempotency-Key': 'a' }), 422),
    /differs in amount/,
  );
  const other = await setBudget(database, workspace.id, { currency: 'GBP', amount: 100 });
  const underTheKey = async (path: string, body: object) =>
    refusal(await post(path, body, { 'Idempotency-Key': 'a' }), 422);
  assert.match(await underTheKey(`${other.id}/grants`, { amount: 50, note: 'Spring' }), /differs in budgetId:/);
  assert.match(await underTheKey(`${id}/withdrawals`, { amount: 50, note: 'Spring' }), /differs in type:/);
  assert.match(await underTheKey(`${id}/grants`, { amount: 50 }), /differs in note:/);
  assert.deepEqual(await balancesOf(database, workspace.id, other.id), [100, 0, 0, 0]);
  await workspace.submit([{ ...anOrder().orderItems[0], amount: 60 }]);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [90, 60, 0, 0]);
  assert.match(refusal(await post(`${id}/withdrawals`, { amount: 90.01 }), 409), /^90\.00 CAD can be withdrawn/);
  assert.match(refusal(await post(`${id}/withdrawals`, { amount: 0.001 }), 400), /at most 2 decimals in CAD/);
  assert.equal((await post(`${id}/withdrawals`, { amount: 90 })).status, 201);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 60, 0, 0]);
  const { body } = await workspace.call<LedgerEntryPage>(`/api/v1/budgets/${id}/entries?size=2&page=1`);
  assert.deepEqual(
    [body.totalElements, ...body.entries.map(({ number, type, note }) => `${number} ${type} ${note}`)],
    [4, '2 GRANTED Spring', '1 GRANTED null'],
  );
});

test('a closed budget gives back what is available, and can be set again as a new one', async () => {
  const terms = { giftLimit: 5, lowPercents: [50] };
  const { id } = await setBudget(database, workspace.id, { currency: 'USD', amount: 10, ...terms });
  const path = `/api/v1/budgets/${id}`;
  assert.equal((await workspace.call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await workspace.call(path, { method: 'DELETE' })).status, 204);
  refusal(await post(`${id}/grants`, { amount: 1 }), 409);
  const again = await workspace.call<Budget>('/api/v1/budgets', {
    method: 'POST',
    body: { currency: 'USD', amount: 7 },
  });
  assert.deepEqual([again.status, again.body.id, again.body.available, again.body.granted], [201, id, 7, 7]);
  assert.deepEqual([again.body.giftLimit, again.body.lowPercents], [null, [20]]);
  refusal(await workspace.call('/api/v1/budgets', { method: 'POST', body: { currency: 'USD' } }), 409);
});

test('allowances are granted when they are due, once by any number of nodes, and those that were missed too', async () => {
  const nodes = [1, 2, 3].map(() =>
    openDatabase({ url: database.url, name: 'node', maxConnections: 1, statementTimeoutMs: 30_000, byKey: true }),
  );
  cleanUp(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  const { id } = await openWorkspace(service);
  await database.query(`update workspaces set time_zone = 'America/Toronto' where id = $1`, [id]);
  const budget = await setBudget(database, id, { amount: 5, allowance: { amount: 10, every: 'MONTH' } });
  assert.equal(budget.available, 15, 'the current month is granted at once');
  const nextAt = new Date(budget.allowance?.nextAt ?? 0);
  const local = nextAt.toLocaleString('en-CA', { timeZone: 'America/Toronto', hour12: false });
  assert.match(local, /-01, (00|24):00:00$/);
  const advance = (until: Date) =>
    database.transaction((tx) => advanceClock(tx, id, (until.getTime() - Date.now()) / 1_000));
  const grantOnAll = () => Promise.all(nodes.map((node) => beginDuePeriods(node)));
  await grantOnAll();
  assert.equal((await balancesOf(database, id, budget.id))[0], 15);
  await advance(nextAt);
  await grantOnAll();
  assert.equal((await balancesOf(database, id, budget.id))[0], 25);
  await advance(new Date(Date.now() + 62 * 86_400_000));
  await grantOnAll();
  assert.equal((await balancesOf(database, id, budget.id))[0], 45);
  await checkLedger(database);
});

test('a closed budget gets no allowance', async () => {
  const { id, call } = await openWorkspace(service);
  const budget = await setBudget(database, id, { allowance: { amount: 10, every: 'MONTH' } });
  assert.equal((await call(`/api/v1/budgets/${budget.id}`, { method: 'DELETE' })).status, 204);
  await database.transaction((tx) => advanceClock(tx, id, 32 * 86_400));
  await beginDuePeriods(database);
  assert.deepEqual(await balancesOf(database, id, budget.id), [0, 0, 0, 0]);
  const { body } = await call<Budget>(`/api/v1/budgets/${budget.id}`);
  assert.equal(body.allowance, null);
});

test('allowances of many budgets are granted in several transactions', async () => {
  const people = Array.from({ length: 60 }, (_, nth) => ({ email: `n${nth}@example.com` }));
  const { id, memberIds } = await openWorkspace(service, { people });
  const allowance = { amount: 10, every: 'MONTH' } as const;
  for (const memberId of memberIds) await setBudget(database, id, { memberId, amount: 5, allowance });
  await database.transaction((tx) => advanceClock(tx, id, 32 * 86_400));
  assert.ok((await beginDuePeriods(database)) >= 60);
  const rows = await database.query<{ transaction: string; budgets: number }>(
    `select xmin::text as transaction, count(*)::int as budgets
       from budgets
      where workspace_id = $1 and kind = 'MEMBER'
      group by 1
      order by 2`,
    [id],
  );
  assert.deepEqual(
    rows.map(({ budgets }) => budgets),
    Array(6).fill(10),
  );
  await checkLedger(database);
});

test('a limit that the database does not hold is refused', async () => {
  const { id } = await setBudget(database, workspace.id, { currency: 'EUR' });
  const limit = (giftLimit: number) =>
    workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { giftLimit } });
  assert.match(refusal(await limit(100_000_000), 400), /giftLimit/);
  assert.equal((await limit(99_999_999)).status, 200);
});

test('a workspace that moves to another time zone gets each month once', async () => {
  for (const [from, to] of [
    ['UTC', 'America/Toronto'],
    ['Pacific/Kiritimati', 'Etc/GMT+12'],
    ['Etc/GMT+12', 'Pacific/Kiritimati'],
  ]) {
    const { id, call } = await openWorkspace(service);
    const move = (timeZone = '') => call('/api/v1/settings', { method: 'PATCH', body: { timeZone } });
    assert.equal((await move(from)).status, 200);
    const budget = await setBudget(database, id, { amount: 5, allowance: { amount: 10, every: 'MONTH' } });
    assert.equal((await move(to)).status, 200);
    const begin = new Date(budget.allowance?.nextAt ?? 0).getTime();
    await database.transaction((tx) => advanceClock(tx, id, (begin + 3 * 86_400_000 - Date.now()) / 1_000));
    await beginDuePeriods(database);
    const { body } = await call<LedgerEntryPage>(`/api/v1/budgets/${budget.id}/entries`);
    const months = body.entries.filter(({ type }) => type === 'ALLOTTED').map(({ note }) => note);
    assert.equal(months.length, 2, `${from} to ${to}: ${months}`);
    assert.notEqual(months[0], months[1], `${from} to ${to}`);
  }
});

test('an allowance is due at the first midnight of its month where midnight comes twice', async () => {
  const { id, call } = await openWorkspace(service);
  const { status } = await call('/api/v1/settings', { method: 'PATCH', body: { timeZone: 'America/Havana' } });
  assert.equal(status, 200);
  // Clocks go back from one o'clock to midnight on the first of November 2037.
  const secondsTo = (moment: string) => (Date.parse(moment) - Date.now()) / 1_000;
  await database.transaction((tx) => advanceClock(tx, id, secondsTo('2037-10-15T12:00:00Z')));
  const budget = await setBudget(database, id, { allowance: { amount: 10, every: 'MONTH' } });
  assert.equal(budget.allowance?.nextAt, '2037-11-01T04:00:00.000Z');
  await database.query(
    `update activity_counters set clock_ahead = clock_ahead + interval '17 days' where workspace_id = $1`,
    [id],
  );
  const { allowance } = await setBudget(database, id, { currency: 'USD', allowance: { amount: 10, every: 'MONTH' } });
  assert.equal(allowance?.nextAt, '2037-12-01T05:00:00.000Z', 'November has begun, and is granted at once');
});

/** A command about budgets of a workspace. */
const runBudget = (workspaceId: number, ...argv: string[]) =>
  giftwire(['budget', ...argv, '--workspace', String(workspaceId), '--json'], { DATABASE_URL: database.url });

test('at the command line, none takes limits and allowances away', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(service.database, workspace.id, { giftLimit: 50 });
  const change = (...argv: string[]) => runBudget(workspace.id, 'change', String(id), ...argv);
  assert.deepEqual(JSON.parse((await change('--monthly', '10')).stdout).allowance.amount, 10);
  const { code, stdout, stderr } = await change('--gift-limit', 'none', '--monthly', 'none');
  assert.equal(code, 0, stderr);
  const { giftLimit, allowance } = JSON.parse(stdout);
  assert.deepEqual([giftLimit, allowance], [null, null]);
});

test('at the command line, an amount counts more than none, and two are refused', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(database, workspace.id, { allowance: { amount: 50, every: 'MONTH' } });
  const change = (...argv: string[]) => runBudget(workspace.id, 'change', String(id), ...argv);
  const two = await change('--monthly', '50', '--yearly', '600');
  assert.deepEqual([two.code, two.stdout], [2, '']);
  assert.match(two.stderr, /^A budget has one allowance: give an amount with --monthly or with --yearly\.\n$/);
  for (const [argv, amount, every] of [
    [['--monthly', 'none', '--yearly', '600'], 600, 'YEAR'],
    [['--monthly', '50', '--yearly', 'none'], 50, 'MONTH'],
    [['--yearly', '600'], 600, 'YEAR'],
  ] as const) {
    const { stdout, stderr } = await change(...argv);
    const { allowance } = JSON.parse(stdout || '{}');
    assert.deepEqual([allowance?.amount, allowance?.every], [amount, every], `${argv.join(' ')}: ${stderr}`);
  }
  assert.equal(JSON.parse((await change('--yearly', 'none')).stdout).allowance, null);
});

test('the command line lists every budget, however many there are', async () => {
  const people = Array.from({ length: 1_001 }, (_, nth) => ({ email: `person${nth}@example.com` }));
  const { id, memberIds } = await openWorkspace(service, { people });
  await database.query(
    `insert into budgets (workspace_id, id, kind, member_id, currency)
     select $1, nextval('budget_ids'), 'MEMBER', m.id, 'CAD' from members m where m.id = any($2::bigint[])`,
    [id, memberIds],
  );
  await sealAsIs(database, id);
  const listed = JSON.parse((await runBudget(id, 'list')).stdout) as Budget[];
  assert.deepEqual(new Set(listed.map(({ member }) => member?.id)), new Set(memberIds));
  assert.equal(listed.length, people.length);
});

test('the times of a budget’s entries never go back, also if the clock does', async () => {
  const { id: workspaceId, call, read } = await openWorkspace(service);
  const { id } = await setBudget(database, workspaceId, { amount: 100 });
  const grant = (amount: number) => call(`/api/v1/budgets/${id}/grants`, { method: 'POST', body: { amount } });
  const moveClock = (ahead: string) =>
    database.query('update activity_counters set clock_ahead = $2::interval where workspace_id = $1', [
      workspaceId,
      ahead,
    ]);
  await moveClock('1 hour');
  assert.equal((await grant(10)).status, 201);
  await moveClock('0');
  assert.equal((await grant(20)).status, 201);
  const { entries } = await read<LedgerEntryPage>(`/api/v1/budgets/${id}/entries`);
  const times = entries.map(({ at }) => at).reverse();
  assert.deepEqual(times, times.toSorted());
  assert.equal(times.length, 3);
  await checkLedger(database);
});
