import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage, FairnessPage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const fields = [
  { key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'Très grand'] },
  { key: 'floor', label: 'Floor', kind: 'NUMBER' },
  { key: 'probationEnds', label: 'End of probation', kind: 'DATE' },
  { key: 'hobby', label: 'Hobby', kind: 'TEXT' },
];
const people = [
  { email: 'ada@example.com', custom: { shirtSize: 'S', floor: 3, hobby: 'Chess \\N "Go"' } },
  { email: 'li@example.com', custom: { shirtSize: 'Très grand', floor: 3.5, probationEnds: '2027-01-31' } },
  { email: 'jo@example.com', custom: { shirtSize: 'S', hobby: 'ÉCHECS' } },
  { email: 'al@example.com' },
];

async function open() {
  const workspace = await openWorkspace(service);
  for (const body of fields) await workspace.call('/api/v1/custom-fields', { method: 'POST', body });
  await workspace.addPeople(people);
  const ask = (filter: unknown, more = '') =>
    workspace.call<MemberPage & { message: string }>(
      `/api/v1/members?custom=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}${more}`,
    );
  const find = async (filter: object, more = '') => {
    const { status, body } = await ask(filter, more);
    assert.equal(status, 200, JSON.stringify(body));
    return body.members.map(({ email }) => email?.split('@')[0]);
  };
  return { workspace, ask, find };
}

const { workspace, ask, find } = await open();

test('people are found by values of each kind, ignoring case, and by several at once', async () => {
  assert.deepEqual(await find({ shirtSize: 's' }), ['ada', 'jo']);
  assert.deepEqual(await find({ shirtSize: 'TRÈS GRAND' }), ['li']);
  assert.deepEqual(await find({ floor: 3 }), ['ada']);
  assert.deepEqual(await find({ floor: '3.50' }), ['li']);
  assert.deepEqual(await find({ probationEnds: '2027-01-31' }), ['li']);
  assert.deepEqual(await find({ hobby: 'échecs' }), ['jo']);
  assert.deepEqual(await find({ hobby: 'chess \\n "GO"' }), ['ada']);
  assert.deepEqual(await find({ hobby: 'chess' }), []);
  assert.deepEqual(await find({ shirtSize: 'S', hobby: 'Échecs' }), ['jo']);
  assert.deepEqual(await find({ shirtSize: 'S', floor: 4 }), []);
  assert.deepEqual(await find({ shirtSize: 'S' }, '&search=jo'), ['jo']);
});

test('people of another workspace with the same values are not found', async () => {
  const other = await open();
  assert.equal((await other.find({ shirtSize: 'S' })).length, 2);
  const { members } = (await other.ask({ shirtSize: 'S' })).body;
  const { members: here } = (await ask({ shirtSize: 'S' })).body;
  assert.ok(members.every(({ id }) => here.every((one) => one.id !== id)));
});

test('a filter that is no object, or names an unknown field or a wrong value, is rejected with what to do', async () => {
  const wrong: [unknown, RegExp][] = [
    ['shirtSize:M', /^custom must be a JSON object of keys and values: \{"shirtSize":"M"\}$/],
    ['{}', /^custom must be a JSON object/],
    [[], /^custom must be a JSON object/],
    [{ shoe: 44 }, /^custom\.shoe is no custom field of this workspace: use one of shirtSize, floor/],
    [{ shirtSize: 'XL' }, /^custom\.shirtSize must be one of S, Très grand$/],
    [{ floor: 'third' }, /^custom\.floor must be a number/],
    [{ hobby: null }, /^custom\.hobby must have a value$/],
  ];
  for (const [filter, message] of wrong) {
    const { status, body } = await ask(filter);
    assert.equal(status, 400, JSON.stringify(filter));
    assert.match(body.message.replace('The input could be invalid: ', ''), message);
  }
});

test('the report of last recognized members has the same filter, as pages and as a file', async () => {
  const query = `neverRecognized=true&custom=${encodeURIComponent('{"shirtSize":"S"}')}`;
  const path = `/api/v1/reports/members/last-recognized?${query}`;
  const { teamMembers } = await workspace.read<{ teamMembers: { teamMember: { email: string } }[] }>(path);
  assert.deepEqual(
    teamMembers.map(({ teamMember }) => teamMember.email),
    ['ada@example.com', 'jo@example.com'],
  );
  const headers = {
    ...{ Accept: 'text/csv', Authorization: `Bearer ${workspace.token}` },
    'X-Workspace-id': String(workspace.id),
  };
  const file = await (await fetch(service.url + path, { headers })).text();
  assert.equal(file.trim().split('\n').length, 3);
});

