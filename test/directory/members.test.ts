import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOrAddTeams, joinTeams } from '../../src/company/directory/teams.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import { readWrongs } from '../support/books.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const ids = ({ members }: { members: Member[] }) => members.map(({ id }) => id);
const queryOf = (query: Record<string, string | number>) =>
  `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]))}`;

test('a member is answered with exactly its fields, known or not', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      {
        email: 'Ada@example.com',
        employeeNumber: '1',
        firstName: 'Ada',
        lastName: 'Lovelace',
        department: 'Engineering',
        costCentre: 'CC-100',
        location: 'Toronto',
        currency: 'CAD',
        pictureUrl: 'https://example.com/ada.jpg',
        userName: 'ada',
        externalId: 'x-1',
      },
      { employeeNumber: '2' },
    ],
  });
  const [ada, bare] = workspace.memberIds as [number, number];
  await workspace.change(ada, { managerId: bare });
  const teamId = await inWorkspace(database, workspace.id, async (tx) => {
    const team = (await findOrAddTeams(tx, workspace.id, ['Platform'])).get('Platform') as number;
    await joinTeams(tx, workspace.id, [{ memberId: ada, teamId: team }]);
    return team;
  });
  const first = {
    id: ada,
    email: 'Ada@example.com',
    employeeNumber: '1',
    firstName: 'Ada',
    lastName: 'Lovelace',
    department: 'Engineering',
    costCentre: 'CC-100',
    location: 'Toronto',
    currency: 'CAD',
    avatar: 'https://example.com/ada.jpg',
    country: null,
    hireDate: null,
    birthday: null,
    leaveStartsOn: null,
    leaveEndsOn: null,
    hiddenDays: null,
    preferredName: null,
    language: null,
    timeZone: null,
    phone: null,
    leavesOn: null,
    custom: {},
    manager: { id: bare, email: null, firstName: '', lastName: '' },
    team: { id: teamId, name: 'Platform' },
    active: true,
    leftOn: null,
    recognitions: 0,
    lastRecognizedOn: null,
    lastRecognizedBy: null,
    provisioned: true,
  };
  const page = await workspace.members();
  const second = page.members[1] as Member;
  assert.deepEqual(page, { page: 0, size: 20, totalElements: 2, totalPages: 1, members: [first, second] });
  assert.deepEqual(second, {
    id: bare,
    email: null,
    employeeNumber: '2',
    firstName: '',
    lastName: '',
    department: null,
    costCentre: null,
    location: null,
    currency: null,
    avatar: null,
    country: null,
    hireDate: null,
    birthday: null,
    leaveStartsOn: null,
    leaveEndsOn: null,
    hiddenDays: null,
    preferredName: null,
    language: null,
    timeZone: null,
    phone: null,
    leavesOn: null,
    custom: {},
    manager: null,
    team: { id: second.team.id, name: 'Everyone' },
    active: true,
    leftOn: null,
    recognitions: 0,
    lastRecognizedOn: null,
    lastRecognizedBy: null,
    provisioned: false,
  });
  assert.deepEqual(await workspace.read(`/api/v1/members/${ada}`), first);
  assert.deepEqual(await workspace.read(`/api/v1/members/${bare}`), second);
});

test('members come by id in pages, and a page past the end is empty', async () => {
  const workspace = await openWorkspace(service, {
    people: Array.from({ length: 23 }, (_, nth) => ({ employeeNumber: `${nth}` })),
  });
  for (const size of [1, 7, 20, 23, 1000]) {
    const walked: number[] = [];
    const totalPages = Math.ceil(23 / size);
    for (let page = 0; page <= totalPages; page++) {
      const { members, ...fields } = await workspace.members(queryOf({ page, size }));
      assert.deepEqual(fields, { page, size, totalElements: 23, totalPages });
      walked.push(...ids({ members }));
    }
    assert.deepEqual(walked, workspace.memberIds);
  }
  for (const page of [3, Number.MAX_SAFE_INTEGER]) {
    const { members, totalElements } = await workspace.members(queryOf({ page, size: 1000 }));
    assert.deepEqual([members, totalElements], [[], 23]);
  }
});

