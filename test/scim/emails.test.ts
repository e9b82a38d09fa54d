import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertScimError, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { workspace, scim } = await openWithScim(service);

const work = { value: 'ada@example.com', type: 'work', primary: true };
const home = { value: 'ada@home.example', type: 'home' };
const other = { value: 'ada@club.example', type: 'other' };

const emailsOf = async (id: string) => (await scim.get(`/Users/${id}`)).body.emails;

test('several addresses are kept with their types, and one of them is primary', async () => {
  const ada = await scim.addUser({
    userName: 'ada',
    emails: [home, work, other, { ...home, value: 'ADA@home.example' }],
  });
  assert.deepEqual(ada.emails, [work, { ...home, value: 'ADA@home.example' }, other]);
  assert.deepEqual(await emailsOf(ada.id), ada.emails);
  const member = await workspace.read<{ email: string }>(`/api/v1/members/${ada.id}`);
  assert.equal(member.email, work.value);

  const put = await scim.put(`/Users/${ada.id}`, {
    ...ada,
    emails: [
      { ...work, primary: false },
      { ...home, primary: true },
    ],
  });
  assert.deepEqual(put.body.emails, [
    { value: work.value, type: 'work' },
    { ...home, primary: true },
  ]);
  // The work address stays the member's own.
  assert.equal((await workspace.read<{ email: string }>(`/api/v1/members/${ada.id}`)).email, work.value);
  const withoutEmails = await scim.put(`/Users/${ada.id}`, { userName: 'ada' });
  assert.deepEqual(withoutEmails.body.emails, put.body.emails, 'a PUT without addresses leaves them');
  await scim.delete(`/Users/${ada.id}`);
});

test('the type of a single address is kept', async () => {
  const user = await scim.addUser({ userName: 'one', emails: [{ value: 'one@home.example', type: 'home' }] });
  assert.deepEqual(user.emails, [{ value: 'one@home.example', type: 'home', primary: true }]);
  const [member] = (await workspace.members('?search=one@home.example')).members;
  assert.equal(member?.email, 'one@home.example');
});

test('a PATCH adds, changes and removes an address of one type alone', async () => {
  const { id, emails } = await scim.addUser({ userName: 'eve', emails: [{ ...work, value: 'eve@example.com' }] });
  const path = `/Users/${id}`;
  const patch = async (...operations: unknown[]) => {
    const { status, body } = await scim.patch(path, operations);
    assert.equal(status, 200, JSON.stringify(body));
    return body.emails;
  };
  const eveAtHome = { ...home, value: 'eve@home.example' };
  assert.deepEqual(await patch({ op: 'add', path: 'emails', value: [eveAtHome] }), [...emails, eveAtHome]);
  const moved = { ...home, value: 'eve@new.example' };
  const replace = { op: 'replace', path: 'emails[type eq "home"].value', value: moved.value };
  assert.deepEqual(await patch(replace), [...emails, moved]);
  assert.deepEqual(await patch({ op: 'replace', path: 'emails[type eq "home"].primary', value: true }), [
    { value: 'eve@example.com', type: 'work' },
    { ...moved, primary: true },
  ]);
  assert.deepEqual(await patch({ op: 'replace', path: 'emails[type eq "work"].primary', value: true }), [
    ...emails,
    moved,
  ]);
  assert.deepEqual(await patch({ op: 'replace', path: 'name.givenName', value: 'Eve' }), [...emails, moved]);
  const none = { op: 'replace', path: 'emails[type eq "other"].value', value: 'x@example.com' };
  assertScimError(await scim.patch(path, [none]), 400, 'noTarget');
  assert.deepEqual(await patch({ op: 'remove', path: 'emails[type eq "home"]' }), emails);
  assert.deepEqual(await patch({ op: 'add', path: 'emails', value: [{ value: 'eve.b@example.com' }] }), [
    { ...work, value: 'eve.b@example.com' },
  ]);
});

test('the version changes with a further address, and a change that is none changes nothing', async () => {
  const user = await scim.addUser({ userName: 'lin', emails: [{ ...work, value: 'lin@example.com' }] });
  const add = [{ op: 'add', path: 'emails', value: [{ ...home, value: 'lin@home.example' }] }];
  const { body: changed } = await scim.patch(`/Users/${user.id}`, add);
  assert.notEqual(changed.meta.version, user.meta.version);
  assert.notEqual(changed.meta.lastModified, user.meta.lastModified);
  assert.deepEqual((await scim.patch(`/Users/${user.id}`, add)).body.meta, changed.meta);
});