test('callers who may not read values may not filter by them', async () => {
  const scopes = ['directory:read', 'reports:read'];
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes });
  const query = `custom=${encodeURIComponent('{"shirtSize":"S"}')}`;
  for (const path of ['/api/v1/members', '/api/v1/reports/members/last-recognized'])
    for (const Accept of ['application/json', ...(path.includes('reports') ? ['text/csv'] : [])]) {
      const { status } = await workspace.call(`${path}?${query}`, { token, headers: { Accept } });
      assert.equal(status, 403, `${path} ${Accept}`);
      assert.equal((await workspace.call(path, { token })).status, 200);
    }
});

test('a value that many people have is found by pages, and counted by the report', async () => {
  const many = await openWorkspace(service);
  const field = { key: 'shirtSize', label: 'Shirt size', kind: 'TEXT' };
  await many.call('/api/v1/custom-fields', { method: 'POST', body: field });
  await many.addPeople(
    Array.from({ length: 10_010 }, (_, nth) => ({ employeeNumber: String(nth), custom: { shirtSize: 'M' } })),
  );
  await many.addPeople([{ employeeNumber: 'other', custom: { shirtSize: 'S' } }, { employeeNumber: 'none' }]);
  const query = `custom=${encodeURIComponent('{"shirtSize":"m"}')}`;
  const page = await many.read<MemberPage>(`/api/v1/members?${query}&page=1&size=3`);
  assert.deepEqual(
    page.members.map(({ employeeNumber }) => employeeNumber),
    ['3', '4', '5'],
  );
  assert.equal(page.totalIsMinimum, true);
  const path = `/api/v1/reports/members/last-recognized?neverRecognized=true&${query}`;
  assert.equal((await many.read<{ totalElements: number }>(path)).totalElements, 10_010);
});

test('coverage, fairness and people without recognition count those whom a custom field chooses, month by month too', async () => {
  const { workspace: company } = await open();
  const { members } = await company.read<MemberPage>('/api/v1/members?size=100');
  const idOf = (name: string) => members.find(({ email }) => email === `${name}@example.com`)?.id;
  for (const name of ['ada', 'li', 'jo'])
    await company.call(`/api/v1/members/${idOf(name)}`, { method: 'PATCH', body: { managerId: idOf('al') } });
  const thanks = { recipient: { email: 'ada@example.com' }, message: 'Thank you' };
  await company.call('/api/v1/shoutouts', { method: 'POST', body: thanks });
  const custom = `custom=${encodeURIComponent('{"shirtSize":"S"}')}`;
  const coverage = (by: string) => company.read<CoveragePage>(`/api/v1/reports/coverage?by=${by}&${custom}`);
  for (const by of ['department', 'manager', 'month']) {
    const found = await coverage(by);
    assert.deepEqual([found.company.people, found.company.recognized], [2, 1], by);
    const last = found.groups.at(by === 'month' ? -1 : 0);
    assert.deepEqual([last?.people, last?.recognized], [2, 1], by);
  }
  const { managers } = await company.read<FairnessPage>(`/api/v1/reports/fairness?${custom}`);
  assert.deepEqual(
    managers.map(({ manager, people: count, recognized }) => [manager.id, count, recognized]),
    [[idOf('al'), 2, 1]],
  );
  const left = await company.read<NotRecognizedPage>(`/api/v1/reports/members/not-recognized?${custom}`);
  assert.deepEqual(
    left.members.map(({ member }) => member.email),
    ['jo@example.com'],
  );
  const file = await company.call(`/api/v1/reports/coverage?${custom}`, { headers: { Accept: 'text/csv' } });
  assert.match(String(file.body).trim().split('\n')[1] ?? '', /,2,1,/);
  const auditor = await signIn(service, { role: 'AUDITOR', workspace: company.id, email: 'al@example.com' });
  for (const report of ['coverage', 'fairness', 'members/not-recognized'])
    refusal(await auditor.call(`/api/v1/reports/${report}?${custom}`), 403);
});
