import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertScimError, connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);
const work = { department: 'Research', costCenter: '4711', employeeNumber: 'E-1' };
const { id } = await scim.addUser({
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work' }],
  [enterprise]: work,
});
const boss = await scim.addUser({ userName: 'boss' });
const path = `/Users/${id}`;
const read = async () => (await scim.get(path)).body;

test('an invalid PATCH is refused, and changes nothing', async () => {
  const before = await read();
  for (const [operation, scimType] of [
    [{ op: 'replace', path: 'name.givenName' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails' }, 'invalidValue'],
    [{ op: 'replace', path: `${enterprise}:department` }, 'invalidValue'],
    [{ op: 'replace' }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: ['Ada'] }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: 123 }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: true }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: { value: 'Ada' } }, 'invalidValue'],
    [{ op: 'replace', path: `${enterprise}:employeeNumber`, value: 7 }, 'invalidValue'],
    [{ op: 'replace', path: 'name', value: 'Ada Lovelace' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: ['a@example.com'] }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 1 }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: [false] }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: '7' }, 'mutability'],
    [{ op: 'replace', path: 'meta.created', value: '2026-01-01T00:00:00Z' }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: '1' }] }, 'mutability'],
    [{ op: 'replace', value: { groups: [] } }, 'mutability'],
    [{ op: 'replace', path: `${enterprise}:manager.displayName`, value: 'Boss' }, 'mutability'],
    [{ op: 'replace', path: 'shoeSize', value: '44' }, 'invalidPath'],
    [{ op: 'replace', value: { shoeSize: '44' } }, 'invalidPath'],
    [{ op: 'replace', path: 'name.nickname', value: 'A' }, 'invalidPath'],
    [{ op: 'replace', path: `${enterprise}:shoeSize`, value: '44' }, 'invalidPath'],
    [{ op: 'remove', path: 'shoeSize' }, 'invalidPath'],
  ] as const) {
    const { status, body } = await scim.patch(path, [operation]);
    assert.deepEqual([status, body.scimType], [400, scimType], JSON.stringify(operation));
  }
  for (const body of [
    { userName: ['ada'] },
    { userName: [{ value: 'ada' }] },
    { userName: 123 },
    { userName: 'ada', emails: ['a@example.com'] },
    { userName: 'ada', name: { givenName: 5 } },
    { userName: 'ada', [enterprise]: { employeeNumber: 5 } },
  ]) {
    const answer = await scim.put(path, body);
    assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue'], JSON.stringify(body));
  }
  const group = (await scim.post('/Groups', { displayName: 'Blue', members: [{ value: id }] })).body;
  for (const operation of [
    { op: 'replace', path: 'members' },
    { op: 'replace', path: 'id', value: '5' },
    { op: 'replace', path: 'color', value: 'blue' },
    { op: 'replace', path: 'displayName', value: 5 },
  ])
    assert.equal((await scim.patch(`/Groups/${group.id}`, [operation])).status, 400, JSON.stringify(operation));
  assert.equal((await scim.get(`/Groups/${group.id}`)).body.members.length, 1);
  await scim.delete(`/Groups/${group.id}`);
  assert.deepEqual({ ...(await read()), meta: null }, { ...before, meta: null });
});

