import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectScim, giftwire } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);

const dates = { hireDate: '2024-03-01', birthday: '05-17' };
const core = { preferredLanguage: 'fr-CA', timezone: 'America/Toronto' };

test('our own extension is listed where identity providers look for attributes to map', async () => {
  const { body: schema } = await scim.get(`/Schemas/${giftwire}`);
  assert.deepEqual(
    schema.attributes.map(({ name, type, mutability }: Record<string, unknown>) => [name, type, mutability]),
    [
      ['hireDate', 'string', 'readWrite'],
      ['birthday', 'string', 'readWrite'],
      ['leaveStartsOn', 'string', 'readWrite'],
      ['leaveEndsOn', 'string', 'readWrite'],
      ['hiddenDays', 'string', 'readWrite'],
    ],
  );
  const { body: user } = await scim.get('/ResourceTypes/User');
  assert.ok(user.schemaExtensions.some((one: { schema: string }) => one.schema === giftwire));
});

test('dates, language, time zone, country and phone number are taken as identity providers write them', async () => {
  const { body: user, status } = await scim.post('/Users', {
    userName: 'ada@example.com',
    preferredLanguage: 'fr-CA',
    timezone: 'america/toronto',
    phoneNumbers: [
      { value: '+1 416 555 0100', type: 'mobile' },
      { value: '+1 416 555 0142', type: 'work' },
    ],
    addresses: [{ type: 'work', country: 'Canada' }],
    [giftwire]: { hireDate: '2024-03-01T00:00:00Z', birthday: '1990-05-17' },
  });
  assert.equal(status, 201, JSON.stringify(user));
  assert.deepEqual(user[giftwire], dates);
  assert.deepEqual([user.preferredLanguage, user.timezone], [core.preferredLanguage, core.timezone]);
  assert.deepEqual(user.phoneNumbers, [{ type: 'work', value: '+1 416 555 0142' }]);
  assert.deepEqual(user.addresses, [{ type: 'work', country: 'CA' }]);
  assert.ok(user.schemas.includes(giftwire));
  assert.equal((await scim.find('Users', `${giftwire}:birthday eq "05-17"`)).length, 1);
  assert.equal((await scim.find('Users', `schemas eq "${giftwire}"`)).length, 1);

  const { body: other } = await scim.post('/Users', {
    userName: 'private@example.com',
    phoneNumbers: [
      { value: '+1 416 555 0101', type: 'home' },
      { value: '+1 416 555 0102', type: 'fax' },
    ],
  });
  assert.equal(other.phoneNumbers, undefined, 'a private number and a fax number are not taken');

  const wrong = await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: `${giftwire}:birthday`, value: '1990' }]);
  assert.deepEqual([wrong.status, wrong.body.scimType], [400, 'invalidValue']);
  assert.match(wrong.body.detail, /birthday must be a month and a day/);
});

test('a PUT without dates, language, time zone and phone number leaves them as they are', async () => {
  const user = await scim.addUser({
    userName: 'li@example.com',
    ...core,
    phoneNumbers: [{ value: '555', type: 'work' }],
    [giftwire]: dates,
  });
  const { body: after } = await scim.put(`/Users/${user.id}`, { userName: 'li@example.com', displayName: 'Li' });
  assert.deepEqual(after[giftwire], dates);
  assert.deepEqual([after.preferredLanguage, after.timezone], [core.preferredLanguage, core.timezone]);
  assert.equal(after.phoneNumbers[0].value, '555');
  const { body: other } = await scim.put(`/Users/${user.id}`, {
    userName: 'li@example.com',
    timezone: 'Europe/Paris',
    [giftwire]: { birthday: '--02-29' },
  });
  assert.deepEqual([other.timezone, other[giftwire]], ['Europe/Paris', { ...dates, birthday: '02-29' }]);
  const { body: cleared } = await scim.patch(`/Users/${user.id}`, [
    { op: 'remove', path: `${giftwire}:birthday` },
    { op: 'remove', path: 'timezone' },
  ]);
  assert.deepEqual([cleared[giftwire], cleared.timezone], [{ hireDate: dates.hireDate }, undefined]);
});
