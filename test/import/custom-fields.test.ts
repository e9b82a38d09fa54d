import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportMembers } from '../../src/company/import/export.ts';
import { importMembers } from '../../src/company/import/import.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import type { ImportResult } from '../../src/ground/contract/member-import.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

async function open() {
  const workspace = await openWorkspace(service);
  for (const body of [
    { key: 'shirtSize', label: 'Size of shirt', kind: 'CHOICE', choices: ['S', 'M', 'n/a'] },
    { key: 'floor', label: 'Office', kind: 'NUMBER' },
    { key: 'probationEnds', label: 'End of probation', kind: 'DATE' },
    { key: 'hobby', label: 'Hobby', kind: 'TEXT' },
  ])
    assert.equal((await workspace.call('/api/v1/custom-fields', { method: 'POST', body })).status, 201);
  const bring = async (file: string, query = '') => {
    const call = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: file };
    return (await workspace.call<ImportResult>(`/api/v1/members/import${query}`, call)).body;
  };
  const people = async () => {
    const { members } = await workspace.read<{ members: Member[] }>('/api/v1/members?includeInactive=true');
    return Object.fromEntries(members.map(({ email, custom }) => [email?.split('@')[0], custom]));
  };
  return { workspace, bring, people };
}

test('columns are found by key or label in any case, before what HR systems call other fields, and the same file again changes nothing', async () => {
  const { bring, people } = await open();
  const file = `Email,SHIRTSIZE,Office,"END of probation",hobby,Location
ada@example.com,m,'-12.5,31/12/2026,=Chess,Berlin
li@example.com,N/A,,,n/a,Bern
`;
  const first = await bring(file);
  assert.deepEqual([first.added, first.rejected, first.notUnderstood], [2, 0, []]);
  assert.deepEqual(first.columns, {
    ...{ email: 'Email', location: 'Location' },
    ...{ 'custom.shirtSize': 'SHIRTSIZE', 'custom.floor': 'Office' },
    ...{ 'custom.probationEnds': 'END of probation', 'custom.hobby': 'hobby' },
  });
  assert.deepEqual(await people(), {
    ada: { shirtSize: 'M', floor: -12.5, probationEnds: '2026-12-31', hobby: '=Chess' },
    li: { shirtSize: 'n/a' },
  });
  const second = await bring(file);
  assert.deepEqual([second.unchanged, second.changed], [2, 0]);
});

test('a cell changes its field alone, an empty cell removes the value, and the changes name the fields', async () => {
  const { bring, people } = await open();
  await bring('email,shirtSize,floor,hobby\nada@example.com,S,1,Chess\n');
  const { changed, changes } = await bring('email,floor,shirtSize\nada@example.com,2,\n');
  assert.equal(changed, 1);
  assert.deepEqual(changes[0]?.fields, ['custom.shirtSize', 'custom.floor']);
  assert.deepEqual(await people(), { ada: { floor: 2, hobby: 'Chess' } });
});

test('a wrong value makes its row invalid, with what is wrong, and the other rows are imported', async () => {
  const { bring, people } = await open();
  const { added, rejected, faults } = await bring(`email,shirtSize,floor,probationEnds,hobby
ada@example.com,XXL,1,,
li@example.com,S,third,,
jo@example.com,S,3,soon,
mo@example.com,S,3,,${'x'.repeat(201)}
al@example.com,S,4,,
`);
  assert.deepEqual([added, rejected], [1, 4]);
  assert.deepEqual(
    faults.map(({ reason }) => reason.replace(/x{201}/, '…').replace(/: write.*/, '')),
    [
      'shirtSize "XXL" must be one of S, M, n/a',
      'floor "third" must be a number of at most 15 digits, with at most 6 decimals',
      'probationEnds "soon" is not understood',
      'hobby "…" must have at most 200 characters',
    ],
  );
  assert.deepEqual(await people(), { al: { shirtSize: 'S', floor: 4 } });
});

test('a caller may say which column is a custom field and what its values mean; a field that does not exist is rejected', async () => {
  const { workspace, bring, people } = await open();
  const query = (map: object, value: object = {}) =>
    `?map=${encodeURIComponent(JSON.stringify(map))}&value=${encodeURIComponent(JSON.stringify(value))}`;
  const file = 'email,T-Shirt\nada@example.com,medium\n';
  await bring(file, query({ 'T-Shirt': 'custom.shirtSize' }, { 'custom.shirtSize': { Medium: 'M' } }));
  assert.deepEqual(await people(), { ada: { shirtSize: 'M' } });
  const call = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: file };
  const path = `/api/v1/members/import${query({ 'T-Shirt': 'custom.shoe' })}`;
  const { status, body } = await workspace.call<{ message: string }>(path, call);
  assert.equal(status, 400);
  assert.match(body.message, /no field custom\.shoe: define it first\. It has custom\.shirtSize, custom\.floor/);
});

test('an export has a column for each field, and an import of it changes nothing, also in another workspace with the same fields', async () => {
  const { workspace, bring, people } = await open();
  await bring(`email,shirtSize,floor,probationEnds,hobby
ada@example.com,M,-3,2027-01-31,"=1+1, ""x""; -2"
li@example.com,n/a,0.5,,'quoted
`);
  let text = '';
  const write = async (part: string) => {
    text += part;
  };
  await exportMembers(service.database, { workspaceId: workspace.id }, write);
  assert.match(text.split('\n')[0] ?? '', /,leavingDate,shirtSize,floor,probationEnds,hobby$/);
  const again = await bring(text);
  assert.deepEqual([again.unchanged, again.changed, again.rejected], [2, 0, 0]);
  const other = await open();
  await other.bring(text);
  assert.deepEqual(await other.people(), await people());
});

test('values that were checked with other fields than the workspace has now are not written', async () => {
  const { workspace, people } = await open();
  async function* file() {
    yield Buffer.from('email,hobby\nada@example.com,Chess\n');
    await workspace.call('/api/v1/custom-fields/hobby', { method: 'DELETE' });
    yield Buffer.from('li@example.com,Go\n');
  }
  const options = { workspaceId: workspace.id, actor: theService, batchRows: 1, writeRejected: async () => {} };
  const { stopped, added } = await importMembers(service.database, file(), options);
  assert.match(String(stopped?.error), /The custom fields were changed during the import: import the file again/);
  assert.equal(added, 1);
  assert.deepEqual(await people(), { ada: {} });
});
