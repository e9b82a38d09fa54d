import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { checkServices } from '../support/books.ts';
import { whileBusy } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { ada, addReason, bob, undecided } from '../support/shoutouts.ts';
import { aShoutout, isReplay, openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = 'a key that both services have in common';
const service = await startService({ tokenKey });
const neighbour = await startService({ tokenKey, databaseUrl: service.database.url });

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

test('the same key and body replay the shoutout; another body is a 422 that names the fields', async () => {
  const workspace = await openWorkspace(service, { people: [ada, bob] });
  const body = aShoutout({ recipient: { email: 'ada@example.com', firstName: 'Ada' }, isPrivate: true });
  const first = await workspace.give(body, withKey('k'));
  assert.equal(isReplay(first), false);
  for (const again of [
    body,
    JSON.stringify(body, null, 4),
    { ...body, message: ' Well done! ', sender: null },
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

test('a key is used once its shoutout is recorded, per workspace, and apart from the keys of orders', async () => {
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

test('a replay shows the shoutout as it is now, whatever happened to its reason and people', async () => {
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

test('a hundred equal submissions at once on two nodes make one shoutout', async () => {
  const workspace = await openWorkspace(service);
  const recipient = { email: 'new@example.com', employeeNumber: 'N' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, nth) => {
      const call = { method: 'POST', token: workspace.token, workspace: workspace.id, body: aShoutout({ recipient }) };
      const node = nth % 2 ? service : neighbour;
      return whileBusy(() => node.call<Shoutout>('/api/v1/shoutouts', { ...call, ...withKey('k') }));
    }),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal((await workspace.activity()).totalElements, 1);
  assert.equal((await workspace.members()).totalElements, 1);
});

test('of many submissions at once only the invalid ones are refused, and of two bodies with one key one is accepted', async () => {
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

test('after all of this the books agree, and no request failed', () => checkServices(service, neighbour));
