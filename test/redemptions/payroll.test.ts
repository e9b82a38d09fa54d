import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PayrollExport, PayrollPage, PayrollPreview } from '../../src/ground/contract/payroll.ts';
import type { SpendingOptionSetting } from '../../src/ground/contract/spending-option.ts';
import { checkLedger, tamper } from '../support/budgets.ts';
import { assertFailed } from '../support/commands.ts';
import { recount } from '../support/derived.ts';
import { giftsOf } from '../support/gifts.ts';
import { giftwire } from '../support/process.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

/** A workspace, its claimed gifts of 25 CAD, and what payroll does there. */
async function openPayroll() {
  const { workspace, issue } = await giftsOf(service);
  const { id } = workspace;
  const path = '/api/v1/payroll-exports';
  return {
    workspace,
    async give(...recipients: object[]): Promise<number[]> {
      const gifts = await issue(...recipients);
      for (const gift of gifts) await claim(database, id, gift);
      return gifts;
    },
    spend: async (gift: number, amount?: number) =>
      (await spend(database, id, gift, 'payroll', { amount })).redemption.id,
    reverse: (redemption: number, body: unknown = {}) =>
      workspace.call(`/api/v1/redemptions/${redemption}/reverse`, { method: 'POST', body }),
    close: (headers = {}) => workspace.call<PayrollExport & { message: string }>(path, { method: 'POST', headers }),
    list: (query = '') => workspace.read<PayrollPage>(`${path}${query}`),
    async file(number: number): Promise<string> {
      const { status, body } = await workspace.call<string>(`${path}/${number}`, { headers: { Accept: 'text/csv' } });
      assert.equal(status, 200);
      return body;
    },
  };
}

const ada = { email: 'ada@example.com', employeeNumber: 'A-1', firstName: 'Ada', lastName: 'Lovelace, Countess' };
const ida = { email: 'ida@example.com', employeeNumber: 'I-1', firstName: '=Ida', lastName: 'Ünal' };
const today = new Date().toISOString().slice(0, 10);

/** In UTC, so that the test's day is the workspace's. */
const inUtc = (workspaceId: number) =>
  database.query(`update workspaces set time_zone = 'UTC' where id = $1`, [workspaceId]);

/** Everybody marries, and loses their number. */
async function rename(workspaceId: number, lastName: string): Promise<void> {
  await database.query(`update members set last_name = $2, employee_number = null where workspace_id = $1`, [
    workspaceId,
    lastName,
  ]);
  await recount(database, workspaceId);
}

test('an export has each redemption once, stays the same to the byte, and a reversal is a negative line of a later one', async () => {
  const { workspace, give, spend, reverse, close, list, file } = await openPayroll();
  await inUtc(workspace.id);
  const [one, two] = (await give(ada, ida)) as [number, number];
  const [first, second, third] = [await spend(one, 10.5), await spend(two), await spend(one, 1)];
  await reverse(third);
  assert.equal((await list()).waiting, 2, 'what is reversed before it is exported is never paid');
  const { body: closed } = await close();
  assert.deepEqual([closed.number, closed.lines, closed.totals], [1, 2, [{ currency: 'CAD', amount: 35.5 }]]);
  const before = await file(1);
  assert.deepEqual(before.split('\n'), [
    'employeeNumber,firstName,lastName,amount,currency,date,redemptionId',
    `A-1,Ada,"Lovelace, Countess",10.50,CAD,${today},${first}`,
    `I-1,'=Ida,Ünal,25.00,CAD,${today},${second}`,
    '',
  ]);
  assert.equal(createHash('sha256').update(before).digest('hex'), closed.sha256);

  await rename(workspace.id, 'Byron');
  await offerSpendingOption(database, workspace.id, 'payroll', {
    kind: 'PAYROLL',
    name: 'Salary',
    columns: [{ header: 'x', text: 'y' }],
  });
  assert.equal(await file(1), before);
  await offerSpendingOption(database, workspace.id, 'payroll', { kind: 'PAYROLL', name: 'Salary' });

  const nothing = await close();
  assert.deepEqual([nothing.status, /Nothing is to be paid/.test(nothing.body.message)], [409, true]);
  await reverse(first, { note: 'Left the company' });
  const again = await spend(one, 25);
  const { body: later } = await close();
  assert.deepEqual([later.number, later.lines, later.totals], [2, 2, [{ currency: 'CAD', amount: 14.5 }]]);
  assert.deepEqual((await file(2)).split('\n').slice(1), [
    `,Ada,Byron,-10.50,CAD,${today},${first}`,
    `,Ada,Byron,25.00,CAD,${today},${again}`,
    '',
  ]);
  assert.equal((await close()).status, 409, 'a reversal is in one export');
  assert.equal(await file(1), before);
  const { exports, totalElements, waiting } = await list('?size=1');
  assert.deepEqual([exports.map(({ number }) => number), totalElements, waiting], [[2], 2, 0]);
  assert.deepEqual((await list('?size=1&page=1')).exports[0], closed);
  await checkLedger(database);
});

test('many who close an export at once close one, and a key makes a retry safe', async () => {
  const { give, spend, close, list } = await openPayroll();
  const [gift] = (await give(ada)) as [number];
  await spend(gift, 5);
  const answers = await Promise.all(Array.from({ length: 10 }, () => close()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)]);
  await spend(gift, 5);
  const key = { 'Idempotency-Key': 'November' };
  const replays = await Promise.all(Array.from({ length: 5 }, () => close(key)));
  assert.deepEqual(new Set(replays.map(({ status, body }) => `${status} ${body.number}`)), new Set(['201 2']));
  assert.equal((await list()).totalElements, 2);
});

