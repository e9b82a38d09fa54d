import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Reason } from '../../src/contract/reason.ts';
import type { Shoutout } from '../../src/contract/shoutout.ts';
import { updateWorkspace } from '../../src/workspaces/workspaces.ts';
import { readWrongs } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { aShoutout, isReplay, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const tokenKey = 'a key that both services have in common';
const service = await startService({ tokenKey });
const neighbour = await startService({ tokenKey, databaseUrl: service.database.url });
const { database } = service;

const ada = {
  email: 'ada@example.com',
  employeeNumber: '1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  pictureUrl: 'https://example.com/ada.jpg',
};
const bob = { email: 'Bob@example.com', employeeNumber: '2', firstName: 'Bob' };

const undecided = { decidedBy: null, decidedOn: null, decisionReason: null };

const descriptions = ({ activities }: { activities: { description: string }[] }) =>
  activities.map(({ description }) => description);

async function addReason(workspace: TestWorkspace, description: string): Promise<Reason> {
  const answer = await workspace.call<Reason>('/api/v1/reasons', { method: 'POST', body: { description } });
  assert.equal(answer.status, 201);
  return answer.body;
}

/** Everything that a refused shoutout must leave as it was. */
async function countEverything(workspace: TestWorkspace): Promise<unknown> {
  return database.query(
    `select (select count(*) from members where workspace_id = $1)    as members,
            (select count(*) from activities where workspace_id = $1) as activities,
            (select count(*) from shoutouts where workspace_id = $1)  as shoutouts,
            (select total from activity_counters where workspace_id = $1) as total`,
    [workspace.id],
  );
}

test('a shoutout is answered with exactly its activity record and its id', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], actsAs: '1' });
  const [first, second] = workspace.memberIds as [number, number];
  const [setup] = await database.query<Record<string, number>>(
    'select account_id as account, default_team_id as team, default_reason_id as reason from workspaces where id = $1',
    [workspace.id],
  );
  const answer = await workspace.give(aShoutout({ recipient: { email: 'bob@EXAMPLE.com' } }));
  assert.equal(answer.status, 201);
  assert.equal(isReplay(answer), false);
  const { createdOn, ...record } = answer.body;
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
  assert.ok(Math.abs(Date.parse(`${createdOn}Z`) - Date.now()) < 60_000);
  assert.deepEqual(record, {
    id: 1,
    status: 'APPROVED',
    sender: {
      id: first,
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      avatar: ada.pictureUrl,
      'the service': ada.pictureUrl,
      self: true,
    },
    receiver: {
      id: second,
      email: 'Bob@example.com',
      firstName: 'Bob',
      lastName: '',
      avatar: '',
      'the service': '',
      self: false,
    },
    description: 'Well done!',
    reason: { id: setup?.reason, description: 'Thank you' },
    isPrivate: false,
    type: 'SHOUTOUT',
    account: setup?.account,
    team: setup?.team,
    ...undecided,
  });
  const { id, decidedBy, decidedOn, decisionReason, ...activity } = answer.body;
  assert.deepEqual((await workspace.activity()).activities, [activity]);
  assert.deepEqual(await workspace.read(`/api/v1/shoutouts/${id}`), answer.body);
});

test('self is the member behind the token that asks, whoever gave it', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], actsAs: '1' });
  const { token } = await service.addToken({ workspaces: [workspace.id], actsAs: '2' });
  const selves = ({ sender, receiver }: Shoutout) => [sender.self, receiver.self];
  const { id } = await workspace.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  const seen = await workspace.call<Shoutout>(`/api/v1/shoutouts/${id}`, { token });
  assert.deepEqual(selves(seen.body), [false, true]);
  assert.deepEqual(selves(await workspace.given(aShoutout(), { token })), [true, false]);
});

test('a message is trimmed and has 1 to 1,000 characters, however many bytes they take', async () => {
  const workspace = await openWorkspace(service);
  const say = (message: unknown) => workspace.give(aShoutout({ message }));
  for (const [message, kept] of [
    [' \n Well done!\t ', 'Well done!'],
    ['!', '!'],
    ['🎁'.repeat(1_000), '🎁'.repeat(1_000)],
    [`  ${'é'.repeat(1_000)}  `, 'é'.repeat(1_000)],
    ['a "quoted"\nline, \\ and %_', 'a "quoted"\nline, \\ and %_'],
  ]) {
    const { status, body } = await say(message);
    assert.equal(status, 201, message);
    assert.equal(body.description, kept);
    assert.equal((await workspace.activity('?size=1')).activities[0]?.description, kept);
  }
  assert.equal(refusal(await say('🎁'.repeat(1_001)), 400), 'message must have at most 1000 characters');
  for (const blank of ['', ' ', '\n\t ']) assert.equal(refusal(await say(blank), 400), 'message must not be empty');
});

