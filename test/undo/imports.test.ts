import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { openUndos } from '../support/undo.ts';
import { aShoutout } from '../support/workspace.ts';

const service = await startService();

const file = `email,employeeNumber,firstName,lastName,department,manager,team,status
ada@example.com,1,Ada,Okafor,Lab,,Red,active
ben@example.com,2,Ben,Ito,Shop,ada@example.com,Red,active
cy@example.com,3,Cy,Diaz,Shop,ada@example.com,,active
`;
const second = `email,employeeNumber,firstName,lastName,department,manager,team,status
ada.new@example.com,1,Ada,Okafor-Li,Lab,dee@example.com,Blue,active
ben@example.com,2,Ben,Ito,Sales,ada.new@example.com,Green,active
cy@example.com,3,Cy,Diaz,Shop,ada.new@example.com,,left
dee@example.com,4,Dee,Roy,Lab,,Blue,active
eli@example.com,5,Eli,Moss,Lab,dee@example.com,,left
`;

async function open() {
  const workspace = await openUndos(service);
  const take = async (body: string) => {
    const headers = { 'Content-Type': 'text/csv' };
    const { status, body: done } = await workspace.call('/api/v1/members/import', { method: 'POST', body, headers });
    assert.equal(status, 200, JSON.stringify(done));
    return done;
  };
  const latest = async () => (await workspace.list())[0]?.id ?? '';
  const find = async (email: string) => {
    const { members } = await workspace.members('?includeInactive=true');
    return members.find((one) => one.email === email)?.id ?? 0;
  };
  return { ...workspace, take, latest, find };
}

test('undoing an import gives back people, managers, teams, addresses and leavers, and removes whom it added', async () => {
  const { take, undoing, gift } = await open();
  await take(file);
  await gift({ email: 'ben@example.com' });
  const undone = await undoing(() => take(second));
  assert.equal(undone.kind, 'MEMBER_IMPORT');
  assert.deepEqual(undone.counts, { added: 2, changed: 3, left: 1, returned: 0 });
});

test('undoing the first import of a workspace removes everybody', async () => {
  const { take, undoing } = await open();
  await undoing(() => take(file));
});

test('an import is not undone if a person whom it added was emailed', async () => {
  const { id, take, find, latest, refused } = await open();
  await take(file);
  await service.database.query(
    `insert into digest_mails (workspace_id, kind, period, member_id, state, due_at) values ($1, 'WEEK', current_date, $2, 'SENT', now())`,
    [id, await find('ada@example.com')],
  );
  assert.match(await refused(await latest()), /added by it, and received/);
});

test('an import is not undone as long as a person whom it added has received or given something', async () => {
  const { take, gift, given, latest, refused } = await open();
  await take(file);
  await gift({ email: 'ben@example.com' });
  assert.match(await refused(await latest()), /^This cannot be undone: member \d+ was added by it, and received/);
  await take(second);
  await given(aShoutout({ recipient: { email: 'dee@example.com' } }));
  assert.match(await refused(await latest()), /added by it, and received/);
});

test('an import is not undone if one of its people was changed, merged or used since', async () => {
  const { take, latest, refused, find, call, change, merge } = await open();
  await take(file);
  const imported = await latest();
  const ada = await find('ada@example.com');
  await change(ada, { phone: '+1 555' });
  assert.match(await refused(imported), new RegExp(`member ${ada} was changed since`));
  await change(ada, { phone: null });
  await call('/api/v1/users', { method: 'POST', body: { email: 'ben@example.com', name: 'Ben', role: 'AUDITOR' } });
  await merge(ada, await find('cy@example.com'));
  assert.match(await refused(imported), /were changed since/);
});

test('an import is not undone if a person reports to one whom it added', async () => {
  const { take, latest, refused, find, addPeople } = await open();
  await take(file);
  await addPeople([{ email: 'fay@example.com', managerId: await find('ada@example.com') }]);
  assert.match(await refused(await latest()), /has come to depend on it/);
});

test('an import is not undone if a person whom it added has become a user', async () => {
  const { take, latest, refused, call } = await open();
  await take(file);
  const user = { email: 'ben@example.com', name: 'Ben', role: 'AUDITOR' };
  assert.equal((await call('/api/v1/users', { method: 'POST', body: user })).status, 201);
  assert.match(await refused(await latest()), /has come to depend on it/);
});

test('a manager who was not known before an import is not known after it was undone', async () => {
  const { take, undoing, addPeople } = await open();
  await addPeople([{ email: 'fay@example.com', managerReference: 'ada@example.com' }]);
  await undoing(() => take(file));
});

test('imports are undone in any order as long as they are about other people', async () => {
  const { take, list, undo, refused, state } = await open();
  const empty = await state();
  await take('email\na@example.com\n');
  await take('email\nb@example.com\n');
  await take('email,firstName\nb@example.com,Bo\n');
  const [third, other, first] = await list();
  assert.match(await refused(other?.id ?? ''), /changed since/);
  for (const one of [first, third, other]) assert.equal((await undo(one?.id ?? '')).status, 200);
  assert.deepEqual(await state(), empty);
});

test('an import that changes nothing, and a dry run, leave nothing to undo', async () => {
  const { take, call, list } = await open();
  await take(file);
  await take(file);
  const headers = { 'Content-Type': 'text/csv' };
  await call('/api/v1/members/import?dryRun=true', { method: 'POST', body: second, headers });
  assert.equal((await list()).length, 1);
});

test('undoing an import has one event', async () => {
  const { take, latest, undo, read } = await open();
  await take(file);
  await take(second);
  const { latest: next } = await read<{ latest: number }>('/api/v1/events');
  const id = await latest();
  await undo(id);
  const { events } = await read<{ events: { type: string; data: object }[] }>(`/api/v1/events?after=${next}`);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['members.import_undone', { importId: id, removed: 2, changed: 3, left: 0, returned: 1 }]],
  );
});