test('integrations are not listed, and a merged record resolves to the surviving one', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'a@example.com', department: 'Care' },
      { email: 'b@example.com', firstName: 'Bea' },
      { email: 'c@example.com' },
    ],
  });
  const [a, b, c] = workspace.memberIds as [number, number, number];
  const integrations = await database.query<{ id: number }>(
    'select id from members where workspace_id = $1 and is_integration',
    [workspace.id],
  );
  assert.equal(integrations.length, 1);
  for (const { id } of integrations) refusal(await workspace.call(`/api/v1/members/${id}`), 404);
  assert.equal((await workspace.members('?search=payroll&includeInactive=true')).totalElements, 0);
  await workspace.merge(a, b);
  const kept = await workspace.read<Member>(`/api/v1/members/${b}`);
  assert.deepEqual([kept.email, kept.firstName, kept.department], ['b@example.com', 'Bea', 'Care']);
  assert.deepEqual(await workspace.read(`/api/v1/members/${a}`), kept);
  await workspace.merge(b, c);
  for (const id of [a, b, c]) assert.equal((await workspace.read<Member>(`/api/v1/members/${id}`)).id, c);
  for (const query of ['', '?includeInactive=true', '?department=care', '?search=bea'])
    assert.deepEqual(ids(await workspace.members(query)), [c], query);
  assert.equal((await workspace.members('?search=a@example')).totalElements, 0, 'only under what is theirs now');
});

test('leavers are listed on request, and always found by id', async () => {
  const workspace = await openWorkspace(service, {
    people: [
      { firstName: 'Here', department: 'D' },
      { firstName: 'Left', department: 'D', active: false },
    ],
  });
  const [here, left] = workspace.memberIds as [number, number];
  for (const filter of ['', 'department=d&', 'search=e&']) {
    for (const query of [`?${filter}`, `?${filter}includeInactive=false`])
      assert.deepEqual(ids(await workspace.members(query)), [here], query);
    assert.deepEqual(ids(await workspace.members(`?${filter}includeInactive=true`)), [here, left]);
  }
  const gone = await workspace.read<Member>(`/api/v1/members/${left}`);
  const today = new Date().toISOString().slice(0, 10);
  assert.equal(gone.active, false);
  assert.ok(gone.leftOn !== null && gone.leftOn <= today && /^\d{4}-\d\d-\d\d$/.test(gone.leftOn));
  await workspace.change(left, { active: true });
  const back = await workspace.read<Member>(`/api/v1/members/${left}`);
  assert.deepEqual([back.id, back.active, back.leftOn], [left, true, null]);
  assert.equal((await workspace.members()).totalElements, 2);
});

test('every filter alone and every pair of them is an exact match that ignores case', async () => {
  const words = ['Care', 'CARE', 'é 1', 'a%', null] as const;
  const people = Array.from({ length: 24 }, (_, nth) => ({
    email: `P${nth}@example.com`,
    employeeNumber: `${nth % 2 ? 'e' : 'E'}${nth >> 1}`,
    department: words[nth % 5] ?? null,
    costCentre: words[(nth * 3 + 1) % 5] ?? null,
    location: words[(nth >> 2) % 5] ?? null,
    currency: ['CAD', 'USD', null][nth % 3] ?? null,
    active: nth % 7 !== 3,
  }));
  const workspace = await openWorkspace(service, { people });
  const other = await openWorkspace(service, { people });
  const managerOf = (nth: number) => (nth < 2 ? null : nth % 2);
  for (const [nth, id] of workspace.memberIds.entries()) {
    const manager = managerOf(nth);
    if (manager !== null) await workspace.change(id, { managerId: workspace.memberIds[manager] as number });
  }
  const same = (one: string | null, wanted: string) => one?.toLowerCase() === wanted.toLowerCase();
  const managers: Record<string, number> = {
    'p0@EXAMPLE.com': 0,
    [`${workspace.memberIds[1]}`]: 1,
    [`${other.memberIds[0]}`]: -1,
    nobody: -1,
  };
  const filters: [string, string, (nth: number) => boolean][] = [
    ...(['department', 'costCentre', 'location'] as const).flatMap((name) =>
      ['care', 'É 1', 'A%', '%', ''].map((value): [string, string, (nth: number) => boolean] => [
        name,
        value,
        (nth) => same(people[nth]?.[name] ?? null, value),
      ]),
    ),
    ...['cad', 'XXX'].map((value): [string, string, (nth: number) => boolean] => [
      'currency',
      value,
      (nth) => same(people[nth]?.currency ?? null, value),
    ]),
    ['employeeNumber', 'e3', (nth) => same(people[nth]?.employeeNumber ?? null, 'e3')],
    ...Object.entries(managers).map(([value, manager]): [string, string, (nth: number) => boolean] => [
      'manager',
      value,
      (nth) => managerOf(nth) === manager,
    ]),
    ['search', 'p1 @example', (nth) => `p${nth}`.includes('p1')],
    ['includeInactive', 'true', () => true],
  ];
  for (const [at, [name, value, matches]] of filters.entries())
    for (const [otherName, otherValue, alsoMatches] of filters.slice(at)) {
      if (otherName === name && otherValue !== value) continue;
      const withLeavers = name === 'includeInactive' || otherName === 'includeInactive';
      const expected = workspace.memberIds.filter(
        (_, nth) => matches(nth) && alsoMatches(nth) && (withLeavers || people[nth]?.active),
      );
      const query = queryOf({ [name]: value, [otherName]: otherValue });
      const page = await workspace.members(query);
      assert.deepEqual(ids(page), expected.slice(0, 20), query);
      assert.equal(page.totalElements, expected.length, query);
    }
});