test('every field at fault is named, types are exact, and nothing is recorded', async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const before = await countEverything(workspace);
  const cases: [unknown, string[]][] = [
    [{}, ['recipient', 'message']],
    [aShoutout({ message: 5 }), ['message']],
    [aShoutout({ message: null }), ['message']],
    [aShoutout({ message: ['Well done!'] }), ['message']],
    [aShoutout({ message: 'a\0b' }), ['message']],
    [aShoutout({ message: '\ud800' }), ['message']],
    [aShoutout({ recipient: null }), ['recipient']],
    [aShoutout({ recipient: 'ada@example.com' }), ['recipient']],
    [aShoutout({ recipient: [{ email: 'ada@example.com' }] }), ['recipient']],
    [aShoutout({ recipient: {} }), ['recipient']],
    [aShoutout({ recipient: { email: ' ', employeeNumber: '' } }), ['recipient']],
    [aShoutout({ recipient: { email: null, employeeNumber: null } }), ['recipient']],
    [aShoutout({ recipient: { email: 'ada' } }), ['recipient.email']],
    [aShoutout({ recipient: { email: 'ada', employeeNumber: '1' } }), ['recipient.email']],
    [aShoutout({ recipient: { employeeNumber: 1 } }), ['recipient.employeeNumber']],
    [aShoutout({ recipient: { employeeNumber: 'n'.repeat(65) } }), ['recipient.employeeNumber']],
    [aShoutout({ recipient: { employeeNumber: 'a\0' } }), ['recipient.employeeNumber']],
    [aShoutout({ recipient: { employeeNumber: '1', firstName: 'n'.repeat(101) } }), ['recipient.firstName']],
    [aShoutout({ recipient: { employeeNumber: '1', lastName: 7 } }), ['recipient.lastName']],
    ...[0, -1, 1.5, '1', true, 2 ** 53, {}].map((reasonId): [unknown, string[]] => [
      aShoutout({ reasonId }),
      ['reasonId'],
    ]),
    ...[0, 1, 'true', 'false', {}].map((isPrivate): [unknown, string[]] => [aShoutout({ isPrivate }), ['isPrivate']]),
    [aShoutout({ sender: 'ada@example.com' }), ['sender']],
    [aShoutout({ sender: {} }), ['sender']],
    [aShoutout({ sender: { email: ' ' } }), ['sender']],
    [aShoutout({ sender: { email: 'ada' } }), ['sender.email']],
    [aShoutout({ sender: { employeeNumber: 5 } }), ['sender.employeeNumber']],
    [
      { message: ' ', recipient: { email: 'x' }, reasonId: '1', isPrivate: 'no', sender: [] },
      ['message', 'recipient.email', 'reasonId', 'isPrivate', 'sender'],
    ],
  ];
  for (const [shoutout, paths] of cases) {
    const message = refusal(await workspace.give(shoutout), 400);
    const named = message.split('; ').map((fault) => fault.split(' ')[0]);
    assert.deepEqual(named.sort(), paths.sort(), `${JSON.stringify(shoutout).slice(0, 200)}: ${message}`);
  }
  for (const body of ['', '[]', 'null', '"text"', '{', '5']) refusal(await workspace.give(body), 400);
  const exact = '{"recipient":{"employeeNumber":"1"},"message":"!","reasonId":9007199254740993}';
  assert.match(refusal(await workspace.give(exact), 400), /^reasonId /);
  assert.deepEqual(await countEverything(workspace), before);
});

test('fields that nobody knows are ignored and never kept; null is absent where a field is optional', async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const { id, status } = await workspace.given({
    recipient: { email: 'ada@example.com', firstName: null, employeeNumber: ' ', iban: 'secret' },
    message: 'Well done!',
    reasonId: null,
    isPrivate: null,
    sender: null,
    status: 'PENDING',
    createdOn: '2001-01-01',
    id: 77,
    __proto__: { isPrivate: true },
  });
  assert.deepEqual([id, status], [1, 'APPROVED']);
  const [kept] = await database.query<{ body: unknown }>('select body from shoutouts where workspace_id = $1', [
    workspace.id,
  ]);
  assert.deepEqual(kept?.body, {
    recipient: { email: 'ada@example.com' },
    message: 'Well done!',
    isPrivate: false,
  });
});

