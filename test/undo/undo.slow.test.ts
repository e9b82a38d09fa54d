import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeExpiredUndos } from '../../src/company/undo/undo.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import type { AuditEntry } from '../../src/ground/contract/audit.ts';
import type { UndoableChange } from '../../src/ground/contract/undo.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { findTraces } from '../support/traces.ts';
import { openUndos } from '../support/undo.ts';

const service = await startService();
const { database } = service;

async function open() {
  const people = [{ email: 'ada@example.com', firstName: 'Ada' }, { email: 'ada.o@example.com' }];
  const workspace = await openUndos(service, { people });
  const [ada = 0, other = 0] = workspace.memberIds;
  const post = async (path: string, body: unknown = {}, method = 'POST') => {
    const answer = await workspace.call<{ id: number }>(path, { method, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const importFile = (body: string) =>
    workspace.call('/api/v1/members/import', { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body });
  const latest = async () => (await workspace.list())[0]?.id ?? '';
  return { ...workspace, ada, other, post, importFile, latest };
}

test('undoing a change of a role, and its removal, gives the role back', async () => {
  const { post, undoing, undo, list, call, latest, refused } = await open();
  await post('/api/v1/users', { email: 'owner@example.com', name: 'Olu', role: 'OWNER' });
  const { id } = await post('/api/v1/users', { email: 'ada@example.com', name: 'Ada', role: 'AUDITOR' });
  const undone = await undoing(() => post(`/api/v1/users/${id}`, { role: 'PEOPLE_TEAM' }, 'PATCH'));
  assert.deepEqual([undone.kind, undone.subjectId, undone.subjectName], ['USER_ROLE', id, 'Ada']);
  await undoing(() => call(`/api/v1/users/${id}`, { method: 'DELETE' }));
  await post(`/api/v1/users/${id}`, { role: 'PEOPLE_TEAM' }, 'PATCH');
  const first = await latest();
  await post(`/api/v1/users/${id}`, { role: 'MANAGER' }, 'PATCH');
  assert.match(await refused(first), /role of this user was changed since/);
  assert.equal((await undo(await latest())).status, 200);
  assert.equal((await undo(first)).status, 200);
  assert.deepEqual(await list(), []);
});

test('a user who gets the only role back needs a new link', async () => {
  const { post, call, id, latest, undo } = await open();
  const { user, call: asAda } = await signIn(service, { workspace: id, email: 'only@example.com', role: 'AUDITOR' });
  await call(`/api/v1/users/${user.id}`, { method: 'DELETE' });
  assert.equal((await undo(await latest())).status, 200);
  const { users } = (await call<{ users: { id: number; sessions: number }[] }>('/api/v1/users')).body;
  assert.deepEqual(
    users.map((one) => [one.id, one.sessions]),
    [[user.id, 0]],
  );
  await eventually(
    async () => (await asAda('/api/v1/me')).status,
    (status) => status === 401,
  );
  await post(`/api/v1/users/${user.id}/link`);
});

test('undoing the removal of a reason offers it again, unless it is offered already', async () => {
  const { post, call, undoing, latest, refused } = await open();
  const { id } = await post('/api/v1/reasons', { description: 'Mentoring' });
  const remove = () => call(`/api/v1/reasons/${id}`, { method: 'DELETE' });
  const undone = await undoing(remove);
  assert.deepEqual([undone.kind, undone.subjectName], ['REASON', 'Mentoring']);
  await remove();
  const change = await latest();
  await post('/api/v1/reasons', { description: 'Mentoring' });
  assert.match(await refused(change), /offered again already/);
});

test('a change is undone once, also by two at the same time', async () => {
  const { ada, other, post, latest, undo } = await open();
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  const id = await latest();
  const answers = await Promise.all([undo(id), undo(id), undo(id)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const again = await undo(id);
  assert.deepEqual([again.status, again.body.message], [409, 'This was undone already.']);
  assert.equal((await undo('019a8c1e-6a2b-7d4c-8e1f-2a3b4c5d6e7f')).status, 404);
});

test('a repeated request with the same key gets the same response', async () => {
  const { ada, other, post, latest, undo } = await open();
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  const headers = { 'Idempotency-Key': 'undo-1' };
  const id = await latest();
  const [first, second] = [await undo(id, { headers }), await undo(id, { headers })];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.deepEqual(second.body, first.body);
});

test('after its time a change cannot be undone, and what was kept for it is removed', async () => {
  const { id, importFile, list, latest, refused } = await open();
  await importFile('email\nben@example.com\n');
  const [change] = await list();
  assert.ok(change);
  assert.equal(Date.parse(change.expiresAt) - Date.parse(change.at), 24 * 3_600_000);
  const later = `update undos set expires_at = now() where workspace_id = $1`;
  await database.query(later, [id]);
  assert.deepEqual(await list(), []);
  assert.match(await refused(change.id), /possible for 24 hours/);
  await importFile('email\ncy@example.com\n');
  while ((await removeExpiredUndos(database)) > 0);
  const kept = await database.query('select undo_id as id from undo_members where workspace_id = $1', [id]);
  assert.deepEqual(kept, [{ id: await latest() }]);
});

test('what is undone needs the scopes of the change', async () => {
  const { id, ada, other, post, call, list } = await open();
  const user = await post('/api/v1/users', { email: 'ada@example.com', name: 'Ada', role: 'AUDITOR' });
  await post(`/api/v1/users/${user.id}`, { role: 'APPROVER' }, 'PATCH');
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  const all = await list();
  const allowed = async (scopes: readonly string[]) => {
    const { token } = await service.addToken({ workspaces: [id], scopes: scopes as never });
    const { body } = await call<{ changes: UndoableChange[] }>('/api/v1/undo', { token });
    const kinds = body.changes?.map(({ kind }) => kind) ?? null;
    for (const change of all)
      if (!kinds?.includes(change.kind))
        assert.equal((await call(`/api/v1/undo/${change.id}`, { method: 'POST', token })).status, 403);
    return kinds;
  };
  assert.deepEqual(await allowed(['directory:read']), null);
  assert.deepEqual(await allowed(['directory:write']), ['MEMBER_MERGE']);
  assert.deepEqual(await allowed(['directory:write', 'users:manage']), ['MEMBER_MERGE']);
  const manager = await signIn(service, { workspace: id, role: 'MANAGER', email: 'ada.o@example.com' });
  assert.equal((await manager.call('/api/v1/undo')).status, 403);
});

test('another workspace knows nothing of a change', async () => {
  const { ada, other, post, latest } = await open();
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  const stranger = await open();
  assert.equal((await stranger.undo(await latest())).status, 404);
  assert.deepEqual(await stranger.list(), []);
});

test('undoing has its entry in the audit log', async () => {
  const { ada, other, post, latest, undo, importFile, read } = await open();
  await importFile('email,department\nada@example.com,Lab\nben@example.com,\n');
  await undo(await latest());
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  await undo(await latest());
  const { entries } = await read<{ entries: AuditEntry[] }>('/api/v1/audit?size=10');
  assert.deepEqual(
    entries
      .filter(({ action }) => action.endsWith('_undone'))
      .map(({ action, subjectId, subjectName, detail }) => [action, subjectId, subjectName, detail]),
    [
      ['member.merge_undone', String(ada), 'Ada', {}],
      ['members.import_undone', null, null, { added: 1, changed: 1, left: 0, returned: 0 }],
    ],
  );
});

test('an erased person leaves nothing behind, and the change cannot be undone', async () => {
  const { id, call, importFile, list, refused } = await open();
  await importFile(
    'email,firstName,lastName,employeeNumber\nzelda.q@example.com,Zelda,Quist,ZQ-9\nben@example.com,Ben,,\n',
  );
  await importFile('email,firstName,lastName\nzelda.q@example.com,Zelda,Quist-Roe\nben@example.com,Benjamin,\n');
  const { members } = (await call<{ members: { id: number; email: string }[] }>('/api/v1/members')).body;
  const zelda = members.find(({ email }) => email.startsWith('zelda'))?.id ?? 0;
  await call(`/api/v1/members/${zelda}/leave`, { method: 'POST' });
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, id, zelda));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [id]);
  await eventually(
    async () => {
      await runErasure(database);
      return database.query<{ state: string }>('select state from erasures where workspace_id = $1', [id]);
    },
    ([erasure]) => erasure?.state === 'DONE',
  );
  const traces = await findTraces(database, ['zelda', 'quist', 'ZQ-9']);
  assert.deepEqual(traces, []);
  assert.equal((await findTraces(database, ['Benjamin'])).length > 0, true);
  for (const change of await list()) assert.match(await refused(change.id), /erased since/);
});

test('the command lists what can be undone, and undoes it', async () => {
  const { id, ada, other, post, state, list } = await open();
  const before = await state();
  await post(`/api/v1/members/${other}/merge`, { into: ada });
  const [change] = await list();
  const run = (...args: string[]) =>
    giftwire(['undo', ...args, '--workspace', String(id)], { DATABASE_URL: database.url });
  assert.match((await run()).stdout, new RegExp(`${change?.id} +merge of Ada +Payroll +${change?.expiresAt}`));
  assert.equal((await run(change?.id as string)).stdout, 'Undone: merge of Ada.\n');
  assert.deepEqual(await state(), before);
  assert.match((await run(change?.id as string)).stderr, /undone already/);
  assert.equal((await run()).stdout, 'There is nothing to undo.\n');
});
