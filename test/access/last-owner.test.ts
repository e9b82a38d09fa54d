import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeRole } from '../../src/company/access/users.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire } from '../support/process.ts';
import { assertScimError, connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { addUser, type Browser, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const folder = await mkdtemp(join(tmpdir(), 'giftwire-owners-'));
cleanUp(() => rm(folder, { recursive: true }));

const env = { DATABASE_URL: database.url };
const lastOwner = /the last owner of the workspace who has not left: make another user an owner first/;

/** A workspace with an owner, who is linked to a person, and a token that may write to the directory and nothing else. */
async function openOwned(name: string) {
  const id = await service.addWorkspace({ name });
  const scim = await connectScim(service, id);
  const email = `owner@${name}.example`;
  const person = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'O-1' } });
  const owner = await signIn(service, { email, workspace: id });
  const call = (path: string, method: string, body?: object) =>
    service.call<{ id: number; message: string }>(`/api/v1${path}`, { method, token: scim.token, workspace: id, body });
  return { id, scim, email, person: Number(person.id), owner, call };
}

const isOwner = async ({ call }: Browser) => (await call('/api/v1/users')).status === 200;

test('the last owner cannot be marked as left', async () => {
  const { person, owner, call } = await openOwned('leave');
  assert.match(refusal(await call(`/members/${person}/leave`, 'POST', {}), 409), lastOwner);
  assert.ok(await isOwner(owner));
});

test('with another owner, one can leave, and the other one stays', async () => {
  const { id, scim, person, owner, call } = await openOwned('pair');
  const other = await scim.addUser({ userName: 'other@pair.example' });
  await addUser(service, { email: 'other@pair.example', workspace: id });
  const leave = (who: number | string) => call(`/members/${who}/leave`, 'POST', {});
  assert.equal((await leave(other.id)).status, 200);
  assert.equal((await leave(other.id)).status, 200, 'they have left already');
  assert.match(refusal(await leave(person), 409), lastOwner);
  assert.equal((await call(`/members/${other.id}/return`, 'POST')).status, 200);
  assert.equal((await leave(person)).status, 200);
  assert.match(refusal(await leave(other.id), 409), lastOwner);
  assert.equal((await owner.call('/api/v1/users')).status, 403);
});

test('of two owners who are marked as left at the same time, one stays', async () => {
  const { id, scim, person, call } = await openOwned('race');
  const other = await scim.addUser({ userName: 'other@race.example' });
  await addUser(service, { email: 'other@race.example', workspace: id });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([person, other.id].map((who) => call(`/members/${who}/leave`, 'POST', {})));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    for (const who of [person, other.id]) await call(`/members/${who}/return`, 'POST');
  }
});

test('a role that is taken away while the other owner leaves stays', async () => {
  const { id, person } = await openOwned('beside');
  const { user } = await addUser(service, { email: 'other@beside.example', workspace: id });
  const [taken] = await database.transaction(async (tx) => {
    await lockWorkspace(tx, id);
    await updateMembers(tx, id, [{ id: person, active: false }]);
    const asked = database.transaction((other) => takeRole(other, atTheCommandLine, id, user));
    asked.catch(() => {});
    await eventually(async () => (await database.query('select from pg_locks where not granted')).length > 0);
    return [asked];
  });
  await assert.rejects(taken as Promise<boolean>, lastOwner);
});

test('an identity provider cannot deactivate, replace or delete the last owner', async () => {
  const { scim, email, person, owner } = await openOwned('scim');
  const answers = [
    await scim.patch(`/Users/${person}`, [{ op: 'replace', path: 'active', value: false }]),
    await scim.put(`/Users/${person}`, { userName: email, active: false }),
    await scim.delete(`/Users/${person}`),
  ];
  for (const answer of answers) {
    assertScimError(answer, 409);
    assert.match(answer.body.detail, lastOwner);
  }
  assert.equal((await scim.get(`/Users/${person}`)).body.active, true);
  assert.ok(await isOwner(owner));
});

