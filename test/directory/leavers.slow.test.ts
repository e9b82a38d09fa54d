import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { readWrongs } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/service.ts';
import { aShoutout, isReplay, type Opening, openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = 'a key that both services have in common';
const service = await startService();
const { database } = service;

const here = { email: 'here@example.com', employeeNumber: '1', firstName: 'Here', department: 'Care' };
const gone = { email: 'Gone@example.com', employeeNumber: '2', firstName: 'Gone', department: 'Care' };

/** Somebody who stays and somebody who can leave. */
async function openCompany({ on = service, ...opening }: Opening & { on?: TestService } = {}) {
  const workspace = await openWorkspace(on, { people: [here, gone], ...opening });
  const [hereId, goneId] = workspace.memberIds as [number, number];
  return {
    ...workspace,
    hereId,
    goneId,
    leave: () => workspace.change(goneId, { active: false }),
    comeBack: () => workspace.change(goneId, { active: true }),
    firstNames: async (query = '') =>
      (await workspace.lastRecognized(query)).teamMembers.map(({ teamMember }) => teamMember.firstName),
  };
}

/** Counts of all rows that an order or a shoutout could write. */
async function countEverything(workspaceId: number): Promise<unknown> {
  return database.query(
    `select (select count(*) from members where workspace_id = $1)        as members,
            (select count(*) from order_requests where workspace_id = $1) as requests,
            (select count(*) from orders where workspace_id = $1)         as orders,
            (select count(*) from activities where workspace_id = $1)     as activities,
            (select count(*) from shoutouts where workspace_id = $1)      as shoutouts,
            (select json_agg(m order by id) from members m where workspace_id = $1) as people`,
    [workspaceId],
  );
}

const ways = [
  { email: 'gone@example.com' },
  { email: 'GONE@EXAMPLE.COM' },
  { employeeNumber: '2' },
  { employeeNumber: ' 2 ' },
  { email: ' ', employeeNumber: '2' },
  { email: 'gone@example.com', employeeNumber: '1' },
  { email: 'gone@example.com', employeeNumber: 'new' },
];

test('gifts and shoutouts for a leaver are refused under any of their addresses and numbers, and change nothing', async () => {
  const { id, leave, order, give } = await openCompany();
  await leave();
  const before = await countEverything(id);
  for (const recipient of ways) {
    const what = JSON.stringify(recipient);
    assert.match(refusal(await order([recipient]), 400), /^orderItems\[0\]\.recipient has left /, what);
    assert.match(refusal(await give(aShoutout({ recipient })), 400), /^recipient has left /, what);
  }
  assert.deepEqual(await countEverything(id), before);
});

test('an order names every gift for a leaver and is refused as a whole', async () => {
  const { id, leave, order } = await openCompany();
  await leave();
  const before = await countEverything(id);
  const recipients = Array.from({ length: 14 }, (_, nth) =>
    [2, 5, 11].includes(nth) ? ways[nth % ways.length] : { email: `new${nth}@example.com` },
  ) as object[];
  const message = refusal(await order(recipients), 400);
  assert.deepEqual(
    message.split('; ').map((fault) => fault.split(' ')[0]),
    [2, 5, 11].map((nth) => `orderItems[${nth}].recipient`),
  );
  assert.deepEqual(await countEverything(id), before);
});

test("a recipient's e-mail decides who they are, even beside a leaver's employee number", async () => {
  const { leave, order, finished, given, hereId, goneId } = await openCompany();
  await leave();
  const accepted = await order([{ email: 'here@example.com', employeeNumber: '2' }]);
  assert.equal(accepted.status, 201);
  await finished(accepted.body.requestId);
  assert.equal(
    (await given(aShoutout({ recipient: { email: 'HERE@example.com', employeeNumber: '2' } }))).receiver.id,
    hereId,
  );
  const { receiver } = await given(aShoutout({ recipient: { email: 'new@example.com', employeeNumber: '2' } }));
  assert.ok(receiver.id !== goneId && receiver.id !== hereId);
});

test('of many concurrent orders and shoutouts exactly those for leavers are refused', async () => {
  const { leave, order, finished, give } = await openCompany();
  const elsewhere = await openCompany();
  await leave();
  const orders = await Promise.all(
    Array.from({ length: 90 }, async (_, nth) => {
      const kind = nth % 3;
      const recipient = { email: kind === 0 ? 'gone@example.com' : 'here@example.com' };
      const answer = kind === 2 ? await elsewhere.order([{ email: 'gone@example.com' }]) : await order([recipient]);
      return { kind, ...answer };
    }),
  );
  for (const { kind, status } of orders) assert.equal(status, kind === 0 ? 400 : 201);
  for (const { kind, body } of orders)
    if (kind > 0) {
      const { requestStatus } = await (kind === 2 ? elsewhere : { finished }).finished(body.requestId);
      assert.equal(requestStatus, 'COMPLETED');
    }
  const shoutouts = await Promise.all(
    Array.from({ length: 40 }, (_, nth) =>
      give(aShoutout({ recipient: { email: nth % 2 ? 'gone@example.com' : 'here@example.com' } })),
    ),
  );
  assert.deepEqual(
    shoutouts.map(({ status }) => status),
    Array.from(shoutouts, (_, nth) => (nth % 2 ? 400 : 201)),
  );
});

test('a workspace can accept gifts and shoutouts for leavers', async () => {
  const { leave, gift, given, goneId, lastRecognized, firstNames, read } = await openCompany({
    acceptsLeavers: true,
  });
  await leave();
  await gift({ email: 'GONE@example.com' }, { employeeNumber: '2' });
  const { receiver } = await given(aShoutout({ recipient: { employeeNumber: '2' } }));
  assert.equal(receiver.id, goneId);
  assert.equal((await lastRecognized()).totalElements, 0);
  assert.deepEqual(await firstNames('?includeInactive=true'), ['Gone']);
  assert.equal((await read<{ active: boolean }>(`/api/v1/members/${goneId}`)).active, false);
});

test('changing the setting for leavers affects tokens that are in use', async () => {
  const { id, leave, order, give } = await openCompany();
  await leave();
  refusal(await order([{ employeeNumber: '2' }]), 400);
  await database.transaction((tx) => updateWorkspace(tx, id, { acceptsLeavers: true }));
  await eventually(
    () => order([{ employeeNumber: '2' }]),
    ({ status }) => status === 201,
  );
  assert.equal((await give(aShoutout({ recipient: { employeeNumber: '2' } }))).status, 201);
});

test('an order accepted before its recipient left is fulfilled, and its key replays as before', async () => {
  const accepting = await startService({ role: 'api', tokenKey });
  const { leave, order, goneId, id, call } = await openCompany({ on: accepting });
  const recipients = [{ email: 'gone@example.com' }, { employeeNumber: '2' }];
  const keyed = { headers: { 'Idempotency-Key': 'k' } };
  const accepted = await order(recipients, keyed);
  assert.deepEqual([accepted.status, accepted.body.requestStatus], [201, 'ACCEPTED']);
  await leave();
  const pending = await order(recipients, keyed);
  assert.deepEqual([pending.status, isReplay(pending), pending.body], [201, true, accepted.body]);
  assert.match(refusal(await order([{ employeeNumber: '2' }], keyed), 422), /orderItems/);
  const first = refusal(await order(recipients, { headers: { 'Idempotency-Key': 'another' } }), 400);
  assert.match(first, /^orderItems\[0\]\.recipient .*; orderItems\[1\]\.recipient /);

  await startService({ databaseUrl: accepting.database.url, tokenKey });
  const path = `/api/v1/orders/status/${accepted.body.requestId}`;
  const done = await eventually(
    async () => (await call<OrderRequestStatus>(path)).body,
    ({ requestStatus }) => requestStatus !== 'ACCEPTED',
  );
  assert.equal(done.requestStatus, 'COMPLETED');
  const again = await order(recipients, keyed);
  assert.deepEqual([again.status, isReplay(again), again.body], [201, true, done]);
  const members = await accepting.database.query(
    'select distinct member_id as id from certificates where workspace_id = $1',
    [id],
  );
  assert.deepEqual(members, [{ id: goneId }]);
  assert.deepEqual(await readWrongs(accepting.database), []);
});

test('an idempotency key whose order was refused for a leaver can be used once they return', async () => {
  const { leave, comeBack, order, give, finished } = await openCompany();
  const keyed = { headers: { 'Idempotency-Key': 'k' } };
  await leave();
  refusal(await order([{ employeeNumber: '2' }], keyed), 400);
  refusal(await give(aShoutout({ recipient: { employeeNumber: '2' } }), keyed), 400);
  await comeBack();
  const accepted = await order([{ employeeNumber: '2' }], keyed);
  assert.deepEqual([accepted.status, isReplay(accepted)], [201, false]);
  await finished(accepted.body.requestId);
  const given = await give(aShoutout({ recipient: { employeeNumber: '2' } }), keyed);
  assert.deepEqual([given.status, isReplay(given)], [201, false]);
});

test('a pending shoutout for somebody who left can still be decided', async () => {
  const { leave, given, decide, firstNames, activity } = await openCompany({ asksForApproval: true });
  const [one, two] = [
    await given(aShoutout({ recipient: { employeeNumber: '2' } })),
    await given(aShoutout({ recipient: { employeeNumber: '2' } })),
  ];
  await leave();
  assert.equal((await decide(one.id, 'approve')).status, 200);
  assert.equal((await decide(two.id, 'decline')).status, 200);
  assert.deepEqual(await firstNames(), []);
  assert.deepEqual(await firstNames('?includeInactive=true'), ['Gone']);
  assert.equal((await activity()).totalElements, 1);
});

test('a leaver who returns is the same member with the same history', async () => {
  const { leave, comeBack, gift, goneId, firstNames, given, activity } = await openCompany();
  await gift({ employeeNumber: '2' });
  await leave();
  assert.deepEqual(await firstNames(), []);
  await comeBack();
  assert.deepEqual(await firstNames(), ['Gone']);
  assert.equal((await given(aShoutout({ recipient: { email: 'gone@example.com' } }))).receiver.id, goneId);
  await gift({ email: 'GONE@example.com' });
  const receivers = (await activity()).activities.map(({ receiver }) => receiver.id);
  assert.deepEqual(receivers, [goneId, goneId, goneId]);
});

test('last recognized leaves out leavers unless asked, with every filter, and team activity keeps them', async () => {
  const { leave, gift, firstNames, lastRecognized, activity, addPeople, change, hereId, goneId } = await openCompany();
  await gift({ employeeNumber: '1' }, { employeeNumber: '2' });
  const [never] = await addPeople([
    { firstName: 'Never', department: 'Care', location: 'Lima' },
    { firstName: 'NeverLeft', department: 'Care', location: 'Lima', active: false },
  ]);
  await change(goneId, { location: 'Oslo', costCentre: 'C', currency: 'CAD', managerId: hereId });
  await leave();
  const before = (await activity()).activities;
  assert.deepEqual(before.map(({ receiver }) => receiver.id).sort(), [hereId, goneId].sort());
  assert.ok(never);
  const cases: [string, string[], string[]][] = [
    ['', ['Here'], ['Here', 'Gone']],
    ['department=care', ['Here'], ['Here', 'Gone']],
    ['location=oslo', [], ['Gone']],
    ['costCentre=c', [], ['Gone']],
    ['currency=cad', [], ['Gone']],
    ['employeeNumber=2', [], ['Gone']],
    ['manager=here@example.com', [], ['Gone']],
    ['neverRecognized=true', ['Never'], ['Never', 'NeverLeft']],
    ['neverRecognized=true&location=lima', ['Never'], ['Never', 'NeverLeft']],
    ['neverRecognized=false&department=CARE', ['Here'], ['Here', 'Gone']],
  ];
  for (const [filter, without, including] of cases) {
    for (const [suffix, expected] of [
      ['', without],
      ['&includeInactive=false', without],
      ['&includeInactive=true', including],
    ] as const) {
      const query = `?${filter}${suffix}`;
      assert.deepEqual(await firstNames(query), expected, query);
      const { totalElements, totalPages } = await lastRecognized(`${query}&size=1`);
      assert.deepEqual([totalElements, totalPages], [expected.length, expected.length], query);
      for (const [nth, name] of expected.entries())
        assert.deepEqual(await firstNames(`${query}&size=1&page=${nth}`), [name], query);
    }
  }
  for (const wrong of ['yes', '', '1'])
    assert.match(
      refusal(await service.call(`/api/v1/reports/members/last-recognized?includeInactive=${wrong}`), 400),
      /: includeInactive must be /,
    );
});

test('a merged record leaves and returns with the surviving one', async () => {
  const { id, addPeople, merge, hereId, goneId, leave, comeBack, order, give, given } = await openCompany();
  const [alias] = (await addPeople([{ email: 'alias@example.com', employeeNumber: 'A' }])) as [number];
  await merge(alias, goneId);
  await leave();
  const before = await countEverything(id);
  for (const recipient of [{ email: 'ALIAS@example.com' }, { employeeNumber: 'A' }]) {
    assert.match(refusal(await order([recipient]), 400), /^orderItems\[0\]\.recipient /);
    assert.match(refusal(await give(aShoutout({ recipient })), 400), /^recipient /);
  }
  assert.deepEqual(await countEverything(id), before);
  await comeBack();
  assert.equal((await given(aShoutout({ recipient: { employeeNumber: 'A' } }))).receiver.id, goneId);

  const [last] = (await addPeople([{ email: 'last@example.com', employeeNumber: 'L', active: false }])) as [number];
  await merge(goneId, last);
  for (const recipient of [{ email: 'alias@example.com' }, { employeeNumber: '2' }, { employeeNumber: 'L' }]) {
    assert.match(refusal(await order([recipient]), 400), /^orderItems\[0\]\.recipient /, JSON.stringify(recipient));
    assert.match(refusal(await give(aShoutout({ recipient })), 400), /^recipient /, JSON.stringify(recipient));
  }
  await merge(last, hereId);
  for (const recipient of [{ email: 'alias@example.com' }, { employeeNumber: '2' }, { employeeNumber: 'L' }])
    assert.equal((await given(aShoutout({ recipient }))).receiver.id, hereId);
});

test('after all of this the books agree, and no request failed', async () => {
  assert.deepEqual(await readWrongs(database), []);
  assert.deepEqual(
    service.logLines().filter(({ status }) => Number(status) >= 500),
    [],
  );
});
