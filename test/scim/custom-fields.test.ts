import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../src/ground/contract/member.ts';
import { giftwire, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService({ role: 'api' });

async function open() {
  const { workspace, scim } = await openWithScim(service);
  for (const body of [
    { key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M'] },
    { key: 'floor', label: 'Floor', kind: 'NUMBER' },
    { key: 'probationEnds', label: 'End of probation', kind: 'DATE' },
    { key: 'hobby', label: 'Hobby', kind: 'TEXT' },
  ])
    assert.equal((await workspace.call('/api/v1/custom-fields', { method: 'POST', body })).status, 201);
  const read = async (id: string) => (await workspace.read<Member>(`/api/v1/members/${id}`)).custom;
  return { workspace, scim, read };
}

const values = { shirtSize: 'M', floor: 12.5, probationEnds: '2027-01-31', hobby: 'Chess' };
const user = { userName: 'ada@example.com', [giftwire]: values };

test('the schema lists the custom fields of its workspace, with the choices', async () => {
  const { scim } = await open();
  const { body: schema } = await scim.get(`/Schemas/${giftwire}`);
  const custom = schema.attributes.slice(-4);
  assert.deepEqual(
    custom.map(({ name, type, description }: Record<string, string>) => [name, type, description]),
    [
      ['shirtSize', 'string', 'Shirt size'],
      ['floor', 'decimal', 'Floor'],
      ['probationEnds', 'string', 'End of probation'],
      ['hobby', 'string', 'Hobby'],
    ],
  );
  assert.deepEqual(custom[0].canonicalValues, ['S', 'M']);
  const { body: all } = await scim.get('/Schemas');
  assert.ok(JSON.stringify(all).includes('probationEnds'));
  const { scim: other } = await openWithScim(service);
  assert.ok(!JSON.stringify((await other.get('/Schemas')).body).includes('probationEnds'));
});

test('values are set by POST, in any case and with numbers as texts, and read again', async () => {
  const { scim, read } = await open();
  const sent = { SHIRTSIZE: 'm', floor: '12.5', probationEnds: '2027-01-31T00:00:00Z', hobby: ' Chess ' };
  const { status, body } = await scim.post('/Users', { ...user, [giftwire]: sent });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body[giftwire], values);
  assert.ok(body.schemas.includes(giftwire));
  assert.deepEqual(await read(body.id), values);
  const [found] = await scim.find('Users', `schemas eq "${giftwire}"`);
  assert.deepEqual(found[giftwire], values);
});

test('a PUT leaves values that it does not have, and a PATCH removes and replaces them', async () => {
  const { scim, read } = await open();
  const { id } = await scim.addUser(user);
  await scim.put(`/Users/${id}`, { userName: user.userName });
  assert.deepEqual(await read(id), values);
  await scim.put(`/Users/${id}`, { userName: user.userName, [giftwire]: { floor: 3 } });
  assert.deepEqual(await read(id), { ...values, floor: 3 });
  const { status, body } = await scim.patch(`/Users/${id}`, [
    { op: 'replace', path: `${giftwire}:shirtSize`, value: 'S' },
    { op: 'add', value: { [`${giftwire}:hobby`]: 'Go' } },
    { op: 'remove', path: `${giftwire}:floor` },
  ]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await read(id), { shirtSize: 'S', probationEnds: '2027-01-31', hobby: 'Go' });
  const version = (await scim.get(`/Users/${id}`)).headers.get('etag');
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: `${giftwire}:hobby`, value: 'Go' }]);
  assert.equal((await scim.get(`/Users/${id}`)).headers.get('etag'), version);
});

test('a person whom a file added before keeps the values that the resource does not have', async () => {
  const { workspace, scim, read } = await open();
  const [id = 0] = await workspace.addPeople([{ email: user.userName, custom: { hobby: 'Go', floor: 1 } }]);
  await scim.addUser({ userName: user.userName, [giftwire]: { floor: 2 } });
  assert.deepEqual(await read(String(id)), { hobby: 'Go', floor: 2 });
});

test('an invalid value and an unknown attribute are rejected, and a deactivation is not', async () => {
  const { scim, read } = await open();
  const { id } = await scim.addUser(user);
  const wrong = await scim.put(`/Users/${id}`, { ...user, [giftwire]: { shirtSize: 'XXL' } });
  assert.deepEqual([wrong.status, wrong.body.scimType], [400, 'invalidValue']);
  assert.match(wrong.body.detail, /shirtSize must be one of S, M/);
  const unknown = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: `${giftwire}:shoe`, value: '44' }]);
  assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidPath']);
  const leaving = { ...user, active: false, [giftwire]: { shirtSize: 'XXL', floor: 4 } };
  const { status, body } = await scim.put(`/Users/${id}`, leaving);
  assert.deepEqual([status, body.active], [200, false]);
  assert.deepEqual(await read(id), { ...values, floor: 4 });
});