test('an identity provider cannot take over the record of the last owner as that of a person who has left', async () => {
  const id = await service.addWorkspace();
  const scim = await connectScim(service, id);
  const { token } = await service.addToken({ workspaces: [id], scopes: ['directory:write'] });
  const email = 'adopted@example.com';
  await service.call('/api/v1/members', { method: 'POST', token, workspace: id, body: { email } });
  const owner = await signIn(service, { email, workspace: id });
  assertScimError(await scim.post('/Users', { userName: email, active: false }), 409);
  assert.ok(await isOwner(owner));
});

test('the record of the last owner cannot be merged into that of a person who has left', async () => {
  const { scim, person, owner, call } = await openOwned('merge');
  const gone = await scim.addUser({ userName: 'gone@merge.example', active: false });
  const merge = (from: number | string, into: number | string) =>
    call(`/members/${from}/merge`, 'POST', { into: Number(into) });
  assert.match(refusal(await merge(person, gone.id), 409), lastOwner);
  assert.equal((await merge(gone.id, person)).status, 200, 'the other way round, the owner stays');
  assert.ok(await isOwner(owner));
});

const file = async (name: string, text: string) => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

test('an import rejects the row that marks the last owner as left, and takes the others', async () => {
  const { id, scim, email, owner } = await openOwned('import');
  const second = await scim.addUser({ userName: 'second@import.example' });
  await addUser(service, { email: 'second@import.example', workspace: id });
  await scim.addUser({ userName: 'colleague@import.example' });
  const csv = [
    'email,status,department',
    'second@import.example,left,',
    `${email},left,Sales`,
    'colleague@import.example,left,',
  ].join('\n');
  const send = (query: string) =>
    service.call<{ rejected: number; leaving: number; faults: { line: number; reason: string }[] }>(
      `/api/v1/members/import?allowLeavers=3&${query}`,
      { method: 'POST', token: scim.token, workspace: id, headers: { 'Content-Type': 'text/csv' }, body: csv },
    );
  for (const query of ['dryRun=true', 'dryRun=false']) {
    const { status, body } = await send(query);
    assert.equal(status, 200, JSON.stringify(body));
    assert.partialDeepStrictEqual(body, { rejected: 1, leaving: 2 });
    assert.equal(body.faults[0]?.line, 3);
    assert.match(body.faults[0]?.reason ?? '', lastOwner);
  }
  assert.ok(await isOwner(owner));
  assert.equal((await scim.get(`/Users/${second.id}`)).body.active, false);
});

test('the command line rejects the row and the merge too, and a split leaves the owner with the new record', async () => {
  const { id, scim, email, person, owner } = await openOwned('cli');
  const gone = await scim.addUser({ userName: 'gone@cli.example', active: false });
  const path = await file('people.csv', `email,status\n${email},left\n`);
  const imported = await giftwire(['members', 'import', path, '--workspace', String(id), '--allow-leavers', '1'], env);
  assert.equal(imported.code, 1, imported.stderr);
  assert.match(await readFile(`${path}.rejected.csv`, 'utf8'), lastOwner);
  const merge = ['member', 'merge', `id:${person}`, `id:${gone.id}`, '--workspace', String(id), '--yes'];
  const merged = await giftwire(merge, env);
  assert.equal(merged.code, 1);
  assert.match(merged.stderr, lastOwner);
  const revoked = await giftwire(['admin', 'revoke', email, '--workspace', String(id)], env);
  assert.match(revoked.stderr, lastOwner);
  const split = await giftwire(['member', 'split', `id:${person}`, '--workspace', String(id), '--yes'], env);
  assert.equal(split.code, 0, split.stderr);
  assert.ok(await isOwner(owner));
});

test('the last owner cannot be linked to a person who has left', async () => {
  const { id, scim, owner } = await openOwned('linked');
  const gone = await scim.addUser({ userName: 'gone@linked.example', active: false });
  const link = (member: string) =>
    owner.call(`/api/v1/users/${owner.user.id}`, { method: 'PATCH', workspace: id, body: { member } });
  assert.match(refusal(await link('gone@linked.example'), 409), new RegExp(`Member ${gone.id} has left`));
  assert.ok(await isOwner(owner));
});

test('a workspace without users lets everybody leave', async () => {
  const scim = await connectScim(service);
  const { id } = await scim.addUser({ userName: 'only@nobody.example' });
  assert.equal((await scim.delete(`/Users/${id}`)).status, 204);
});