test('a recipient is found by e-mail before the number, in any case, and a new one is added', async () => {
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

test('an address or number of a merged record leads to the person who remains', async () => {
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

test('a workspace can refuse employee numbers that it does not know', async () => {
  const workspace = await openWorkspace(service, { people: [ada], refusesUnknownEmployeeNumbers: true });
  const before = await countEverything(workspace);
  const message = refusal(await workspace.give(aShoutout({ recipient: { employeeNumber: '9' } })), 400);
  assert.equal(message, 'recipient.employeeNumber is not known in this workspace');
  assert.deepEqual(await countEverything(workspace), before);
  await workspace.given(aShoutout({ recipient: { employeeNumber: '1' } }));
  await workspace.given(aShoutout({ recipient: { email: 'new@example.com', employeeNumber: '9' } }));
  await workspace.given(aShoutout({ recipient: { employeeNumber: '9' } }));
});

test("a reason is one of the workspace's own that is offered, else the default", async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const other = await openWorkspace(service);
  const [teamwork, retired, foreign] = [
    await addReason(workspace, 'Teamwork'),
    await addReason(workspace, 'Old'),
    await addReason(other, 'Elsewhere'),
  ];
  await workspace.call(`/api/v1/reasons/${retired.id}`, { method: 'DELETE' });
  const { reason } = await workspace.given(aShoutout({ reasonId: teamwork.id }));
  assert.deepEqual(reason, { id: teamwork.id, description: 'Teamwork' });
  assert.equal((await workspace.given(aShoutout())).reason.description, 'Thank you');
  const before = await countEverything(workspace);
  const messages = new Set<string>();
  for (const reasonId of [retired.id, foreign.id, 987_654_321, Number.MAX_SAFE_INTEGER])
    messages.add(refusal(await workspace.give(aShoutout({ recipient: { email: 'n@example.com' }, reasonId })), 400));
  assert.deepEqual([...messages], ["reasonId is none of the workspace's reasons"]);
  assert.deepEqual(await countEverything(workspace), before);
});

test('a private shoutout is flagged in the report', async () => {
  const workspace = await openWorkspace(service);
  assert.equal((await workspace.given(aShoutout({ isPrivate: true }))).isPrivate, true);
  await workspace.given(aShoutout());
  assert.deepEqual(
    (await workspace.activity()).activities.map(({ isPrivate }) => isPrivate),
    [false, true],
  );
});

test('each operation takes its scope, and naming a sender one more, without a hint whether they exist', async () => {
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
  const before = await countEverything(workspace);
  const senders = [bob.email, 'nobody@example.com'].map((email) => ({ email }));
  const answers = await Promise.all(
    senders.map((sender) => workspace.give(aShoutout({ sender, reasonId: 999_999_999 }), { token: writer })),
  );
  assert.equal(new Set(answers.map((answer) => refusal(answer, 403))).size, 1);
  assert.deepEqual(await countEverything(workspace), before);
  const delegate = await withScopes('recognition:write', 'recognition:delegate');
  const { sender } = await workspace.given(aShoutout({ sender: { email: 'BOB@example.com' } }), { token: delegate });
  assert.deepEqual([sender.id, sender.self], [workspace.memberIds[1], false]);
});

test('a named sender is a member who is here', async () => {
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
  const before = await countEverything(workspace);
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
  assert.deepEqual(await countEverything(workspace), before);
  assert.equal((await elsewhere.activity()).totalElements, 0);
});

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

test('the same key and body is the same shoutout, however it is written; another body is a 422 that names the fields', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob] });
  const body = aShoutout({ recipient: { email: 'ada@example.com', firstName: 'Ada' }, isPrivate: true });
  const first = await workspace.give(body, withKey('k'));
  assert.equal(isReplay(first), false);
  for (const again of [
    body,
    JSON.stringify(body, null, 4),
    { ...body, message: ' Well done! ', colour: 'red', sender: null },
    { ...body, recipient: { ...body.recipient, employeeNumber: '' } },
  ]) {
    const answer = await workspace.give(again, withKey('k'));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal(isReplay(answer), true);
    assert.deepEqual(answer.body, first.body);
  }
  const cases: [Record<string, unknown>, string][] = [
    [{ message: 'Well Done!' }, 'message'],
    [{ isPrivate: false }, 'isPrivate'],
    [{ recipient: { email: 'ADA@example.com', firstName: 'Ada' } }, 'recipient.email'],
    [{ recipient: { email: 'ada@example.com' } }, 'recipient.firstName'],
    [{ sender: { email: bob.email } }, 'sender'],
    [{ reasonId: 999_999_999, message: 'x' }, 'message, reasonId'],
  ];
  for (const [change, fields] of cases) {
    const message = refusal(await workspace.give({ ...body, ...change }, withKey('k')), 422);
    const named = /differs in ([^:]+):/.exec(message)?.[1]?.split(', ').sort().join(', ');
    assert.equal(named, fields, message);
  }
  assert.equal((await workspace.activity()).totalElements, 1);
});

