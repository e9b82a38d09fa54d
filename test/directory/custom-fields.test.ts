import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCustomValues } from '../../src/company/directory/removed-fields.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

const kinds = [
  { key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M', 'L'] },
  { key: 'floor', label: 'Floor', kind: 'NUMBER', choices: [] },
  { key: 'probationEnds', label: 'Probation ends', kind: 'DATE', choices: [] },
  { key: 'hobby', label: 'Hobby', kind: 'TEXT', choices: [] },
];

/** A workspace with a field of each kind, and Ada. */
async function open() {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', department: 'R&D' }] });
  for (const body of kinds) assert.equal((await define(workspace, body)).status, 201);
  const [ada = 0] = workspace.memberIds;
  const path = `/api/v1/members/${ada}`;
  const change = (body: object) => workspace.call<Member>(path, { method: 'PATCH', body });
  const set = (custom: unknown) => change({ custom });
  const read = async () => (await workspace.read<Member>(path)).custom;
  return { workspace, ada, path, change, set, read };
}

/** Without the words that every message about a path has. */
function messageOf(body: unknown): string {
  return (body as { message: string }).message.replace('The input could be invalid: ', '');
}

function define({ call }: TestWorkspace, body: object) {
  return call<{ message: string }>('/api/v1/custom-fields', { method: 'POST', body });
}

test('a workspace defines fields of each kind, in the sequence of their addition, and other workspaces do not have them', async () => {
  const { workspace } = await open();
  assert.deepEqual(await workspace.read('/api/v1/custom-fields'), { customFields: kinds });
  const other = await openWorkspace(service);
  assert.deepEqual(await other.read('/api/v1/custom-fields'), { customFields: [] });
  assert.equal((await other.call('/api/v1/custom-fields/floor')).status, 404);
});

test('values are merged: absent fields stay as they are, null and an empty text remove one', async () => {
  const { set, read } = await open();
  assert.deepEqual(await read(), {});
  const values = { shirtSize: 'M', floor: 12.5, probationEnds: '2027-02-28', hobby: 'Chess' };
  assert.deepEqual((await set(values)).body.custom, values);
  await set({ floor: -3 });
  assert.deepEqual(await read(), { ...values, floor: -3 });
  await set({ hobby: null, shirtSize: ' ' });
  assert.deepEqual(await read(), { floor: -3, probationEnds: '2027-02-28' });
  await set({ floor: null, probationEnds: null });
  assert.deepEqual(await read(), {});
});

test('a new person has the values that were sent, a few or many at once', async () => {
  const { workspace } = await open();
  const body = { email: 'li@example.com', custom: { shirtSize: 'l', hobby: null } };
  const { status, body: added } = await workspace.call<Member>('/api/v1/members', { method: 'POST', body });
  assert.deepEqual([status, added.custom], [201, { shirtSize: 'L' }]);
  const many = Array.from({ length: 120 }, (_, nth) => ({ email: `p${nth}@example.com`, custom: { floor: nth } }));
  const ids = await workspace.addPeople(many);
  assert.deepEqual((await workspace.read<Member>(`/api/v1/members/${ids[117]}`)).custom, { floor: 117 });
});

test('a value that does not fit its field is rejected with what to do, and nothing changes', async () => {
  const { change, set, read, workspace, path } = await open();
  await set({ hobby: 'Chess' });
  const wrong: [unknown, RegExp][] = [
    [{ shirtSize: 'XXL' }, /^custom\.shirtSize must be one of S, M, L$/],
    [{ floor: '3' }, /^custom\.floor must be a number of at most 15 digits, with at most 6 decimals$/],
    [{ floor: 1e15 }, /^custom\.floor must be a number/],
    [{ floor: 0.12345678 }, /^custom\.floor must be a number/],
    [{ probationEnds: '2027-02-30' }, /^custom\.probationEnds must be a date, for example/],
    [{ hobby: 5 }, /^custom\.hobby must be text$/],
    [{ hobby: 'x'.repeat(201) }, /^custom\.hobby must have at most 200 characters$/],
    [
      { Hobby: 'Go' },
      /^custom\.Hobby is no custom field of this workspace: use one of shirtSize, floor, .* or define it first$/,
    ],
    [{ hobby: ['Go'] }, /^custom\.hobby must be/],
    ['Go', /^custom must be a JSON object/],
  ];
  for (const [custom, message] of wrong) {
    const { status, body } = await change({ department: 'Sales', custom });
    assert.equal(status, 400, JSON.stringify(custom));
    assert.match(messageOf(body), message);
  }
  const both = await set({ shirtSize: 'XL', floor: 'x' });
  assert.match(messageOf(both.body), /^custom\.shirtSize .*; custom\.floor /);
  assert.deepEqual(await read(), { hobby: 'Chess' });
  assert.equal((await workspace.read<Member>(path)).department, 'R&D');
});

test('a change of a value is an event and an entry of the audit log without the value, and the same value again is none', async () => {
  const { set, workspace, ada } = await open();
  const written = () =>
    service.database.query<{ at: string }>(
      `select type || ' ' || data as at from events where workspace_id = $1
        union all
       select action || ' ' || detail from audit_log where workspace_id = $1 and subject_id = $2`,
      [workspace.id, String(ada)],
    );
  const before = (await written()).length;
  await set({ hobby: 'Falconry' });
  const after = (await written()).map(({ at }) => at);
  assert.equal(after.length, before + 2);
  assert.ok(after.some((at) => at.startsWith('member.changed')));
  assert.ok(!after.join().includes('Falconry'));
  await set({ hobby: 'Falconry' });
  assert.equal((await written()).length, before + 2);
});

test('a change of a version that another user has changed is rejected', async () => {
  const { set, workspace, path } = await open();
  const { headers } = await workspace.call(path);
  await set({ floor: 1 });
  const body = { custom: { floor: 2 } };
  const ifMatch = { 'If-Match': headers.get('etag') as string };
  assert.equal((await workspace.call(path, { method: 'PATCH', body, headers: ifMatch })).status, 412);
  const field = '/api/v1/custom-fields/floor';
  const before = { 'If-Match': (await workspace.call(field)).headers.get('etag') as string };
  const rename = (label: string) => workspace.call(field, { method: 'PATCH', body: { label }, headers: before });
  assert.equal((await rename('Storey')).status, 200);
  assert.equal((await rename('Level')).status, 412);
});

test('in a merge the survivor keeps its values and takes over those that it lacks; a split keeps them', async () => {
  const { set, workspace, ada, read } = await open();
  await set({ hobby: 'Chess' });
  const [other = 0] = await workspace.addPeople([{ email: 'ada2@example.com', custom: { hobby: 'Go', floor: 4 } }]);
  const merged = await workspace.call(`/api/v1/members/${other}/merge`, { method: 'POST', body: { into: ada } });
  assert.equal(merged.status, 200);
  assert.deepEqual(await read(), { hobby: 'Chess', floor: 4 });
  const [left] = await service.database.query('select custom from members where workspace_id = $1 and id = $2', [
    workspace.id,
    other,
  ]);
  assert.deepEqual(left, { custom: null });
  const split = await workspace.call<Member>(`/api/v1/members/${ada}/split`, {
    method: 'POST',
    body: { move: ['email'] },
  });
  assert.deepEqual([split.status, split.body.custom], [201, { hobby: 'Chess', floor: 4 }]);
});

test('only callers who may change people, and the person, read values', async () => {
  const { set, workspace, path } = await open();
  await set({ hobby: 'Chess' });
  const read = async (scopes: string[], actsAs?: string) => {
    const { token } = await service.addToken({ workspaces: [workspace.id], scopes, ...(actsAs && { actsAs }) });
    return (await workspace.call<Member>(path, { token })).body;
  };
  assert.deepEqual((await read(['directory:read', 'directory:write'])).custom, { hobby: 'Chess' });
  assert.deepEqual((await read(['directory:read'], 'ada@example.com')).custom, { hobby: 'Chess' });
  assert.equal('custom' in (await read(['directory:read'])), false);
});

test('the values of a removed field are hidden at once and removed in batches, and its key is free afterwards', async () => {
  const { set, workspace, read } = await open();
  await set({ hobby: 'Chess', floor: 3 });
  await workspace.addPeople(
    Array.from({ length: 1_500 }, (_, nth) => ({ email: `p${nth}@example.com`, custom: { hobby: 'Go' } })),
  );
  assert.equal((await workspace.read<{ people: number }>('/api/v1/custom-fields/hobby')).people, 1_501);
  const field = '/api/v1/custom-fields/hobby';
  assert.equal((await workspace.call(field, { method: 'DELETE' })).status, 204);
  assert.equal((await workspace.call(field, { method: 'DELETE' })).status, 404);
  assert.deepEqual(await read(), { floor: 3 });
  assert.equal((await set({ hobby: 'Go' })).status, 400);
  const again = { key: 'hobby', label: 'Pastime', kind: 'TEXT' };
  const { status, body } = await define(workspace, again);
  assert.equal(status, 409);
  assert.match(body.message, /still being removed: try again in a minute/);
  assert.equal(await removeCustomValues(service.database), 1_501);
  assert.equal(await removeCustomValues(service.database), 0);
  const left = await service.database.query("select from members where workspace_id = $1 and custom ? 'hobby'", [
    workspace.id,
  ]);
  assert.equal(left.length, 0);
  assert.equal((await define(workspace, again)).status, 201);
  assert.deepEqual(await read(), { floor: 3 });
});
