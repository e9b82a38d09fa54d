import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason, ReasonList } from '../../src/ground/contract/reason.ts';
import { readWrongs } from '../support/books.ts';
import { type Call, startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();

/** A workspace with functions for its reasons. */
async function openReasons() {
  const workspace = await openWorkspace(service);
  const path = (id?: number | string) => (id === undefined ? '/api/v1/reasons' : `/api/v1/reasons/${id}`);
  const add = (body: unknown, call: Call = {}) => workspace.call<Reason>(path(), { method: 'POST', body, ...call });
  const list = async () => (await workspace.read<ReasonList>(path())).reasons;
  return {
    ...workspace,
    list,
    add,
    async added(description: string): Promise<Reason> {
      const { status, body } = await add({ description });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
    change: (id: number | string, body: unknown, call: Call = {}) =>
      workspace.call<Reason>(path(id), { method: 'PATCH', body, ...call }),
    retire: (id: number | string, call: Call = {}) => workspace.call(path(id), { method: 'DELETE', ...call }),
    defaultReason: async () => (await list())[0] as Reason,
  };
}

const texts = (reasons: Reason[]) => reasons.map(({ description }) => description);

test('a workspace starts with a default reason, which is listed first and the others in alphabetical order', async () => {
  const { list, add, added } = await openReasons();
  const [first, ...none] = await list();
  assert.deepEqual(none, []);
  assert.deepEqual(first, { id: first?.id, description: 'Thank you', isDefault: true });
  for (const description of ['teamwork', 'Zeal', 'Courage', 'élan']) await added(description);
  const reasons = await list();
  assert.equal(reasons[0]?.description, 'Thank you');
  assert.deepEqual(texts(reasons).slice(1, 4), ['Courage', 'teamwork', 'Zeal']);
  for (const reason of reasons) assert.deepEqual(Object.keys(reason), ['id', 'description', 'isDefault']);
  const { status, body } = await add({ description: ' Launch \n', isDefault: true });
  assert.equal(status, 201);
  assert.deepEqual(body, { id: body.id, description: 'Launch', isDefault: true });
  assert.deepEqual(
    (await list()).filter(({ isDefault }) => isDefault),
    [body],
  );
});

test('renaming a reason changes it everywhere it is shown', async () => {
  const { added, change, given, gift, activity, list, defaultReason } = await openReasons();
  const reason = await added('Teamwrok');
  await given(aShoutout({ reasonId: reason.id }));
  await gift({ email: 'ada@example.com' });
  const renamed = await change(reason.id, { description: ' Teamwork ' });
  assert.equal(renamed.status, 200);
  assert.deepEqual(renamed.body, { ...reason, description: 'Teamwork' });
  await change((await defaultReason()).id, { description: 'Gracias' });
  assert.deepEqual(
    (await activity()).activities.map((one) => one.reason.description),
    ['Gracias', 'Teamwork'],
  );
  assert.deepEqual(texts(await list()), ['Gracias', 'Teamwork']);
  for (const nothing of [{}, { description: null }, { description: 'Teamwork' }, { isDefault: false }])
    assert.deepEqual((await change(reason.id, nothing)).body, renamed.body);
});

test('a new default reason applies to later recognitions only', async () => {
  const { added, change, given, gift, activity, defaultReason } = await openReasons();
  const old = await defaultReason();
  await gift({ email: 'ada@example.com' });
  await given(aShoutout());
  const teamwork = await added('Teamwork');
  const { status, body } = await change(teamwork.id, { isDefault: true });
  assert.equal(status, 200);
  assert.deepEqual(body, { ...teamwork, isDefault: true });
  assert.deepEqual(await defaultReason(), body);
  await gift({ email: 'ada@example.com' });
  await given(aShoutout());
  await given(aShoutout({ reasonId: old.id }));
  assert.deepEqual(
    (await activity()).activities.map(({ reason }) => reason.id),
    [old.id, teamwork.id, teamwork.id, old.id, old.id],
  );
  assert.equal((await change(teamwork.id, { isDefault: true })).status, 200, 'again changes nothing');
});

test('a retired reason stays on its shoutouts, is refused for new ones, and can be added again', async () => {
  const { added, add, retire, change, give, given, activity, list } = await openReasons();
  const { id } = await added('Teamwork');
  await given(aShoutout({ reasonId: id }));
  const retired = await retire(id, { headers: { 'Content-Type': 'application/json' } });
  assert.deepEqual([retired.status, retired.body], [204, '']);
  assert.deepEqual(texts(await list()), ['Thank you']);
  assert.deepEqual((await activity()).activities[0]?.reason, { id, description: 'Teamwork' });
  assert.match(refusal(await give(aShoutout({ reasonId: id })), 400), /^reasonId /);
  refusal(await retire(id), 404);
  refusal(await change(id, { isDefault: true }), 404);
  refusal(await change(id, { description: 'x' }), 404);
  const again = await add({ description: 'Teamwork' });
  assert.deepEqual([again.status, again.body], [201, { id, description: 'Teamwork', isDefault: false }]);
  assert.equal((await given(aShoutout({ reasonId: id }))).reason.id, id);
});

test('the default reason cannot be retired or unset until another is the default', async () => {
  const { added, change, retire, defaultReason, list } = await openReasons();
  const old = await defaultReason();
  assert.match(refusal(await retire(old.id), 409), /default/);
  assert.match(refusal(await change(old.id, { isDefault: false }), 409), /default/);
  assert.match(refusal(await change(old.id, { description: 'Thanks', isDefault: false }), 409), /default/);
  assert.deepEqual(await list(), [old]);
  const { id } = await added('Teamwork');
  await change(id, { isDefault: true });
  assert.equal((await retire(old.id)).status, 204);
  assert.deepEqual(texts(await list()), ['Teamwork']);
});

test('a description is unique within a workspace, and other workspaces may have it too', async () => {
  const { added, add, change, retire, list } = await openReasons();
  const other = await openReasons();
  const [teamwork, courage] = [await added('Teamwork'), await added('Courage')];
  await other.added('Teamwork');
  assert.match(refusal(await add({ description: ' Teamwork ' }), 409), /"Teamwork"/);
  refusal(await add({ description: 'Teamwork', isDefault: true }), 409);
  refusal(await change(courage.id, { description: 'Teamwork' }), 409);
  refusal(await change(courage.id, { description: 'Thank you', isDefault: true }), 409);
  await retire(teamwork.id);
  refusal(await change(courage.id, { description: 'Teamwork' }), 409);
  assert.deepEqual(texts(await list()), ['Thank you', 'Courage']);
  assert.equal((await list())[0]?.isDefault, true);
});

test('reasons that differ only in case are the same', async () => {
  const { added, add, change, retire, list } = await openReasons();
  const [teamwork, courage] = [await added('Teamwork'), await added('Élan')];
  assert.match(refusal(await add({ description: 'TEAMWORK' }), 409), /"Teamwork"/);
  assert.match(refusal(await add({ description: 'élan' }), 409), /"Élan"/);
  refusal(await change(courage.id, { description: 'teamWork' }), 409);
  assert.equal((await change(teamwork.id, { description: 'TeamWork' })).status, 200);
  await retire(teamwork.id);
  refusal(await change(courage.id, { description: 'teamwork' }), 409);
  assert.deepEqual(await added('teamwork'), { id: teamwork.id, description: 'teamwork', isDefault: false });
  assert.deepEqual(texts(await list()), ['Thank you', 'teamwork', 'Élan']);
});

test('older reasons that differ only in case stay, and no third one is added', async () => {
  const { id: workspaceId, added, add, change, retire, list } = await openReasons();
  const { id } = await added('Teamwork');
  const [other] = await service.database.query<{ id: number }>(
    `insert into reasons (workspace_id, description) values ($1, 'teamwork') returning id`,
    [workspaceId],
  );
  assert.deepEqual(texts(await list()), ['Thank you', 'Teamwork', 'teamwork']);
  refusal(await add({ description: 'TEAMWORK' }), 409);
  refusal(await change(id, { description: 'TEAMWORK' }), 409);
  assert.equal((await change(id, { isDefault: true })).status, 200);
  await retire(other?.id as number);
  refusal(await add({ description: 'teamwork' }), 409);
  assert.deepEqual(texts(await list()), ['Teamwork', 'Thank you']);
});

test('an invalid reason is refused by field', async () => {
  const { add, change, defaultReason, list } = await openReasons();
  const { id } = await defaultReason();
  const before = await list();
  for (const description of ['', '  ', 5, ['x'], {}, 'x'.repeat(201), '🎁'.repeat(201), 'a\0b', '\ud800', true]) {
    assert.match(refusal(await add({ description }), 400), /^description must /);
    assert.match(refusal(await change(id, { description }), 400), /: description must /);
  }
  assert.equal(refusal(await add({}), 400), 'description is required');
  assert.equal(refusal(await add({ description: null }), 400), 'description must be a string');
  for (const isDefault of ['true', 1, 0, [], {}]) {
    assert.match(refusal(await add({ description: 'x', isDefault }), 400), /^isDefault must /);
    assert.match(refusal(await change(id, { isDefault }), 400), /: isDefault must /);
  }
  const both = refusal(await add({ description: 5, isDefault: 5 }), 400);
  assert.match(both, /^description must .*; isDefault must /);
  for (const body of ['[]', 'null', '"x"', '{', '']) {
    refusal(await add(body), 400);
    refusal(await change(id, body), 400);
  }
  assert.deepEqual(await list(), before);
  const longest = await add({ description: '🎁'.repeat(200) });
  assert.equal(longest.status, 201);
  assert.equal((await add({ description: '  %_\\"\'; drop table reasons' })).status, 201);
});

test("another workspace's reason is not found, and an invalid id is a 400", async () => {
  const { change, retire } = await openReasons();
  const other = await openReasons();
  const { id } = await other.added('Teamwork');
  const messages = new Set<string>();
  for (const unknown of [id, 987_654_321, Number.MAX_SAFE_INTEGER]) {
    messages.add(refusal(await change(unknown, { description: 'Mine' }), 404));
    messages.add(refusal(await change(unknown, { isDefault: true }), 404));
    messages.add(refusal(await retire(unknown), 404));
  }
  assert.equal(messages.size, 1);
  for (const wrong of ['0', '-1', '1.5', 'one', '9007199254740992', '%00']) {
    assert.match(refusal(await change(wrong, { description: 'x' }), 400), /\bid must be /);
    assert.match(refusal(await retire(wrong), 400), /\bid must be /);
  }
  assert.deepEqual(texts(await other.list()), ['Thank you', 'Teamwork']);
});

test('reading reasons requires recognition:read, and changing them recognition:manage', async () => {
  const { id: workspace, add, change, retire, call, added, list } = await openReasons();
  const { id } = await added('Teamwork');
  const withScopes = async (...scopes: string[]) => (await service.addToken({ workspaces: [workspace], scopes })).token;
  const others = [
    'recognition:write',
    'recognition:approve',
    'recognition:delegate',
    'directory:write',
    'orders:write',
  ];
  const token = await withScopes('recognition:read', ...others);
  assert.equal((await call('/api/v1/reasons', { token })).status, 200);
  const before = await list();
  refusal(await add({ description: 'x' }, { token }), 403);
  refusal(await add({}, { token }), 403);
  refusal(await change(id, { isDefault: true }, { token }), 403);
  refusal(await retire(id, { token }), 403);
  refusal(await retire(987_654_321, { token }), 403);
  const manager = await withScopes('recognition:manage', ...others);
  refusal(await call('/api/v1/reasons', { token: manager }), 403);
  assert.deepEqual(await list(), before);
  assert.equal((await retire(id, { token: manager })).status, 204);
  refusal(await call('/api/v1/reasons', { token: null }), 401);
});

test('concurrent changes leave one reason of each description and one default, without a 500', async () => {
  const { added, add, change, retire, list } = await openReasons();
  for (let round = 0; round < 8; round++) {
    const ids = (await Promise.all(['A', 'B', 'C'].map((name) => added(`${name} ${round}`)))).map(({ id }) => id);
    const description = `Same ${round}`;
    const wordings = await Promise.all(
      ids.flatMap((id) => [change(id, { description }), add({ description, isDefault: round % 2 === 0 })]),
    );
    assert.equal(wordings.filter(({ status }) => status < 300).length, 1, 'one of them gets the words');
    const decisions = await Promise.all(ids.flatMap((id) => [change(id, { isDefault: true }), retire(id)]));
    for (const { status, body } of [...wordings, ...decisions])
      assert.ok([200, 201, 204, 404, 409].includes(status), `${status} ${JSON.stringify(body)}`);
    const now = await list();
    assert.equal(now.filter(({ isDefault }) => isDefault).length, 1);
    assert.equal(now[0]?.isDefault, true);
    assert.equal(new Set(texts(now)).size, now.length);
  }
});

test('after all of this the books agree, and no request failed', async () => {
  assert.deepEqual(await readWrongs(service.database), []);
  assert.deepEqual(
    service.logLines().filter(({ status }) => Number(status) >= 500),
    [],
  );
});