test('a key counts once its shoutout is recorded, in its workspace, and apart from those of orders', async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const other = await openWorkspace(service);
  assert.match(refusal(await workspace.give(aShoutout({ reasonId: 1e9 }), withKey('k')), 400), /^reasonId /);
  const first = await workspace.give(aShoutout(), withKey('k'));
  assert.deepEqual([first.status, isReplay(first)], [201, false]);
  const elsewhere = await other.give(aShoutout(), withKey('k'));
  assert.deepEqual([elsewhere.status, isReplay(elsewhere)], [201, false]);
  const order = await workspace.call('/api/v1/orders', { method: 'POST', body: anOrder(), ...withKey('k') });
  assert.deepEqual([order.status, isReplay(order)], [201, false]);
  await workspace.finished(order.body.requestId as string);
  const { token } = await service.addToken({ workspaces: [workspace.id] });
  const again = await workspace.give(aShoutout(), { ...withKey('k'), token });
  assert.deepEqual([again.status, isReplay(again), again.body.id], [201, true, first.body.id]);
  const equal = [await workspace.given(aShoutout()), await workspace.given(aShoutout())];
  assert.notEqual(equal[0]?.id, equal[1]?.id);
  for (const key of ['K', 'k k', 'ké', 'k🎁', 'k'.repeat(255)]) {
    const inUtf8 = Buffer.from(key).toString('latin1');
    for (const replayed of [false, true])
      assert.equal(isReplay(await workspace.give(aShoutout(), withKey(inUtf8))), replayed, key);
  }
  for (const key of ['', ' ', 'k'.repeat(256)])
    assert.match(refusal(await workspace.give(aShoutout(), withKey(key)), 400), /Idempotency-Key/);
  const text = JSON.stringify(aShoutout());
  const doubled = await sendRaw(
    service.url,
    head(
      'POST',
      '/api/v1/shoutouts',
      `Authorization: Bearer ${workspace.token}`,
      `X-Workspace-id: ${workspace.id}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      'Idempotency-Key: a',
      'Idempotency-Key: a',
    ),
    text,
  );
  assert.equal(doubled.status, 400);
});

test('a replay shows the shoutout as it stands, whatever has happened to its reason and its people', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], asksForApproval: true });
  const reason = await addReason(workspace, 'Teamwork');
  const body = aShoutout({ reasonId: reason.id, sender: { email: bob.email } });
  const first = await workspace.give(body, withKey('k'));
  assert.equal(first.body.status, 'PENDING');
  await workspace.decide(first.body.id, 'approve');
  await workspace.call(`/api/v1/reasons/${reason.id}`, { method: 'DELETE' });
  for (const id of workspace.memberIds) await workspace.change(id, { active: false });
  const again = await workspace.give(body, withKey('k'));
  assert.deepEqual([again.status, isReplay(again)], [201, true]);
  assert.deepEqual({ ...again.body, ...undecided }, { ...first.body, status: 'APPROVED' });
  const declined = await workspace.give(aShoutout({ recipient: { email: 'c@example.com' } }), withKey('d'));
  await workspace.decide(declined.body.id, 'decline');
  const replayed = await workspace.give(aShoutout({ recipient: { email: 'c@example.com' } }), withKey('d'));
  assert.deepEqual([replayed.status, replayed.body.status], [201, 'DECLINED']);
});

test('a hundred equal shoutouts at once on two nodes are one', async () => {
  const workspace = await openWorkspace(service);
  const recipient = { email: 'new@example.com', employeeNumber: 'N' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, nth) => {
      const call = { method: 'POST', token: workspace.token, workspace: workspace.id, body: aShoutout({ recipient }) };
      return (nth % 2 ? service : neighbour).call<Shoutout>('/api/v1/shoutouts', { ...call, ...withKey('k') });
    }),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal((await workspace.activity()).totalElements, 1);
  assert.equal((await workspace.members()).totalElements, 1);
});

test('among many at once, those at fault hurt nobody else, and of two bodies under a key one wins', async () => {
  const workspace = await openWorkspace(service, { people: [ada, { email: 'left@example.com', active: false }] });
  const kinds = [
    (nth: number) => ({ body: aShoutout({ message: `${nth}`, recipient: { email: `p${nth % 7}@example.com` } }) }),
    (nth: number) => ({ body: aShoutout({ message: `${nth}`, recipient: { employeeNumber: `n${nth % 5}` } }) }),
    () => ({ body: aShoutout({ reasonId: 1e9 }) }),
    () => ({ body: aShoutout({ recipient: { email: 'left@example.com' } }) }),
    () => ({ body: aShoutout({ sender: { email: 'nobody@example.com' } }) }),
    (nth: number) => ({ body: aShoutout({ message: `pair ${nth % 4}` }), ...withKey(`pair ${Math.floor(nth / 48)}`) }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 240 }, async (_, nth) => {
      const kind = nth % kinds.length;
      const call = (kinds[kind] as (typeof kinds)[number])(nth);
      return { kind, ...(await workspace.give(call.body, call)) };
    }),
  );
  const expected: number[][] = [[201], [201], [400], [400], [400], [201, 422]];
  for (const { kind, status, body } of answers)
    assert.ok(expected[kind]?.includes(status), `${kind}: ${status} ${JSON.stringify(body)}`);
  const taken = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
  const { activities, totalElements } = await workspace.activity('?size=1000');
  assert.equal(totalElements, taken.length);
  assert.equal(taken.filter(({ kind }) => kind < 2).length, 80);
  assert.equal(taken.filter(({ kind }) => kind === 5).length, 5);
  assert.deepEqual(
    activities.map(({ description }) => description).sort(),
    taken.map(({ body }) => body.description).sort(),
  );
  assert.deepEqual(
    taken.map(({ body }) => body.id).sort((one, other) => one - other),
    Array.from(taken, (_, nth) => nth + 1),
  );
});

test('where a workspace asks for it, a shoutout waits for approval, is in the report and counts for nothing', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const given = await workspace.given(aShoutout());
  assert.equal(given.status, 'PENDING');
  const [activity] = (await workspace.activity()).activities;
  assert.equal(activity?.status, 'PENDING');
  assert.equal((await workspace.lastRecognized()).totalElements, 0);
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 1);

  const approved = await workspace.decide(given.id, 'approve');
  assert.equal(approved.status, 200);
  assert.deepEqual({ ...approved.body, ...undecided }, { ...given, status: 'APPROVED' });
  assert.deepEqual((await workspace.decide(given.id, 'approve')).body, approved.body);
  assert.match(refusal(await workspace.decide(given.id, 'decline'), 409), /approved already/);
  const { teamMembers } = await workspace.lastRecognized();
  assert.deepEqual(
    teamMembers.map(({ lastDate, type }) => [lastDate, type]),
    [[given.createdOn.slice(0, 10), 'SHOUTOUT']],
  );
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 0);
});

test('a declined shoutout leaves the reports for good', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const [one, two] = [await workspace.given(aShoutout({ message: 'one' })), await workspace.given(aShoutout())];
  const declined = await workspace.decide(one.id, 'decline');
  assert.equal(declined.status, 200);
  assert.deepEqual({ ...declined.body, ...undecided }, { ...one, status: 'DECLINED' });
  assert.deepEqual((await workspace.decide(one.id, 'decline')).body, declined.body);
  assert.match(refusal(await workspace.decide(one.id, 'approve'), 409), /declined already/);
  assert.deepEqual(await workspace.read(`/api/v1/shoutouts/${one.id}`), declined.body);
  const { activities, totalElements, totalPages } = await workspace.activity('?size=1');
  assert.deepEqual([totalElements, totalPages, activities[0]?.description], [1, 1, 'Well done!']);
  assert.equal((await workspace.lastRecognized('?neverRecognized=true')).totalElements, 1);
  assert.equal((await workspace.given(aShoutout())).id, two.id + 1, 'its number is not used again');
});

test('without approval a shoutout is decided already', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await workspace.given(aShoutout());
  assert.equal((await workspace.decide(id, 'approve')).status, 200);
  refusal(await workspace.decide(id, 'decline'), 409);
  await database.transaction((tx) => updateWorkspace(tx, workspace.id, { asksForApproval: true }));
  const pending = await eventually(
    () => workspace.given(aShoutout()),
    ({ status }) => status === 'PENDING',
  );
  assert.equal((await workspace.shoutouts()).shoutouts[0]?.id, pending.id);
});

test('what is approved counts on the day it was given, and what came later stays the last', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], asksForApproval: true });
  const last = async () =>
    new Map(
      (await workspace.lastRecognized()).teamMembers.map(({ teamMember, lastDate, type }) => [
        teamMember.firstName,
        `${type} ${lastDate}`,
      ]),
    );
  const [forAda, forBob] = [
    await workspace.given(aShoutout()),
    await workspace.given(aShoutout({ recipient: { employeeNumber: '2' } })),
  ];
  await workspace.passDays(3);
  const dayOf = async (id: number) =>
    (await workspace.read<Shoutout>(`/api/v1/shoutouts/${id}`)).createdOn.slice(0, 10);
  await workspace.decide(forAda.id, 'approve');
  assert.deepEqual(await last(), new Map([['Ada', `SHOUTOUT ${await dayOf(forAda.id)}`]]));
  await workspace.gift({ employeeNumber: '1' }, { employeeNumber: '2' });
  const today = (await workspace.activity('?size=1')).activities[0]?.createdOn.slice(0, 10);
  await workspace.decide(forBob.id, 'approve');
  const both = new Map(['Ada', 'Bob'].map((name) => [name, `GIFT ${today}`]));
  assert.deepEqual(await last(), both);
  const later = await workspace.given(aShoutout());
  assert.deepEqual(await last(), both);
  await workspace.decide(later.id, 'approve');
  assert.equal((await last()).get('Ada'), `SHOUTOUT ${await dayOf(later.id)}`);
});

test('an id that is no shoutout of the workspace is a 404, and one that is no id a 400', async () => {
  const workspace = await openWorkspace(service, { asksForApproval: true });
  const other = await openWorkspace(service, { asksForApproval: true });
  await workspace.gift({ email: 'ada@example.com' });
  for (let nth = 0; nth < 3; nth++) await other.given(aShoutout());
  const paths = (id: number | string) => [
    { path: `/api/v1/shoutouts/${id}`, method: 'GET' },
    { path: `/api/v1/shoutouts/${id}/approve`, method: 'POST' },
    { path: `/api/v1/shoutouts/${id}/decline`, method: 'POST' },
  ];
  const messages = new Set<string>();
  for (const id of [1, 2, 3, 999, Number.MAX_SAFE_INTEGER])
    for (const { path, method } of paths(id)) messages.add(refusal(await workspace.call(path, { method }), 404));
  assert.equal(messages.size, 1);
  for (const id of [
    '0',
    '-1',
    '1.0',
    '1e3',
    '0x1',
    'one',
    '%31x',
    '9007199254740992',
    '1'.repeat(400),
    '%00',
    ' 1',
    'null',
  ])
    for (const { path, method } of paths(encodeURI(id).replaceAll('%25', '%')))
      assert.match(refusal(await workspace.call(path, { method }), 400), /\bid must be /, id);
  assert.deepEqual((await other.shoutouts()).totalElements, 3);
});

test('a decision needs no body, and takes one', async () => {
  const workspace = await openWorkspace(service, { asksForApproval: true });
  const ways = [{}, { headers: { 'Content-Type': 'application/json' } }, { body: {} }, { body: { note: 'fine' } }];
  for (const way of ways)
    for (const verb of ['approve', 'decline'] as const) {
      const { id } = await workspace.given(aShoutout());
      const { status, body } = await workspace.decide(id, verb, way);
      assert.equal(status, 200, `${JSON.stringify(way)}: ${JSON.stringify(body)}`);
    }
});

test('of opposite decisions at once exactly one holds, and equal ones count once', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  let approvals = 0;
  for (let round = 0; round < 12; round++) {
    const { id } = await workspace.given(aShoutout());
    const verbs = Array.from({ length: 8 }, (_, nth) =>
      (nth + round) % 2 ? ('approve' as const) : ('decline' as const),
    );
    const answers = await Promise.all(verbs.map(async (verb) => ({ verb, ...(await workspace.decide(id, verb)) })));
    const winners = new Set(answers.filter(({ status }) => status === 200).map(({ verb }) => verb));
    assert.equal(winners.size, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 4);
    if (winners.has('approve')) approvals++;
  }
  const [member] = await database.query<{ count: number }>(
    'select recognition_count as count from members where workspace_id = $1 and employee_number = $2',
    [workspace.id, '1'],
  );
  assert.equal(member?.count, approvals);
  assert.equal((await workspace.activity()).totalElements, approvals);
});

test('shoutouts are listed by status, newest first, in pages', async () => {
  const workspace = await openWorkspace(service, { asksForApproval: true });
  const other = await openWorkspace(service, { asksForApproval: true });
  await other.given(aShoutout());
  await workspace.gift({ email: 'ada@example.com' });
  const wanted: Record<string, number[]> = { PENDING: [], APPROVED: [], DECLINED: [] };
  for (let nth = 0; nth < 15; nth++) {
    const { id } = await workspace.given(aShoutout({ message: `${nth}` }));
    if (nth % 3 === 1) await workspace.decide(id, 'approve');
    if (nth % 3 === 2) await workspace.decide(id, 'decline');
    wanted[['PENDING', 'APPROVED', 'DECLINED'][nth % 3] as string]?.unshift(id);
  }
  assert.deepEqual(await workspace.shoutouts(), await workspace.shoutouts('?status=PENDING'));
  for (const [status, ids] of Object.entries(wanted)) {
    const walked: Shoutout[] = [];
    for (let page = 0; page < 4; page++) {
      const { shoutouts, ...fields } = await workspace.shoutouts(`?status=${status}&size=2&page=${page}`);
      assert.deepEqual(fields, { page, size: 2, totalElements: 5, totalPages: 3 });
      walked.push(...shoutouts);
    }
    assert.deepEqual(
      walked.map(({ id }) => id),
      ids,
    );
    for (const shoutout of walked) assert.equal(shoutout.status, status);
    assert.deepEqual(walked[0], await workspace.read(`/api/v1/shoutouts/${ids[0]}`));
  }
  for (const [query, name] of [
    ['status=pending', 'status'],
    ['status=', 'status'],
    ['status=PENDING&status=APPROVED', 'status'],
    ['size=0', 'size'],
    ['size=1001', 'size'],
    ['page=-1', 'page'],
  ])
    assert.match(refusal(await workspace.call(`/api/v1/shoutouts?${query}`), 400), new RegExp(`: ${name} must be `));
});

type Step = { kind: 'gift' | 'shoutout' | 'approve' | 'decline'; which: number };

test('whatever was given and declined, any page of team activity is what a plain list says', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('gift', 'shoutout', 'shoutout', 'approve', 'decline', 'decline'),
    which: fc.nat(100),
  });
  const history = fc.array(step, { maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (steps, size) => {
      const workspace = await openWorkspace(service, { asksForApproval: true });
      const model: { id: number; text: string; status: string }[] = [];
      for (const { kind, which } of steps) {
        const pending = model.filter(({ status }) => status === 'PENDING');
        const chosen = pending[which % Math.max(1, pending.length)];
        const text = `${model.length}`;
        if (kind === 'shoutout')
          model.push({ id: (await workspace.given(aShoutout({ message: text }))).id, text, status: 'PENDING' });
        else if (kind === 'gift') {
          const order = anOrder({ orderItems: [aGift({ message: text })] });
          const { body } = await workspace.call('/api/v1/orders', { method: 'POST', body: order });
          await workspace.finished(body.requestId as string);
          model.push({ id: 0, text, status: 'APPROVED' });
        } else if (chosen) {
          assert.equal((await workspace.decide(chosen.id, kind)).status, 200);
          chosen.status = kind === 'approve' ? 'APPROVED' : 'DECLINED';
        }
      }
      const living = model.filter(({ status }) => status !== 'DECLINED').reverse();
      const totalPages = Math.ceil(living.length / size);
      for (let page = 0; page <= totalPages; page++) {
        const { activities, ...fields } = await workspace.activity(`?page=${page}&size=${size}`);
        assert.deepEqual(fields, { page, size, totalElements: living.length, totalPages });
        assert.deepEqual(
          activities.map(({ description, status }) => [description, status]),
          living.slice(page * size, (page + 1) * size).map(({ text, status }) => [text, status]),
        );
      }
    }),
    { numRuns: 15 },
  );
});

/** Many pending shoutouts at once, numbered from the first on; each says its number. */
async function fillWorkspace(workspace: TestWorkspace, count: number): Promise<void> {
  await database.query(
    `with counter as (
       update activity_counters set total = total + $2, latest = now() where workspace_id = $1 returning total - $2 as before)
     insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
     select $1, before + nth, 'SHOUTOUT', 'PENDING', m.id, m.id, before + nth, now()
       from counter, generate_series(1, $2::int) nth, (select min(id) as id from members where workspace_id = $1) m`,
    [workspace.id, count],
  );
}

/** Declines a whole range at once, as one decision after the other would. */
async function declineRange(workspace: TestWorkspace, from: number, to: number): Promise<void> {
  await database.query(
    `with declined as (
       update activities set status = 'DECLINED'
        where workspace_id = $1 and number between $2 and $3 and status = 'PENDING' returning number),
     counted as (
       update activity_counters set declined = declined + (select count(*) from declined) where workspace_id = $1)
     insert into activity_gaps as g (workspace_id, size, block, gaps)
     select $1, size, (number - 1) / size, count(*)
       from declined, unnest(array[1000, 1000000]) as size group by 2, 3
     on conflict (workspace_id, size, block) do update set gaps = g.gaps + excluded.gaps`,
    [workspace.id, from, to],
  );
}

test('pages stay exact over thousands of activities with gaps at and across every thousand', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const total = 5_003;
  await fillWorkspace(workspace, total);
  const declined = new Set<number>();
  const check = async (page: number, size: number) => {
    const living = Array.from({ length: total }, (_, nth) => total - nth).filter((number) => !declined.has(number));
    const { activities, ...fields } = await workspace.activity(`?page=${page}&size=${size}`);
    const totalPages = Math.ceil(living.length / size);
    assert.deepEqual(fields, { page, size, totalElements: living.length, totalPages });
    assert.deepEqual(
      descriptions({ activities }),
      living.slice(page * size, (page + 1) * size).map(String),
      `page ${page} of ${size}`,
    );
  };
  const decline = async (number: number) => {
    if (declined.has(number)) return;
    assert.equal((await workspace.decide(number, 'decline')).status, 200);
    declined.add(number);
  };
  const edges = [999, 1000, 1001];
  for (const [page, size] of edges.flatMap(
    (edge) =>
      [
        [edge, 1],
        [1, edge - 1],
        [4, 1000],
      ] as const,
  ))
    await check(page, size);
  for (const number of [1000, 1001, 2999, 3000, 3001, total, 1]) await decline(number);
  for (const edge of [0, 1, 2, 3, 2_001, 2_002, 2_003, 3_999, 4_000, 4_001, 4_994, 4_995, 4_996]) await check(edge, 1);
  await declineRange(workspace, 1_995, 4_000);
  for (let number = 1_995; number <= 4_000; number++) declined.add(number);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: total }), fc.constantFrom(1, 2, 1_000, 1_001, 4_001, 5_000, 5_001)), {
        maxLength: 3,
      }),
      fc.constantFrom(1, 7, 20, 333, 1_000),
      fc.double({ min: 0, max: 1.05, noNaN: true }),
      async (numbers, size, place) => {
        for (const number of numbers) await decline(number);
        await check(Math.floor(((total - declined.size) / size) * place), size);
      },
    ),
    { numRuns: 40 },
  );
  await declineRange(workspace, 1, total);
  for (let number = 1; number <= total; number++) declined.add(number);
  for (const page of [0, 1, 5]) await check(page, 1_000);
  await workspace.given(aShoutout({ message: 'after all' }));
  const { totalElements, activities } = await workspace.activity();
  assert.deepEqual([totalElements, activities[0]?.description], [1, 'after all']);
});

test('after all of this the books agree, and nothing was ever our fault', async () => {
  assert.deepEqual(await readWrongs(database), []);
  const faults = [...service.logLines(), ...neighbour.logLines()].filter(({ status }) => Number(status) >= 500);
  assert.deepEqual(faults, []);
});
