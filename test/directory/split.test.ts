import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import { readWrongs } from '../support/books.ts';
import { giftwire } from '../support/process.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url };

async function open() {
  const workspace = await openWorkspace(service);
  const run = (...args: string[]) => giftwire(['member', 'split', ...args, '--workspace', String(workspace.id)], env);
  return { workspace, run, scim: await connectScim(service, workspace.id) };
}

/** A record that a new hire got from a leaver, with the leaver's history. */
async function takenOver() {
  const opened = await open();
  const user = await opened.scim.addUser({
    userName: 'john.smith@example.com',
    externalId: 'b',
    name: { givenName: 'Johnny', familyName: 'Smith' },
    [enterprise]: { employeeNumber: 'NEW', department: 'Sales' },
  });
  await opened.scim.post('/Groups', { displayName: 'Blue', members: [{ value: user.id }] });
  await opened.workspace.given(aShoutout({ recipient: { email: 'john.smith@example.com' }, message: 'Before' }));
  return { ...opened, user, old: Number(user.id) };
}

test('split makes two members of one record, and the history stays with the old one', async () => {
  const { workspace, run, scim, user, old } = await takenOver();
  const done = await run('john.smith@example.com', '--first-name', 'John', '--yes', '--json');
  assert.equal(done.code, 0, done.stderr);
  const records = JSON.parse(done.stdout);
  assert.deepEqual(
    [records.old.id, records.old.email, records.old.employeeNumber, records.old.firstName, records.old.active],
    [old, null, null, 'John', false],
  );
  const { id, email, employeeNumber, firstName, department, team, active } = records.new;
  assert.deepEqual(
    [email, employeeNumber, firstName, department, team, active],
    ['john.smith@example.com', 'NEW', 'Johnny', 'Sales', 'Blue', true],
  );
  assert.equal((await scim.get(`/Users/${user.id}`)).status, 404);
  const [found] = await scim.find('Users', 'userName eq "john.smith@example.com" and externalId eq "b"');
  assert.equal(found.id, String(id));
  assert.equal(found.groups.length, 1);

  await workspace.given(aShoutout({ recipient: { email: 'john.smith@example.com' }, message: 'After' }));
  const { activities } = await workspace.activity();
  assert.deepEqual(
    activities.map(({ description, receiver }) => [description, receiver.id, receiver.firstName]),
    [
      ['After', id, 'Johnny'],
      ['Before', old, 'John'],
    ],
  );
  assert.deepEqual(await readWrongs(database), []);
});

test('split says what it would do, and does nothing without --yes', async () => {
  const { workspace, run, old } = await takenOver();
  const asked = await run('NEW');
  assert.equal(asked.code, 2);
  assert.equal(asked.stdout, '');
  assert.match(asked.stderr, /becomes two people[\s\S]*A new record gets:[\s\S]*john\.smith@example\.com[\s\S]*NEW/);
  assert.match(asked.stderr, new RegExp(`Member ${old} keeps 1 recognitions`));
  assert.match(asked.stderr, /Nothing was changed.*Add --yes/);
  assert.equal(await findMember(database, workspace.id, 'john.smith@example.com'), old);
});

test('split can move the address alone, and SCIM adopts its new owner', async () => {
  const { workspace, run, scim } = await open();
  const [old] = await workspace.addPeople([{ email: 'john.smith@example.com', employeeNumber: 'OLD' }]);
  const hired = { userName: 'john.smith@example.com', [enterprise]: { employeeNumber: 'NEW' } };
  assert.equal((await scim.post('/Users', hired)).status, 409);
  const done = await run(`id:${old}`, '--move', 'email', '--yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /The new record:[\s\S]*john\.smith@example\.com/);
  const user = await scim.addUser(hired);
  assert.notEqual(user.id, String(old));
  const { members } = await workspace.members('?includeInactive=true');
  assert.deepEqual(
    members.map(({ id, email, employeeNumber, active }) => [String(id), email, employeeNumber, active]),
    [
      [String(old), null, 'OLD', false],
      [user.id, 'john.smith@example.com', 'NEW', true],
    ],
  );
});

test('split refuses to move what the record does not have', async () => {
  const { workspace, run } = await open();
  const [id] = await workspace.addPeople([{ employeeNumber: 'N' }]);
  const nothing = await run('N', '--move', 'email,login', '--yes');
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /has none of these: email, login/);
  const stranger = await run('z@example.com', '--yes');
  assert.match(stranger.stderr, /has no member "z@example.com"/);
  const odd = await run('N', '--move', 'shoes', '--yes');
  assert.match(odd.stderr, /some of email, login, employeeNumber/);
  assert.equal(await findMember(database, workspace.id, 'N'), id);
});

test('direct reports and tokens move to the new record with the active person', async () => {
  const { workspace, run, scim, user } = await takenOver();
  const report = await scim.addUser({ userName: 'ann@example.com', [enterprise]: { manager: { value: user.id } } });
  const { id: tokenId } = await service.addToken({ workspaces: [workspace.id], actsAs: 'john.smith@example.com' });
  const done = await run('john.smith@example.com', '--yes', '--json');
  const { id } = JSON.parse(done.stdout).new;
  assert.equal((await scim.get(`/Users/${report.id}`)).body[enterprise].manager.value, String(id));
  const acting = await database.query('select member_id as id from api_token_workspaces where token_id = $1', [
    tokenId,
  ]);
  assert.deepEqual(acting, [{ id }]);
});

test('split over HTTP makes the same two members, and names what a record does not have', async () => {
  const { workspace, old } = await takenOver();
  const split = (id: number, body: Record<string, unknown>) =>
    workspace.call<Member>(`/api/v1/members/${id}/split`, { method: 'POST', body });
  const { status, body } = await split(old, { move: ['email', 'employeeNumber'], firstName: 'John' });
  assert.equal(status, 201, JSON.stringify(body));
  const { email, employeeNumber, firstName, department, active } = body;
  assert.deepEqual(
    [email, employeeNumber, firstName, department, active],
    ['john.smith@example.com', 'NEW', 'Johnny', 'Sales', true],
  );
  const { members } = await workspace.members('?includeInactive=true&search=john&size=10');
  assert.deepEqual(
    members.map((one) => [one.id, one.active]).sort(),
    [
      [old, false],
      [body.id, true],
    ].sort(),
  );
  assert.match(refusal(await split(old, { move: ['email'] }), 400), /has none of these: email/);
  assert.match(refusal(await split(body.id, { move: ['shoe'] }), 400), /move/);
  refusal(await split(999_999_999, { move: ['email'] }), 404);
  assert.deepEqual(await readWrongs(database), []);
});
