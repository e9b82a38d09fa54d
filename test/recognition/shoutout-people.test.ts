import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServices } from '../support/books.ts';
import { startService } from '../support/service.ts';
import { ada, bob, countEverything } from '../support/shoutouts.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('a recipient is found by e-mail in any case, else by number, and an unknown one is added', async () => {
  const workspace = await openWorkspace(service, { people: [ada, { email: 'carl@example.com' }, bob] });
  const [first, carl, second] = workspace.memberIds as [number, number, number];
  const receiver = async (recipient: unknown) => (await workspace.given(aShoutout({ recipient }))).receiver;
  assert.equal((await receiver({ email: 'ADA@Example.COM' })).id, first);
  assert.equal((await receiver({ employeeNumber: ' 2 ' })).id, second);
  assert.equal((await receiver({ email: 'ada@example.com', employeeNumber: '2', firstName: 'Zoe' })).firstName, 'Ada');
  assert.equal((await receiver({ email: 'carl@example.com', employeeNumber: '2' })).id, carl);
  assert.equal((await receiver({ email: 'carl@example.com', employeeNumber: '33' })).id, carl);
  assert.equal((await receiver({ employeeNumber: '33' })).id, carl);
  assert.equal((await receiver({ email: 'carl@example.com', employeeNumber: '44' })).id, carl);
  const dora = await receiver({ email: 'Dora@example.com', firstName: ' Dora ', lastName: 'D', employeeNumber: '44' });
  assert.deepEqual([dora.email, dora.firstName, dora.lastName], ['Dora@example.com', 'Dora', 'D']);
  assert.equal((await receiver({ employeeNumber: '44', firstName: 'Other' })).id, dora.id);
  const numbered = await receiver({ employeeNumber: 'é-1', firstName: 'New' });
  assert.deepEqual([numbered.email, numbered.firstName], ['', 'New']);
  assert.notEqual((await receiver({ employeeNumber: 'É-1' })).id, numbered.id);
  assert.equal((await workspace.members()).totalElements, 6);
});

test('an address or number of a merged record finds the surviving one', async () => {
  const people = [ada, { email: 'old@example.com' }, { email: 'bare@example.com' }, { email: 'bare2@example.com' }];
  const workspace = await openWorkspace(service, { people });
  const [first, old, bare, bare2] = workspace.memberIds as [number, number, number, number];
  await workspace.merge(old, first);
  await workspace.merge(bare2, bare);
  const receive = async (recipient: unknown) => (await workspace.given(aShoutout({ recipient }))).receiver.id;
  assert.equal(await receive({ email: 'OLD@example.com' }), first);
  assert.equal(await receive({ email: 'bare2@example.com', employeeNumber: '77' }), bare);
  assert.equal(await receive({ employeeNumber: '77' }), bare);
  const { body } = await workspace.call(`/api/v1/members/${bare}`);
  assert.equal(body.employeeNumber, '77', 'the number belongs to the person, not to the record that was merged');
  assert.equal(await receive({ email: 'old@example.com', employeeNumber: '88' }), first);
  assert.notEqual(await receive({ employeeNumber: '88' }), first, 'a person with a number gets no second one');
  const sent = aShoutout({ recipient: { email: 'bare@example.com' }, sender: { email: 'old@example.com' } });
  assert.equal((await workspace.given(sent)).sender.id, first);
});

test('a workspace can refuse shoutouts with unknown employee numbers', async () => {
  const workspace = await openWorkspace(service, { people: [ada], refusesUnknownEmployeeNumbers: true });
  const before = await countEverything(database, workspace);
  const message = refusal(await workspace.give(aShoutout({ recipient: { employeeNumber: '9' } })), 400);
  assert.equal(message, 'recipient.employeeNumber is not known in this workspace');
  assert.deepEqual(await countEverything(database, workspace), before);
  await workspace.given(aShoutout({ recipient: { employeeNumber: '1' } }));
  await workspace.given(aShoutout({ recipient: { email: 'new@example.com', employeeNumber: '9' } }));
  await workspace.given(aShoutout({ recipient: { employeeNumber: '9' } }));
});