test('the columns of an export are a setting of the workspace', async () => {
  const { workspace, give, spend, close, file } = await openPayroll();
  const columns = [
    { header: 'Employee', field: 'employeeNumber' },
    { header: 'Code', text: 'GIFT' },
    { header: 'Betrag; CAD', field: 'amount' },
    { header: 'Kind', field: 'type' },
  ] as const satisfies SpendingOptionSetting['columns'];
  const setting = { kind: 'PAYROLL', name: 'Salary', columns };
  const { status } = await workspace.call('/api/v1/spending-options/payroll', { method: 'PUT', body: setting });
  assert.equal(status, 200);
  const [gift] = (await give(ada)) as [number];
  await spend(gift);
  await close();
  assert.equal(await file(1), 'Employee,Code,"Betrag; CAD",Kind\nA-1,GIFT,25.00,PAID\n');
  const wrong = { ...setting, columns: [{ header: 'Both', field: 'amount', text: 'x' }, { header: 'None' }] };
  const refused = await workspace.call<{ message: string }>('/api/v1/spending-options/payroll', {
    method: 'PUT',
    body: wrong,
  });
  assert.match(refused.body.message, /columns\[0\] must have either.*columns\[1\] must have either/);
});

test('an operator closes, lists and reads exports at the command line', async () => {
  const { workspace, give, spend, file, list } = await openPayroll();
  const [gift] = (await give(ada)) as [number];
  await spend(gift, 5);
  const env = { DATABASE_URL: database.url };
  const run = (...argv: string[]) => giftwire(['payroll', ...argv, '--workspace', String(workspace.id)], env);
  for (const directory of [tmpdir(), `${join(tmpdir(), randomUUID())}/`])
    assertFailed(await run('export', directory), / is a directory: name a file in it\.\n$/);
  assert.equal((await list()).totalElements, 0, 'no export is closed whose file cannot be written');
  const exported = await run('export');
  assert.deepEqual([exported.code, exported.stdout], [0, await file(1)], exported.stderr);
  assert.equal((await run('show', '1')).stdout, exported.stdout);
  assert.match((await run('list')).stdout, /^Number .*\n1 .* 5\.00 CAD/);
  assert.match((await run('export')).stderr, /Nothing is to be paid/);
});

test('ledger verify names a payroll line that was changed, removed or doubled', async () => {
  const { workspace, give, spend, close, reverse } = await openPayroll();
  const [gift] = (await give(ada)) as [number];
  const first = await spend(gift, 5);
  await spend(gift, 6);
  await close();
  await reverse(first);
  await close();
  const of = `workspace_id = ${workspace.id}`;
  const cases: [string, RegExp][] = [
    [`update payroll_lines set amount = amount + 0.01 where ${of} and nth = 2`, /Payroll export 1 .* redemption \d+/],
    [
      `update payroll_lines set text = text || 'x' where ${of} and number = 2`,
      /The file of payroll export 2 does not have its hash/,
    ],
    [`delete from payroll_lines where ${of} and number = 1 and nth = 2`, /Payroll export 1 should have redemption/],
    [`update redemptions set exported_in = null where ${of} and state = 'DONE'`, /Payroll export 1 .* redemption \d+/],
    [
      `update payroll_lines set number = 1, nth = 3 where ${of} and number = 2`,
      /Payroll export 2 should have redemption/,
    ],
  ];
  for (const [sql, named] of cases) {
    const said = await tamper(database, sql);
    assert.ok(
      said.some((line) => named.test(line)),
      `${sql}: ${said.join(' ')}`,
    );
  }
  await checkLedger(database);
});

test('the preview of the next export is what closing it then holds', async () => {
  const { workspace, give, spend, reverse, close } = await openPayroll();
  const [first, second, third] = (await give(ada, ida, { email: 'no-number@example.com' })) as [number, number, number];
  const taken = await spend(first, 10);
  await close();
  await reverse(taken);
  await spend(second, 7);
  await spend(third, 5);
  const preview = (query = '') => workspace.read<PayrollPreview>(`/api/v1/payroll-exports/next${query}`);
  const whole = await preview();
  assert.deepEqual(
    whole.lines.map(({ giftId, type, amount, employeeNumber }) => [giftId, type, amount, employeeNumber]),
    [
      [first, 'REVERSED', -10, 'A-1'],
      [second, 'PAID', 7, 'I-1'],
      [third, 'PAID', 5, null],
    ],
  );
  const { waiting, totals, withoutNumber, reversed, next } = whole;
  assert.deepEqual([waiting, totals, withoutNumber, reversed, next], [3, [{ currency: 'CAD', amount: 2 }], 1, 1, null]);
  const start = await preview('?size=2');
  const rest = await preview(`?size=2&after=${start.next}`);
  assert.deepEqual([...start.lines, ...rest.lines], whole.lines);
  const { body } = await close();
  assert.deepEqual([body.number, body.lines, body.totals], [whole.number, waiting, totals]);
  const { number, lines } = await preview();
  assert.deepEqual([number, lines], [whole.number + 1, []]);
});
