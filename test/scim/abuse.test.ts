import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups } from '../../src/company/scim/group-rows.ts';
import { userSource } from '../../src/company/scim/list-users.ts';
import { plainText } from '../../src/ground/values/text.ts';
import fc from '../support/fast-check.ts';
import { naughtyStrings } from '../support/naughty-strings.ts';
import { runs } from '../support/runs.ts';
import { connectScim, enterprise, type ScimAnswer } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);
const { id } = await scim.addUser({ userName: 'target', emails: [{ value: 'target@example.com' }] });
const group = (await scim.post('/Groups', { displayName: 'Target', members: [{ value: id }] })).body.id;

const names = [
  ...['userName', 'externalId', 'name', 'displayName', 'active', 'emails', 'addresses', 'photos', 'groups', 'members'],
  ...['id', 'meta', 'schemas', 'title', 'value', 'type', 'primary', 'givenName', 'locality', 'manager', 'department'],
  ...['__proto__', 'constructor', 'prototype', 'toString', '', '$ref', enterprise, `${enterprise}:manager`],
];
const name = fc.constantFrom(...names);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 'True', '', id, 'a@example.com', 0, -1, 1e300),
    fc.string({ maxLength: 5, unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const filter = fc
  .array(
    fc.oneof(
      name,
      fc.constantFrom('eq', 'ne', 'co', 'pr', 'gt', 'and', 'or', 'not', '(', ')', '[', ']', '].', '"', '\\', '"x"'),
      fc.constantFrom('true', 'null', '5', '-1.5e3', '"2026-01-01T00:00:00Z"', `"${id}"`),
    ),
    { maxLength: 8 },
  )
  .map((tokens) => tokens.join(' '));
const path = fc.oneof(
  name,
  fc.tuple(name, filter, name).map(([owner, chosen, part]) => `${owner}[${chosen}].${part}`),
  fc.tuple(name, name).map((steps) => steps.join('.')),
);
const operation = fc.record(
  { op: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('add', 'Replace', 'REMOVE') }, value), path, value },
  { requiredKeys: ['op'] },
);

/** Accepted or refused, but never a 500. */
function assertHandled({ status, body }: ScimAnswer, sent: unknown): void {
  assert.ok(status < 500, `${status} ${JSON.stringify(body)} for ${JSON.stringify(sent)}`);
  assert.deepEqual(Object.keys(Object.prototype), []);
}

test('no PATCH, however odd, makes the service fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 4 }), async (operations) => {
      for (const target of [`/Users/${id}`, `/Groups/${group}`])
        assertHandled(await scim.patch(target, operations), operations);
    }),
    { numRuns: runs(250) },
  );
});

test('no resource, however odd, makes the service fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value), async (resource) => {
      assertHandled(await scim.put(`/Users/${id}`, { userName: 'target', ...resource }), resource);
      assertHandled(await scim.put(`/Groups/${group}`, { displayName: 'Target', ...resource }), resource);
    }),
    { numRuns: runs(150) },
  );
});

test('no filter or attribute list, however odd, makes the service fail', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (text) => {
      for (const resource of ['Users', 'Groups']) {
        const query = new URLSearchParams({ filter: text, attributes: text, excludedAttributes: text });
        assertHandled(await scim.get(`/${resource}?${query}`), text);
      }
    }),
    { numRuns: runs(250) },
  );
});

test('naughty texts are stored in their plain form and found again, or refused', async () => {
  for (const text of naughtyStrings) {
    const kept = plainText(text.trim());
    const { status, body } = await scim.put(`/Users/${id}`, { userName: 'target', name: { familyName: text } });
    assertHandled({ status, body, headers: new Headers() }, text);
    if (status !== 200 || kept === '') continue;
    assert.equal(body.name.familyName, kept);
    const found = await scim.find('Users', `id eq "${id}" and name.familyName eq ${JSON.stringify(text.trim())}`);
    assert.equal(found.length, 1, text);
  }
});

test('no value that a filter compares with makes the service fail, with any attribute', async () => {
  const values = [
    '"\\u0000"',
    '"\\ud800"',
    '"10000000000000000000"',
    '10000000000000000000',
    '1e300',
    '-1',
    'null',
    '""',
  ];
  const operators = ['eq', 'ne', 'co', 'gt'];
  for (const [path, { filterable }] of [
    ['/Users', userSource],
    ['/Groups', groups],
  ] as const)
    for (const [at, name] of Object.keys(filterable.attributes).entries())
      for (const [nth, value] of values.entries()) {
        // Each attribute meets each value, and each operator.
        const filter = `${name} ${operators[(at + nth) % operators.length]} ${value}`;
        const { status } = await scim.get(`${path}?filter=${encodeURIComponent(filter)}`);
        assert.ok(status === 200 || status === 400, `${path} ${filter}: ${status}`);
      }
});
