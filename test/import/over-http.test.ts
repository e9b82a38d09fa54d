import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportResult } from '../../src/contract/member-import.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', firstName: 'Ada' }] });
const send = (file: string | Uint8Array<ArrayBuffer>, query = '') =>
  workspace.call<ImportResult>(`/api/v1/members/import${query}`, {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': 'text/csv' },
  });
async function imported(file: string, query = ''): Promise<ImportResult> {
  const { status, body } = await send(file, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const emails = async () => (await workspace.members('?size=100')).members.map(({ email }) => email);

test('a dry run says what would change, row by row, and changes nothing', async () => {
  const file = 'email,firstName,manager\nnia@example.com,Nia,ada@example.com\nada@example.com,Adah,\nwrong,X,\n';
  const before = await emails();
  const told = await imported(file, '?dryRun=true');
  assert.partialDeepStrictEqual(told, { dryRun: true, complete: true, rows: 3, added: 1, changed: 1, rejected: 1 });
  assert.deepEqual(
    told.changes.map(({ line, change, fields }) => [line, change, fields]),
    [
      [2, 'added', []],
      [3, 'changed', ['firstName']],
    ],
  );
  assert.deepEqual(
    told.faults.map(({ line }) => line),
    [4],
  );
  assert.match(told.rejectedRows ?? '', /^line,reason,email,firstName,manager\n4,.*wrong,X,\n$/);
  assert.deepEqual(await emails(), before);
  const { dryRun, changes, ...done } = await imported(file);
  const { dryRun: _dry, changes: _changes, ...asTold } = told;
  assert.deepEqual([dryRun, done], [false, asTold], 'the import does what the dry run said');
  assert.deepEqual(await emails(), ['ada@example.com', 'nia@example.com']);
});

test('columns can be mapped, other encodings named', async () => {
  const map = encodeURIComponent('{"Mail":"email","Vorname":"firstName","Extra":null}');
  const bytes = Buffer.from('Mail,Vorname,Extra\nbj@example.com,Bj\xf6rn,1\n', 'latin1');
  const { body } = await send(new Uint8Array(bytes), `?encoding=windows-1252&map=${map}`);
  assert.deepEqual(body.columns, { email: 'Mail', firstName: 'Vorname' });
  assert.equal((await workspace.members('?search=björn')).totalElements, 1);
  assert.match(refusal(await send(new Uint8Array(bytes)), 400), /not UTF-8/);
});

test('a file or a parameter at fault is refused with what to do', async () => {
  for (const [file, query, says] of [
    ['', '', /The file is empty/],
    ['a,b\n1,2\n', '', /No column is an email or an employeeNumber/],
    ['email\n', '?map=x', /map must be a JSON object/],
    ['email\n', '?map=%7B%22email%22%3A%22shoe%22%7D', /map must be a JSON object/],
    ['email\n', '?encoding=klingon', /encoding must be/],
    ['email\n', '?dateFormat=tomorrow', /dateFormat must be/],
    ['email\n', '?dry=true', /dry is not a parameter/],
  ] as const)
    assert.match(refusal(await send(file, query), 400), says, query);
  refusal(await workspace.call('/api/v1/members/import', { method: 'POST', body: {} }), 415);
});

test('too many leavers at once are held back, unless they are allowed', async () => {
  const many = Array.from({ length: 30 }, (_, n) => `p${n}@example.com`);
  await imported(`email\n${many.join('\n')}\n`);
  const leaving = `email,active\n${many.map((email) => `${email},no`).join('\n')}\n`;
  const held = await imported(leaving);
  assert.deepEqual([held.heldBack, held.leaving, held.changes[0]?.change], [30, 0, 'heldBack']);
  assert.equal((await imported(leaving, '?allowLeavers=30')).leaving, 30);
});
