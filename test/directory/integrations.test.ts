import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';
import { addUser } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

// A token without a member of its own acts as a record that only sends. No person is behind it, so its id means nothing to callers.

const service = await startService();
const { database } = service;
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
const [ada] = workspace.memberIds;
const integrationOf = async (workspaceId: number) => {
  const sql = 'select id from members where workspace_id = $1 and is_integration';
  return (await database.query<{ id: number }>(sql, [workspaceId]))[0]?.id as number;
};
const id = await integrationOf(workspace.id);

test('a person’s manager is a person', async () => {
  const asManager = { method: 'PATCH', body: { managerId: id } };
  assert.match(refusal(await workspace.call(`/api/v1/members/${ada}`, asManager), 400), /managerId is no member/);
  const { members } = await workspace.members();
  assert.deepEqual(
    members.map(({ manager }) => manager),
    [null],
  );
});

test('a file that names an integration as a manager names no person', async () => {
  const { workspaceId, take } = await openImports(service);
  await service.addToken({ workspaces: [workspaceId] });
  const { reasons } = await take(`email,manager\nada@example.com,${await integrationOf(workspaceId)}\n`);
  assert.match(reasons.join(), /^2: the manager .* is not known/);
  const managers = await database.query('select from members where workspace_id = $1 and manager_id is not null', [
    workspaceId,
  ]);
  assert.equal(managers.length, 0);
});

test('a user and a token act as a person, and not as the record of another token', async () => {
  const member = `id:${id}`;
  for (const [path, body] of [
    ['/api/v1/users', { email: 'new@example.com', name: 'New', role: 'AUDITOR', member }],
    ['/api/v1/tokens', { name: 'New', member }],
  ] as const)
    assert.match(refusal(await workspace.call(path, { method: 'POST', body }), 400), /^member/, path);
});

test('a user without a record of a person does not become a manager', async () => {
  const { user } = await addUser(service, { email: 'guest@example.com', role: 'AUDITOR', workspace: workspace.id });
  const asManager = { method: 'PATCH', body: { role: 'MANAGER' } };
  assert.match(
    refusal(await workspace.call(`/api/v1/users/${user.id}`, asManager), 409),
    /No member of this workspace/,
  );
});
