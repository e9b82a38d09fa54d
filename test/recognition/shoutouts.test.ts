import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { checkServices } from '../support/books.ts';
import { startService } from '../support/service.ts';
import { ada, addReason, bob, countEverything, undecided } from '../support/shoutouts.ts';
import { aShoutout, isReplay, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('a shoutout is answered with exactly its activity record and its id', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], actsAs: '1' });
  const [first, second] = workspace.memberIds as [number, number];
  const [setup] = await database.query<Record<string, number>>(
    'select account_id as account, default_team_id as team, default_reason_id as reason from workspaces where id = $1',
    [workspace.id],
  );
  const before = Date.now();
  const answer = await workspace.give(aShoutout({ recipient: { email: 'bob@EXAMPLE.com' } }));
  assert.equal(answer.status, 201);
  assert.equal(isReplay(answer), false);
  const { createdOn, createdAt, ...record } = answer.body;
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
  assert.equal(createdAt, `${createdOn}Z`);
  const at = Date.parse(createdAt);
  assert.ok(before <= at && at <= Date.now());
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
  const {
    id,
    createdAt: _,
    otherReceivers,
    decidedBy,
    decidedAt,
    decidedOn,
    decisionReason,
    ...activity
  } = answer.body;
  assert.deepEqual((await workspace.activity()).activities, [activity]);
  assert.deepEqual(await workspace.read(`/api/v1/shoutouts/${id}`), answer.body);
});

test('self is true for the member behind the calling token, not for the sender', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob], actsAs: '1' });
  const { token } = await service.addToken({ workspaces: [workspace.id], actsAs: '2' });
  const selves = ({ sender, receiver }: Shoutout) => [sender.self, receiver.self];
  const { id } = await workspace.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  const seen = await workspace.call<Shoutout>(`/api/v1/shoutouts/${id}`, { token });
  assert.deepEqual(selves(seen.body), [false, true]);
  assert.deepEqual(selves(await workspace.given(aShoutout(), { token })), [true, false]);
});

test('a message has 1 to 1,000 characters after trimming, of any number of bytes', async () => {
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

test('every invalid field is named, types are exact, and nothing is recorded', async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const before = await countEverything(database, workspace);
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
  assert.deepEqual(await countEverything(database, workspace), before);
});

test('null counts as absent where a field is optional', async () => {
  const workspace = await openWorkspace(service, { people: [ada] });
  const { id, status } = await workspace.given({
    recipient: { email: 'ada@example.com', firstName: null, employeeNumber: ' ' },
    message: 'Well done!',
    reasonId: null,
    isPrivate: null,
    sender: null,
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

test("a shoutout's reason is one of the workspace's active reasons, else its default", async () => {
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
  const before = await countEverything(database, workspace);
  const messages = new Set<string>();
  for (const reasonId of [retired.id, foreign.id, 987_654_321, Number.MAX_SAFE_INTEGER])
    messages.add(refusal(await workspace.give(aShoutout({ recipient: { email: 'n@example.com' }, reasonId })), 400));
  assert.deepEqual([...messages], ["reasonId is not one of the workspace's reasons"]);
  assert.deepEqual(await countEverything(database, workspace), before);
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

test('an id without a shoutout in the workspace is a 404, and an invalid id a 400', async () => {
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

test('after all of this the books agree, and no request failed', () => checkServices(service));