test('an invalid further address is rejected, and a deactivation beside it succeeds', async () => {
  const user = await scim.addUser({
    userName: 'kim',
    emails: [
      { ...work, value: 'kim@example.com' },
      { ...home, value: 'kim@home.example' },
    ],
  });
  const invalid = { ...user, emails: [user.emails[0], { type: 'home', value: 'no address' }] };
  assertScimError(await scim.put(`/Users/${user.id}`, invalid), 400, 'invalidValue');
  const left = await scim.put(`/Users/${user.id}`, { ...invalid, active: false });
  assert.deepEqual([left.status, left.body.active, left.body.emails], [200, false, user.emails]);
});

test('a filter finds any address, and a filter in brackets is about one address', async () => {
  const { id } = await scim.addUser({
    userName: 'mia',
    emails: [
      { ...work, value: 'mia@example.com' },
      { ...home, value: 'Mia@home.example' },
    ],
  });
  for (const filter of [
    'emails.value eq "mia@home.example"',
    'emails eq "MIA@example.com"',
    'emails co "mia@home"',
    'emails[type eq "home" and value eq "mia@home.example"]',
    'emails[type eq "home"].value eq "mia@home.example"',
    'emails[primary eq true and value eq "mia@example.com"]',
    'emails[value sw "mia" and not (type eq "work")]',
  ])
    assert.deepEqual(
      (await scim.find('Users', filter)).map((user) => user.id),
      [id],
      filter,
    );
  for (const filter of [
    'emails[type eq "work" and value eq "mia@home.example"]',
    'emails[primary eq true and value eq "mia@home.example"]',
  ])
    assert.deepEqual(await scim.find('Users', filter), [], filter);
});

test('only the own address identifies a person', async () => {
  const user = await scim.addUser({
    userName: 'zoe',
    emails: [
      { ...work, value: 'zoe@example.com' },
      { ...home, value: 'zoe@home.example' },
    ],
  });
  await workspace.gift({ email: 'zoe@home.example' });
  const found = (await workspace.members('?search=zoe@home.example')).members;
  assert.deepEqual([found.length, found[0]?.id === Number(user.id)], [1, false]);
  // An address that becomes the own one is listed once.
  await workspace.merge(found[0]?.id as number, Number(user.id));
  await workspace.call(`/api/v1/members/${user.id}`, { method: 'PATCH', body: { email: 'zoe@home.example' } });
  assert.deepEqual(await emailsOf(user.id), [{ ...work, value: 'zoe@home.example' }]);
});

test('a merge and a split take further addresses along', async () => {
  const add = (name: string) =>
    scim.addUser({
      userName: name,
      emails: [
        { ...work, value: `${name}@example.com` },
        { ...home, value: `${name}@home.example` },
      ],
    });
  const [kept, gone] = [await add('kept'), await add('gone')];
  await workspace.merge(Number(gone.id), Number(kept.id));
  const merged = [...kept.emails, { ...home, value: 'gone@home.example' }];
  assert.deepEqual(await emailsOf(kept.id), merged);
  const split = await workspace.call<{ id: number }>(`/api/v1/members/${kept.id}/split`, {
    method: 'POST',
    body: { move: ['email'] },
  });
  assert.deepEqual(await emailsOf(String(split.body.id)), merged);
  const rows = await service.database.query('select from member_emails where member_id = any($1::bigint[])', [
    [kept.id, gone.id],
  ]);
  assert.equal(rows.length, 0);
});

test('the country of the work address is kept, with its place', async () => {
  const user = await scim.addUser({
    userName: 'ola',
    addresses: [
      { type: 'home', locality: 'Bergen', country: 'SE' },
      { type: 'work', country: 'NO' },
    ],
  });
  assert.deepEqual(user.addresses, [{ type: 'work', country: 'NO' }]);
  assert.equal((await workspace.read<{ country: string }>(`/api/v1/members/${user.id}`)).country, 'NO');
  const { body } = await scim.patch(`/Users/${user.id}`, [
    { op: 'replace', path: 'addresses[type eq "work"].locality', value: 'Oslo' },
  ]);
  assert.deepEqual(body.addresses, [{ type: 'work', locality: 'Oslo', country: 'NO' }]);
  const long = await workspace.call(`/api/v1/members/${user.id}`, {
    method: 'PATCH',
    body: { country: 'x'.repeat(201) },
  });
  assert.match(refusal(long, 400), /country/);
});