test("another workspace's members are never listed or found", async () => {
  const people = [{ email: 'a@example.com', department: 'Care', firstName: 'Ada' }];
  const [own, other] = [await openWorkspace(service, { people }), await openWorkspace(service, { people })];
  for (const query of ['', '?department=care', '?search=ada', '?includeInactive=true'])
    assert.deepEqual(ids(await own.members(query)), own.memberIds);
  const messages = [other.memberIds[0], 987_654_321, Number.MAX_SAFE_INTEGER].map(async (id) =>
    refusal(await own.call(`/api/v1/members/${id}`), 404),
  );
  assert.equal(new Set(await Promise.all(messages)).size, 1);
});

test('an invalid query or id is refused by name', async () => {
  const workspace = await openWorkspace(service);
  const texts = ['costCentre', 'currency', 'department', 'employeeNumber', 'location', 'manager', 'search'];
  const cases: [string, string[]][] = [
    ...texts.flatMap((name): [string, string[]][] => [
      [`${name}=a%00b`, [name]],
      [`${name}=a&${name}=a`, [name]],
    ]),
    [`search=${'x'.repeat(201)}`, ['search']],
    ['includeInactive=yes', ['includeInactive']],
    ['includeInactive=', ['includeInactive']],
    ['includeInactive=true&includeInactive=true', ['includeInactive']],
    ['size=0', ['size']],
    ['size=1001', ['size']],
    ['page=-1&size=x&department=%00', ['page', 'size', 'department']],
  ];
  for (const [query, names] of cases) {
    const message = refusal(await workspace.call(`/api/v1/members?${query}`), 400);
    const named = message
      .replace('The input could be invalid: ', '')
      .split('; ')
      .map((fault) => fault.split(' ')[0]);
    assert.deepEqual(named.sort(), names.sort(), query);
  }
  for (const id of ['0', '-1', '1.5', 'me', '1e2', '9007199254740992', '%00', '1'.repeat(300)])
    assert.match(refusal(await workspace.call(`/api/v1/members/${id}`), 400), /\bid must be /, id);
  const both = await workspace.call('/api/v1/members?neverRecognized=true&colour=red');
  assert.match(refusal(both, 400), /neverRecognized is not .*; colour is not /);
});

test("our lists refuse unknown parameters by name, and the interface's operations ignore them", async () => {
  const { status, body } = await service.call('/api/v1/members?departmnt=Care&size=1&colour=');
  assert.equal(status, 400);
  assert.match(
    String(body.message),
    /^The input could be invalid: departmnt is not a parameter of this list: did you mean department\?; colour is not a parameter of this list: it can have costCentre, /,
  );
  for (const path of ['/api/v1/shoutouts?state=PENDING', '/api/v1/reasons?page=0', '/api/v1/members?__proto__=1'])
    assert.match(String((await service.call(path)).body.message), / is not a parameter of this list: /, path);
  const unknown = crypto.randomUUID();
  for (const [path, expected] of [
    ['/api/v1/reports/teams/activity?colour=red', 200],
    ['/api/v1/reports/members/last-recognized?colour=red', 200],
    [`/api/v1/orders/${unknown}?colour=red`, 404],
    [`/api/v1/orders/status/${unknown}?colour=red`, 404],
  ] as const)
    assert.equal((await service.call(path)).status, expected, path);
});

test('reading the directory requires directory:read and no other scope', async () => {
  const workspace = await openWorkspace(service, { people: [{ firstName: 'Ada' }] });
  const paths = ['/api/v1/members', `/api/v1/members/${workspace.memberIds[0]}`, '/api/v1/members/987654321'];
  const withScopes = async (...scopes: string[]) =>
    (await service.addToken({ workspaces: [workspace.id], scopes })).token;
  const without = await withScopes('directory:write', 'reports:read', 'recognition:read', 'orders:write');
  const reader = await withScopes('directory:read');
  for (const path of paths) {
    refusal(await workspace.call(path, { token: without }), 403);
    refusal(await workspace.call(path, { token: null }), 401);
    assert.ok([200, 404].includes((await workspace.call(path, { token: reader })).status));
  }
});

test('after all of this the books agree, and no request failed', async () => {
  assert.deepEqual(await readWrongs(database), []);
  assert.deepEqual(
    service.logLines().filter(({ status }) => Number(status) >= 500),
    [],
  );
});
