import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { grantMoney } from '../../src/giving/budgets/grants.ts';
import type { Budget } from '../../src/ground/contract/budget.ts';
import type { LedgerVerification } from '../../src/ground/contract/ledger.ts';
import type { LedgerEntryPage } from '../../src/ground/contract/ledger-entry.ts';
import { startHistory } from '../../src/ground/database/history.ts';
import { checkLedger, setBudget } from '../support/budgets.ts';
import { runJson } from '../support/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const tokenKey = 'a key that is long enough for a test';
const { stop, workspaceId } = await startService({ role: 'api', database, tokenKey });
const { id } = await setBudget(database, workspaceId, { amount: 1 });
const grant = (amount: number) =>
  database.transaction((tx) => grantMoney(tx, atTheCommandLine, workspaceId, id, { amount }));
for (const amount of [2, 3, 4]) await grant(amount);
await stop();
// The second history has no entry of this budget.
await startHistory(database, 'a test');
await startHistory(database, 'a test');
await startHistory(database, 'a test');
for (const amount of [5, 6, 7]) await grant(amount);
await startHistory(database, 'a test');
for (const amount of [8, 9]) await grant(amount);
const all = [9, 8, 7, 6, 5, 4, 3, 2, 1];

const service = await startService({ role: 'api', database, tokenKey });
const { token } = await service.addToken({ workspaces: [workspaceId] });
const read = async <Body>(path: string) => (await service.call<Body>(path, { token, workspace: workspaceId })).body;
const env = { DATABASE_URL: database.url };

test('pages of a ledger have all entries of all histories, wherever a page begins', async () => {
  assert.equal((await read<Budget>(`/api/v1/budgets/${id}`)).entries, all.length);
  for (const size of [1, 2, 3, 4, 5, 8, 9, 20]) {
    const pages: LedgerEntryPage[] = [];
    for (let page = 0; page <= Math.ceil(all.length / size); page++)
      pages.push(await read<LedgerEntryPage>(`/api/v1/budgets/${id}/entries?size=${size}&page=${page}`));
    assert.deepEqual(
      pages.map(({ entries }) => entries.map(({ amount }) => amount)),
      pages.map((_, page) => all.slice(page * size, (page + 1) * size)),
    );
    assert.ok(pages.every(({ totalElements }) => totalElements === all.length));
  }
});

test('the file of a ledger ends, and has all entries of all histories', async () => {
  const { body } = await service.call<string>(`/api/v1/budgets/${id}/entries`, {
    token,
    workspace: workspaceId,
    headers: { Accept: 'text/csv' },
  });
  const amounts = body
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => Number(line.split(',')[5]));
  assert.deepEqual(amounts, all);
});

test('verification counts entries, whatever their numbers are', async () => {
  await checkLedger(database);
  const { entries, chains } = await read<LedgerVerification>('/api/v1/ledger/verify');
  assert.deepEqual([entries, chains], [all.length, 1]);
  const { stdout } = await giftwire(['ledger', 'verify'], env);
  assert.equal(stdout, `The books agree: ${all.length} entries in 1 chain.\n`);
  const heads = await runJson<{ budgetId?: number; entries?: number; seals?: number }[]>(['ledger', 'heads'], env);
  assert.equal(heads.find(({ budgetId }) => budgetId === id)?.entries, all.length);
  const { rows } = await database.pool.query<{ seals: number }>(
    'select count(*)::int as seals from seals where workspace_id = $1',
    [workspaceId],
  );
  const sealed = heads.filter(({ seals }) => seals !== undefined).map(({ seals }) => seals);
  assert.ok(sealed.includes(rows[0]?.seals), `${sealed} and not ${rows[0]?.seals}`);
  await giftwire(['ledger', 'verify', '--full'], env);
  const { checkpoint } = await read<LedgerVerification>('/api/v1/ledger/verify');
  assert.equal(checkpoint?.entries, all.length);
});

test('events that a webhook has not received are counted, whatever their numbers are', async () => {
  const workspace = await openWorkspace(service);
  await workspace.call('/api/v1/webhooks', { method: 'POST', body: { url: 'http://127.0.0.1:9/' } });
  await workspace.addPeople([{ email: 'ada@example.com' }, { email: 'ida@example.com' }]);
  await startHistory(database, 'a test');
  await workspace.addPeople([{ email: 'mei@example.com' }]);
  const { rows } = await database.pool.query<{ events: number }>(
    `select count(*)::int as events
       from events e
       join webhooks w on w.workspace_id = e.workspace_id and e.number > w.cursor
      where e.workspace_id = $1`,
    [workspace.id],
  );
  const { body } = await service.call<string>('/metrics', { token: null, workspace: null });
  assert.equal(Number(/^giftwire_webhook_lag_events (.+)$/m.exec(body)?.[1]), rows[0]?.events);
});
