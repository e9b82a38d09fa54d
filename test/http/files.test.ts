import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setBudget } from '../support/budgets.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}
const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** The address of each file, below a workspace with a budget and a closed payroll export, and the name that the audit log has. */
const files: Record<string, (budgetId: number) => [path: string, name: string]> = {
  '/api/v1/gifts': () => ['gifts', 'gifts'],
  '/api/v1/redemptions': () => ['redemptions', 'redemptions'],
  '/api/v1/balances/members/currencies/{currency}': () => ['balances/members/currencies/CAD', 'balances'],
  '/api/v1/budgets': () => ['budgets', 'budgets'],
  '/api/v1/budgets/{id}/entries': (id) => [`budgets/${id}/entries`, `budget-${id}`],
  '/api/v1/payroll-exports/{number}': () => ['payroll-exports/1', 'payroll-1'],
  '/api/v1/reports/series': () => ['reports/series', 'recognition-over-time'],
  '/api/v1/reports/coverage': () => ['reports/coverage', 'coverage-by-department'],
  '/api/v1/reports/fairness': () => ['reports/fairness', 'fairness'],
  '/api/v1/reports/members/not-recognized': () => ['reports/members/not-recognized', 'not-recognized'],
  '/api/v1/reports/tax-log': () => ['reports/tax-log?year=2026', 'tax-log-2026'],
  '/api/v1/reports/teams/activity': () => ['reports/teams/activity', 'team-activity'],
  '/api/v1/reports/members/last-recognized': () => ['reports/members/last-recognized', 'last-recognized'],
  '/api/v1/automations/occurrences': () => ['automations/occurrences', 'occurrences'],
  '/api/v1/audit': () => ['audit', 'audit-log'],
};

test('the audit log says who downloads a file, for every operation that answers with one', async () => {
  const withFiles = Object.keys(paths).filter((path) => paths[path]?.get?.responses['200']?.content?.['text/csv']);
  assert.deepEqual(Object.keys(files).sort(), withFiles.sort());
  const { workspace, issue } = await giftsOf(service);
  const { id: budgetId } = await setBudget(database, workspace.id, { amount: 100 });
  const [giftId] = (await issue({ email: 'ada@example.com' })) as [number];
  await claim(database, workspace.id, giftId);
  await spend(database, workspace.id, giftId, 'payroll', { amount: 5 });
  await workspace.call('/api/v1/payroll-exports', { method: 'POST' });
  for (const file of Object.values(files)) {
    const [path, name] = file(budgetId);
    const answer = await workspace.call(`/api/v1/${path}`, { headers: { Accept: 'text/csv' } });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/csv; charset=utf-8'], path);
    const found = await database.query(
      `select subject_name as name, detail
         from audit_log
        where workspace_id = $1
          and action = 'file.downloaded'
          and subject_id = $2`,
      [workspace.id, name],
    );
    assert.deepEqual(found, [{ name: `${name}.csv`, detail: { reads: 1 } }], path);
  }
});

test('a file that is not there, or that a caller may not read, leaves no entry', async () => {
  const { workspace } = await giftsOf(service);
  const { token } = await service.addToken({ scopes: ['orders:read'], workspaces: [workspace.id] });
  const headers = { Accept: 'text/csv' };
  assert.equal((await workspace.call('/api/v1/payroll-exports/9', { headers })).status, 404);
  assert.equal((await service.call('/api/v1/gifts', { token, workspace: workspace.id, headers })).status, 403);
  const found = await database.query(
    `select subject_id from audit_log where workspace_id = $1 and action = 'file.downloaded'`,
    [workspace.id],
  );
  assert.deepEqual(found, []);
});
