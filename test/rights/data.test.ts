import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { dataFiles } from '../../src/insight/rights/data-files.ts';
import { declaredData } from '../../src/insight/rights/declared.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';
import { unzip } from '../support/zip.ts';

const service = await startService();

async function download(workspaceId: number, memberId: number) {
  const { token } = await service.addToken({ workspaces: [workspaceId], scopes: ['people:erase'] });
  const answer = await fetch(`${service.url}/api/v1/members/${memberId}/data`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': String(workspaceId), Accept: 'application/zip' },
  });
  assert.equal(answer.status, 200);
  return { answer, files: unzip(Buffer.from(await answer.arrayBuffer())) };
}

test('the file of a person has what they received and wrote, and of others only what these wrote to them', async () => {
  const people = [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', birthday: '03-31' },
    { email: 'grace@example.com', firstName: 'Grace', lastName: 'Kowalski', employeeNumber: 'G-77' },
  ];
  const workspace = await openWorkspace(service, { people, actsAs: 'grace@example.com' });
  const [ada = 0, grace = 0] = workspace.memberIds;
  await inWorkspace(service.database, workspace.id, (tx) =>
    updateMembers(tx, workspace.id, [{ id: ada, managerId: grace }]),
  );
  await workspace.gift({ email: 'ada@example.com' });
  await workspace.given(aShoutout({ message: 'For <b>Ada</b>, =1+1' }));
  const path = `/api/v1/members/${ada}/data`;
  const { answer, files } = await download(workspace.id, ada);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="data-\d+-[\d-]{10}\.zip"$/);
  const data = JSON.parse(files.get('data.json') ?? '');
  assert.equal(data.profile[0].birthday, '03-31');
  assert.equal(data['gifts-received'].length, 1);
  assert.deepEqual(
    data.shoutouts.map(({ from, direction }: Record<string, string>) => [from, direction]),
    [['Grace Kowalski', 'received']],
  );
  assert.deepEqual(data.place, [{ what: 'manager', value: 'Grace Kowalski', from: null, until: null }]);
  assert.ok(!files.get('index.html')?.includes('<b>Ada'), 'texts are escaped');
  assert.match(files.get('index.html') ?? '', /For .*Ada/);
  assert.match(files.get('shoutouts.csv') ?? '', /^\uFEFFat,direction,from,text/);
  const all = [...files.values()].join('\n');
  for (const text of ['grace@example.com', 'G-77']) assert.ok(!all.includes(text), `${text} is of another person`);
  const other = await service.addToken({ workspaces: [workspace.id], scopes: ['directory:read', 'directory:write'] });
  assert.equal((await service.call(path, { token: other.token, workspace: workspace.id })).status, 403);
  const [read] = await service.database.query<{ count: number }>(
    `select count(*) from audit_log where workspace_id = $1 and action = 'member.data_read'`,
    [workspace.id],
  );
  assert.equal(read?.count, 1);
});

test('after a merge one file has what both records received and wrote', async () => {
  const people = [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
    { email: 'grace@example.com', firstName: 'Grace', lastName: 'Kowalski' },
    { employeeNumber: 'A-12', firstName: 'Ada', lastName: 'Okafor' },
  ];
  const workspace = await openWorkspace(service, { people, actsAs: 'grace@example.com' });
  const [ada = 0, , duplicate = 0] = workspace.memberIds;
  await workspace.gift({ email: 'ada@example.com' });
  await workspace.gift({ employeeNumber: 'A-12' });
  await workspace.given(aShoutout({ recipient: { employeeNumber: 'A-12' }, message: 'To the number.' }));
  await workspace.given(aShoutout({ recipient: { email: 'ada@example.com' }, message: 'To the address.' }));
  await inWorkspace(service.database, workspace.id, (tx) => mergeMembers(tx, theService, workspace.id, duplicate, ada));
  const { files } = await download(workspace.id, ada);
  const data = JSON.parse(files.get('data.json') ?? '');
  assert.equal(data['gifts-received'].length, 2);
  assert.deepEqual(data.shoutouts.map(({ text }: { text: string }) => text).sort(), [
    'To the address.',
    'To the number.',
  ]);
  assert.equal(data.profile[0].employeeNumber, 'A-12');
  assert.match(files.get('index.html') ?? '', /To the number\./);
});

test('every table with rows of a person is in the file', () => {
  const inFile = dataFiles.flatMap(({ tables }) => tables);
  const without = declaredData.filter(({ table, rows }) => rows && !inFile.includes(table)).map(({ table }) => table);
  assert.deepEqual(without, [], 'add these to a file of src/insight/rights/data-files.ts');
});

/** Tables that refer to people and are not in the file, and why. */
const notInFile: Readonly<Record<string, string>> = {
  automation_looks: 'a place in a list of people that is being looked through',
  automation_turns: 'the token or session that has moved the test clock',
  employee_links: 'a link that lives for minutes',
  erased_marks: 'people who are in it have no file',
  erasure_runs: 'people who are in it have no file',
  order_budgets: 'which budget an order of theirs draws on: “gifts sent” has the order',
  order_approvals: 'why an order of theirs waited: “gifts sent” has the order',
  recognition_days: 'counts of all people',
  sender_month_orders: 'orders that “sent in a month” adds up',
  tax_identities: 'people who are in it have no file',
};

test('every table that refers to people is in the file, or the list says why not', async () => {
  const rows = await service.database.query<{ name: string }>(
    `select distinct table_name as name
       from information_schema.columns
      where table_schema = current_schema()
        and column_name ~ '(^|_)(member_id|member_ids|sender_id|receiver_id|deputy_id|decided_by|members)$'
      order by 1`,
  );
  const inFile = dataFiles.flatMap(({ tables }) => tables);
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !inFile.includes(name) && !notInFile[name]),
    [],
  );
  for (const name of Object.keys(notInFile)) assert.ok(!inFile.includes(name), `${name} is in the file`);
});
