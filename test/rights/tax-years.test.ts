import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import type { PayrollExport } from '../../src/ground/contract/payroll.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { previewErasure } from '../../src/insight/rights/preview.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { removeOldIdentities } from '../../src/spending/redemptions/tax-retention.ts';
import { checkLedger } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

// What tax law keeps of erased people goes when its years are over, and the books still agree.

const service = await startService();
const { database } = service;

const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace, Countess' };
const nia = { email: 'nia@example.com', firstName: 'Nia', lastName: 'Osei' };

/** Ada and Nia are in the first payroll file. Ada's redemption is reversed, the second file takes it back, and the third pays it again. */
async function openPayroll() {
  const { workspace, issue } = await giftsOf(service);
  const { id } = workspace;
  const [ofAda = 0, ofNia = 0] = await issue({ ...ada, employeeNumber: null }, { ...nia, employeeNumber: null });
  for (const gift of [ofAda, ofNia]) await claim(database, id, gift);
  const { redemption } = await spend(database, id, ofAda, 'payroll');
  await spend(database, id, ofNia, 'payroll');
  const path = '/api/v1/payroll-exports';
  const post = async (to: string) => {
    const { status, body } = await workspace.call(to, { method: 'POST', body: {} });
    assert.ok(status < 300, JSON.stringify(body));
  };
  await post(path);
  await post(`/api/v1/redemptions/${redemption.id}/reverse`);
  await post(path);
  await spend(database, id, ofAda, 'payroll');
  await post(path);
  const idOf = async ({ email }: { email: string }) => {
    const sql = 'select id from members where workspace_id = $1 and email = $2';
    return (await database.query<{ id: number }>(sql, [id, email]))[0]?.id as number;
  };
  return {
    workspace,
    adaId: await idOf(ada),
    async file(number: number) {
      const { body } = await workspace.call<string>(`${path}/${number}`, { headers: { Accept: 'text/csv' } });
      const { sha256 } = await workspace.read<PayrollExport>(`${path}/${number}`);
      return { text: body, hasItsHash: createHash('sha256').update(body).digest('hex') === sha256 };
    },
  };
}

async function erase(workspaceId: number, id: number): Promise<void> {
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspaceId, id));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspaceId]);
  await eventually(async () => {
    while (await runErasure(database));
    const [left] = await database.query(`select from erasures where workspace_id = $1 and state <> 'DONE'`, [
      workspaceId,
    ]);
    return left === undefined;
  });
}

const endYears = (workspaceId: number) =>
  database.query('update tax_identities set keep_until = current_date - 1 where workspace_id = $1', [workspaceId]);

test('lines of payroll files name an erased person until the years of tax law are over, and their hashes agree', async () => {
  const { workspace, adaId, file } = await openPayroll();
  const { kept } = await previewErasure(database, workspace.id, adaId);
  const until = `${new Date().getUTCFullYear() + 7}-12-31`;
  assert.deepEqual(
    kept.filter(({ kind }) => kind === 'PAYROLL_LINES'),
    [{ kind: 'PAYROLL_LINES', count: 3, until }],
  );
  await erase(workspace.id, adaId);
  const before = [await file(1), await file(2)];
  await removeOldIdentities(database);
  assert.deepEqual([await file(1), await file(2)], before, 'not before');
  for (const { text } of before) assert.match(text, /Lovelace/);

  await endYears(workspace.id);
  await Promise.all([removeOldIdentities(database), removeOldIdentities(database)]);
  const lines = before[0]?.text.split('\n') ?? [];
  assert.deepEqual(await file(1), {
    text: [lines[0], '…,,,,,,', lines[2], ''].join('\n'),
    hasItsHash: true,
  });
  assert.deepEqual(await file(2), { text: [lines[0], '…,,,,,,', ''].join('\n'), hasItsHash: true });
  assert.match(lines[2] ?? '', /Nia,Osei/);
  const left = await database.query('select from tax_identities where workspace_id = $1', [workspace.id]);
  assert.equal(left.length, 0);
  await checkLedger(database);
});

test('a file that was changed with SQL gets no new hash: verification still reports it', async () => {
  const { workspace, adaId } = await openPayroll();
  await erase(workspace.id, adaId);
  await endYears(workspace.id);
  await database.query(`update payroll_lines set text = replace(text, 'Osei', 'Oh') where workspace_id = $1`, [
    workspace.id,
  ]);
  await removeOldIdentities(database);
  const [line] = await database.query('select from payroll_lines where workspace_id = $1 and text like $2', [
    workspace.id,
    '%Lovelace%',
  ]);
  assert.equal(line, undefined);
  const { faults } = await verifyLedger(database, { known: [] });
  assert.deepEqual(
    faults.filter(({ workspaceId }) => workspaceId === workspace.id).map(({ problem }) => problem),
    ['The file of payroll export 1 does not have its hash: it was changed.'],
  );
});
