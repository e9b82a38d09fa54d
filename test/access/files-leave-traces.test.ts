import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setBudget } from '../support/budgets.ts';
import { aGift } from '../support/orders.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

/** The media types of files, and which of them people leave with. */
const fileTypes = ['text/csv', 'application/zip', 'text/html'];

interface Document {
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, { content?: object }> }>>;
}

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as Document;

/** Every operation that responds with a file, from the document of the API: a new one is tested too. */
const files = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) => {
    const media = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
    return fileTypes.filter((type) => media.includes(type)).map((type) => ({ path, method, operationId, type }));
  }),
);

const service = await startService();
const { database } = service;

test('every file of the API leaves an entry in the audit log before its bytes leave', async () => {
  const workspace = await openWorkspace(service, {
    people: [{ email: 'ada@example.com', employeeNumber: 'A-1' }, { email: 'grace@example.com' }],
  });
  const budget = await setBudget(database, workspace.id);
  await offerSpendingOption(database, workspace.id, 'payroll', { kind: 'PAYROLL', name: 'With the salary' });
  const recipient = { email: 'ada@example.com' };
  const order = await workspace.outcome(await workspace.submit([aGift({ recipient }), aGift({ recipient })]));
  const [gift, open] = order.certificates;
  await claim(database, workspace.id, gift?.id as number);
  await spend(database, workspace.id, gift?.id as number, 'payroll');
  await workspace.call('/api/v1/payroll-exports', { method: 'POST' });
  const ids: Record<string, string> = {
    'budgets/{id}': `budgets/${budget.id}`,
    'members/{id}': `members/${workspace.memberIds[0]}`,
    '{number}': '1',
    '{currency}': 'CAD',
  };
  const queries: Record<string, string> = {
    getTaxLog: '?year=2026',
    printGifts: `?ids=${open?.id}`,
  };
  assert.ok(files.length >= 17, 'the document lists the files');
  for (const [nth, { path, method, operationId = '', type }] of files.entries()) {
    // Own data are for a person of the directory.
    const email = operationId === 'getMyData' ? 'grace@example.com' : `reader${nth}@example.com`;
    const { call, user } = await signIn(service, { workspace: workspace.id, email });
    let address = path;
    for (const [name, value] of Object.entries(ids)) address = address.replace(name, value);
    const answer = await call(`${address}${queries[operationId] ?? ''}`, {
      method: method.toUpperCase(),
      headers: { Accept: type },
    });
    assert.equal(answer.status, 200, `${operationId}: ${JSON.stringify(answer.body)}`);
    const entries = await database.query<{ action: string }>(
      `select action from audit_log
        where workspace_id = $1 and actor_id = $2
          and action in ('file.downloaded', 'member.data_read', 'gift.printed')`,
      [workspace.id, user.id],
    );
    assert.equal(entries.length, 1, `${operationId} leaves no trace of who has read the file`);
  }
});
