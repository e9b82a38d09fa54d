import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operationsOf, readDocument, resolve } from '../support/openapi.ts';

// The rules of docs/decisions/0080-names-pages-and-verbs.md, as far as a program can check them.

interface Schema {
  format?: string;
  type?: string | string[];
  deprecated?: boolean;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

const document = await readDocument();
const operations = [...operationsOf(document).values()].filter(({ path }) => path.startsWith('/api/'));

/** Names that the interface fixes, the usual name of the day of hire, and names of whole spans. */
const fixedMoments = ['Activity.createdOn', 'MemberActivity.createdOn'];
const fixedDays = ['LastRecognized.lastDate', 'Member.hireDate', 'NewMember.hireDate', 'MemberChange.hireDate'];
const dayAlone = /^(date|from|to|since|asOf|day|forDay)$/;
const momentAlone = /^(at|onSince|timestamp|firstExpiry|oldestWaiting|\w+Before|\w+Until|\w+By)$/;

function fields(): { name: string; key: string; schema: Schema }[] {
  const walk = (name: string, { properties = {}, items }: Schema): ReturnType<typeof fields> => [
    ...Object.entries(properties).flatMap(([key, schema]) => [
      { name: `${name}.${key}`, key, schema },
      ...walk(`${name}.${key}`, schema),
    ]),
    ...(items ? walk(name, items) : []),
  ];
  const schemas = document.components.schemas as Record<string, Schema>;
  return Object.entries(schemas)
    .filter(([name]) => !name.startsWith('Scim'))
    .flatMap(([name, schema]) => walk(name, schema))
    .filter(({ schema }) => !schema.deprecated);
}

const hasFormat = ({ format, anyOf = [] }: Schema, wanted: string) =>
  format === wanted || anyOf.some((one) => one.format === wanted);

test('a field that ends in On is a day, and a day ends in On', () => {
  const wrong = fields().filter(({ name, key, schema }) => {
    if (schema.type === 'boolean' || fixedMoments.includes(name) || fixedDays.includes(name)) return false;
    return key.endsWith('On') !== hasFormat(schema, 'date') && !dayAlone.test(key);
  });
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
});

test('a moment ends in At, and has a zone', () => {
  const wrong = fields().filter(({ key, schema }) => {
    if (hasFormat(schema, 'date-time')) return !key.endsWith('At') && !momentAlone.test(key);
    return key.endsWith('At') && [schema.type].flat().includes('string');
  });
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
});

test('a filter by a member is called member, and no name says user for a member', () => {
  const queries = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter((one) => one.in === 'query' && !one.deprecated && /^(memberId|user|userId|person)$/.test(one.name))
      .map(({ name }) => `${operationId} ${name}`),
  );
  assert.deepEqual(queries, []);
  const people = fields().filter(({ key, schema }) => key === 'user' && schema.type === 'integer');
  assert.deepEqual(people, []);
});

test('a page has size and either after, with next in the response, or page', () => {
  /** It reads a log upwards and downwards, or has a fixed number of rows. */
  const others = ['suggestMembers', 'listColleagues', 'listOutbox', 'listWebhookAttempts'];
  const wrong = operations.filter(({ operationId, parameters, responses }) => {
    const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    if (!names.includes('size') || others.includes(operationId)) return false;
    if (names.includes('page') === names.includes('after')) return true;
    return names.includes('after') && !('next' in propertiesOf(responses));
  });
  assert.deepEqual(
    wrong.map(({ operationId }) => operationId),
    [],
  );
});

function propertiesOf(responses: Operation['responses']): object {
  return resolve(document, responses[200]?.content['application/json'].schema).properties ?? {};
}

test('what is done to a record comes after its id', () => {
  const wrong = operations.filter(
    ({ path, deprecated }) => !deprecated && /\/v1\/\w+\/[a-z-]+\/\{/.test(path) && !beforeIds.test(path),
  );
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

/** The interface's path of a status, collections inside of others, and balances, which have no id. */
const beforeIds =
  /\/v1\/(orders\/status|approvals\/orders|automations\/occurrences|gifts\/redemptions|me\/(sessions|gifts|shoutouts|spending)|feed\/(posts|comments|moderation|screens)|balances)\//;