test('each operation requires its scope, and naming a sender one more, whether the sender exists or not', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], asksForApproval: true });
  const { id } = await workspace.given(aShoutout());
  const withScopes = async (...scopes: string[]) =>
    (await service.addToken({ workspaces: [workspace.id], scopes })).token;
  const operations = {
    'recognition:write': { path: '', method: 'POST', body: aShoutout() },
    'recognition:read': { path: '', method: 'GET' },
    'recognition:approve': { path: `/${id}/approve`, method: 'POST' },
  };
  for (const [scope, { path, ...call }] of Object.entries(operations)) {
    const others = ['orders:write', 'reports:read', 'recognition:delegate', 'recognition:manage', 'directory:write'];
    const lacking = await withScopes(...others, ...Object.keys(operations).filter((one) => one !== scope));
    assert.match(refusal(await workspace.call(`/api/v1/shoutouts${path}`, { ...call, token: lacking }), 403), /./);
    const { status } = await workspace.call(`/api/v1/shoutouts${path}`, { ...call, token: await withScopes(scope) });
    assert.ok(status < 300, `${scope}: ${status}`);
  }
  const reader = await withScopes('recognition:read');
  for (const path of [`/${id}/approve`, `/${id}/decline`, '/999/approve'])
    refusal(await workspace.call(`/api/v1/shoutouts${path}`, { method: 'POST', token: reader }), 403);

  const writer = await withScopes('recognition:write');
  const before = await countEverything(database, workspace);
  const senders = [bob.email, 'nobody@example.com'].map((email) => ({ email }));
  const answers = await Promise.all(
    senders.map((sender) => workspace.give(aShoutout({ sender, reasonId: 999_999_999 }), { token: writer })),
  );
  assert.equal(new Set(answers.map((answer) => refusal(answer, 403))).size, 1);
  assert.deepEqual(await countEverything(database, workspace), before);
  const delegate = await withScopes('recognition:write', 'recognition:delegate');
  const { sender } = await workspace.given(aShoutout({ sender: { email: 'BOB@example.com' } }), { token: delegate });
  assert.deepEqual([sender.id, sender.self], [workspace.memberIds[1], false]);
});

test('a named sender must be an active member', async () => {
  const left = { email: 'left@example.com', employeeNumber: 'L', active: false };
  const workspace = await openWorkspace(service, {
    people: [ada, bob, left],
    actsAs: '1',
    allowsSelfRecognition: true,
  });
  const elsewhere = await openWorkspace(service, { people: [{ email: 'far@example.com', employeeNumber: 'F' }] });
  const [first, second] = workspace.memberIds as [number, number];
  const from = async (sender: unknown) => (await workspace.given(aShoutout({ sender }))).sender;
  assert.equal((await from({ employeeNumber: ' 2 ' })).id, second);
  assert.equal((await from({ email: 'bob@EXAMPLE.com', employeeNumber: '1' })).id, second);
  assert.deepEqual((await from({ email: 'ada@example.com' })).self, true);
  assert.equal((await from({ email: 'ada@example.com' })).id, first);
  const before = await countEverything(database, workspace);
  for (const sender of [
    { email: 'nobody@example.com' },
    { employeeNumber: 'nobody' },
    { email: 'nobody@example.com', employeeNumber: '1' },
    { email: 'far@example.com' },
    { employeeNumber: 'F' },
  ])
    assert.equal(
      refusal(await workspace.give(aShoutout({ recipient: { email: 'n@example.com' }, sender })), 400),
      'sender is not known in this workspace',
    );
  for (const sender of [{ email: 'LEFT@example.com' }, { employeeNumber: 'L' }])
    assert.equal(refusal(await workspace.give(aShoutout({ sender })), 400), 'sender has left the workspace');
  const all = refusal(
    await workspace.give(aShoutout({ recipient: { employeeNumber: 'L' }, sender: { email: 'x@y.zz' }, reasonId: 1e9 })),
    400,
  );
  assert.deepEqual(
    all.split('; ').map((fault) => fault.split(' ')[0]),
    ['recipient', 'sender', 'reasonId'],
  );
  assert.deepEqual(await countEverything(database, workspace), before);
  assert.equal((await elsewhere.activity()).totalElements, 0);
});

test('after all of this the books agree, and no request failed', () => checkServices(service));