/** Operations that deviate from the RFC, and the products that send them. */
const forms: [
  sender: string,
  operation: unknown,
  seen: (user: Awaited<ReturnType<typeof read>>) => unknown,
  unknown,
][] = [
  ['Entra ID: booleans as text', { op: 'Replace', path: 'active', value: 'False' }, (user) => user.active, false],
  ['Entra ID: booleans as text', { op: 'Replace', path: 'active', value: 'True' }, (user) => user.active, true],
  [
    'Entra ID: a single value as a list of one object',
    { op: 'Replace', path: 'name.givenName', value: [{ $ref: null, value: 'Augusta' }] },
    (user) => user.name.givenName,
    'Augusta',
  ],
  [
    'Entra ID: a manager as text',
    { op: 'Add', path: `${enterprise}:manager`, value: boss.id },
    (user) => user[enterprise].manager.value,
    boss.id,
  ],
  [
    'Entra ID: a manager as a list of one',
    { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: 'x', value: boss.id }] },
    (user) => user[enterprise].manager.value,
    boss.id,
  ],
  [
    'Entra ID: an empty text clears',
    { op: 'Replace', path: `${enterprise}:manager`, value: '' },
    (user) => user[enterprise].manager,
    undefined,
  ],
  [
    'Entra ID: paths as keys, and attributes that are not kept',
    { op: 'Add', value: { 'name.givenName': 'Ada', title: 'Dr', [`${enterprise}:division`]: 'North' } },
    (user) => [user.name.givenName, user.title],
    ['Ada', undefined],
  ],
  [
    'Entra ID: a part of a list that is not kept',
    { op: 'Add', path: 'ims[type eq "xmpp"].value', value: 'ada@chat.example.com' },
    (user) => user.ims,
    undefined,
  ],
  [
    'Entra ID: an extension of its own',
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:contoso:2.0:User:badge', value: 'blue' },
    (user) => user.schemas.length,
    2,
  ],
  [
    'Okta: the id among what is replaced',
    { op: 'replace', value: { id, active: false } },
    (user) => [user.id, user.active],
    [id, false],
  ],
  ['Okta: no path', { op: 'replace', value: { active: true } }, (user) => user.active, true],
  [
    'Okta: a password, which is never kept',
    { op: 'replace', value: { password: 'tlF57UO3' } },
    (user) => user.password,
    undefined,
  ],
  [
    'a null clears',
    { op: 'replace', path: `${enterprise}:costCenter`, value: null },
    (user) => user[enterprise].costCenter,
    undefined,
  ],
  [
    'a whole extension is removed',
    { op: 'remove', path: enterprise },
    (user) => [user[enterprise], user.schemas.length],
    [undefined, 1],
  ],
];

for (const [sender, operation, seen, expected] of forms)
  test(`a PATCH as ${sender} sends it is accepted: ${JSON.stringify(operation)}`, async () => {
    const { status, body } = await scim.patch(path, [operation]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(seen(await read()), expected);
  });

test('filters in the paths of a PATCH that would take long to read are refused', async () => {
  const user = await scim.addUser({ userName: 'eve', emails: [{ value: 'eve@example.com', type: 'work' }] });
  const filtered = (filter: string, value: unknown) => ({ op: 'add', path: `emails[${filter}]`, value });
  const spelling = (nth: number) =>
    [...'primary'].map((letter, at) => (nth & (1 << at) ? letter.toUpperCase() : letter)).join('');
  const spellings = Object.fromEntries([...Array(128)].map((_, nth) => [spelling(nth), true]));
  const long = await scim.patch(
    `/Users/${user.id}`,
    Array(7).fill(filtered(`value eq "${'.'.repeat(950)}"`, spellings)),
  );
  assertScimError(long, 400, 'invalidPath');
  assert.match(long.body.detail, /at most 400 characters/);
  const change = filtered('type eq "work"', { value: 'eve@example.com' });
  const many = await scim.patch(`/Users/${user.id}`, Array(101).fill(change));
  assertScimError(many, 400, 'invalidPath');
  assert.match(many.body.detail, /at most 100 operations with a filter/);
  assert.equal((await scim.patch(`/Users/${user.id}`, Array(100).fill(change))).status, 200);
});

test('a replace whose filter matches no value has no target, and a deactivation beside it succeeds', async () => {
  const user = await scim.addUser({
    userName: 'lin@example.com',
    emails: [{ value: 'lin@example.com', type: 'work' }],
  });
  const lin = `/Users/${user.id}`;
  const replaces = [
    { op: 'replace', path: 'emails[type eq "home"].value', value: 'home@example.com' },
    { op: 'replace', path: 'emails[value eq "other@example.com"].value', value: 'new@example.com' },
    { op: 'replace', path: 'addresses[type eq "home"]', value: { locality: 'Oslo' } },
  ];
  for (const replace of replaces) assertScimError(await scim.patch(lin, [replace]), 400, 'noTarget');
  assert.deepEqual((await scim.get(lin)).body.emails, user.emails);
  // The value that Giftwire keeps is added where there is none, as Entra ID expects.
  const added = await scim.patch(lin, [{ op: 'replace', path: 'addresses[type eq "work"].locality', value: 'Oslo' }]);
  assert.equal(added.body.addresses[0].locality, 'Oslo');
  const left = await scim.patch(lin, [...replaces, { op: 'replace', path: 'active', value: false }]);
  assert.deepEqual([left.status, left.body.active, left.body.emails], [200, false, user.emails]);
});
