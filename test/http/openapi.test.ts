import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import packageJson from '../../package.json' with { type: 'json' };
import { eventTypeNames } from '../../src/ground/contract/event.ts';
import { type OpenApiDocument, type Operation, operationsOf, resolve } from '../support/openapi.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { body } = await service.call('/openapi.json', { token: null, workspace: null });
const document = body as OpenApiDocument;
const operations = [...operationsOf(document).values()];

interface ObjectSchema {
  type?: unknown;
  properties?: Record<string, { enum?: unknown }>;
  required?: unknown;
}

/** Every value in the document, with the keys that lead to it. */
function* valuesIn(value: unknown, keys: string[] = []): Generator<{ keys: string[]; value: unknown }> {
  yield { keys, value };
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* valuesIn(inner, [...keys, key]);
}

test("the OpenAPI document is public, in OpenAPI 3.1 and of the package's version", () => {
  assert.equal(body.openapi, '3.1.0');
  assert.equal(document.info.version, packageJson.version);
});

/** Parameters that callers must send beside those of the path. */
const needed = [
  'suggestMembers search',
  'redeemGift Idempotency-Key',
  'spendMyGifts Idempotency-Key',
  'listMySpendingOptions currency',
  'getTaxLog year',
  'getTaxTotals year',
];

test('callers must send what a path names and the workspace, and may leave out everything else', () => {
  for (const { operationId, parameters } of operations)
    for (const { name, in: place, required, schema } of parameters) {
      const isNeeded = needed.includes(`${operationId} ${name}`);
      // A browser that opens the print has the workspace in the address.
      const isWorkspace = name === 'X-Workspace-id' && operationId !== 'printGifts';
      assert.equal(required, place === 'path' || isWorkspace || isNeeded, `${operationId} ${name}`);
      if (required) assert.equal(schema.default, undefined, `${operationId} ${name}`);
    }
});

test('what is true or false is a boolean', () => {
  const flags = operations.flatMap(({ parameters }) => parameters.filter(({ schema }) => schema.type === 'boolean'));
  const names = [...new Set(flags.map(({ name }) => name))].sort();
  assert.deepEqual(names, [
    'bom',
    'dryRun',
    'includeClosed',
    'includeInactive',
    'isIncomplete',
    'isLate',
    'isWaiting',
    'mine',
    'never',
    'neverRecognized',
    'renumber',
    'sent',
  ]);
  for (const { keys, value } of valuesIn(document))
    if (keys.at(-1) === 'enum') assert.doesNotMatch(JSON.stringify(value), /"true"|"false"/, keys.join('.'));
});

test('every body is a named schema, and no object is described twice', () => {
  for (const { operationId, requestBody, responses } of operations)
    for (const { content } of [requestBody ?? {}, ...Object.values(responses)].map((part) => resolve(document, part)))
      for (const { schema } of Object.values<{ schema: Record<string, unknown> }>(content ?? {}))
        if (schema.type !== 'string' && schema.additionalProperties === undefined)
          assert.ok(schema.$ref, `${operationId} has an unnamed schema`);
  const seen = new Map<string, string>();
  for (const { keys, value } of valuesIn(document.components.schemas)) {
    const { type, properties, required } = (value ?? {}) as ObjectSchema;
    if (type !== 'object' || !properties) continue;
    // Events have the same fields; what differs is the one value of their type.
    const shape = JSON.stringify([Object.keys(properties).sort(), required, properties.type?.enum]);
    assert.equal(seen.get(shape), undefined, `${keys.join('.')} is ${seen.get(shape)} again`);
    // The person of an import may have no id; a limit of tax has bounds that a sum has not; a person and a rule are no team, a shoutout is no member; a note for the log is longer than one for a recipient; no one may have declined in time; a note about a gift is shorter than a comment.
    if (
      !/^(Scim(User|Group)List|ScimList|NewMember|BudgetMember|Amount|Team|FeedTeam|ShoutoutChangedData|CaseNote|AskedPerson|OrderApprovedData|MyThanks)$/.test(
        keys.join('.'),
      )
    )
      seen.set(shape, keys.join('.'));
  }
});

test('errors, and parameters that several operations have, are components', () => {
  for (const { operationId, responses } of operations)
    for (const [status, response] of Object.entries(responses))
      if (Number(status) >= 400) assert.match(response.$ref ?? '', /^#\/components\/responses\//, operationId);
  const inline = Object.values<Record<string, { parameters?: { name?: string }[] }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [] }) => parameters.flatMap(({ name }) => name ?? []));
  // The ids of different things, the filters and places of different lists, and the spans of lists and of reports share their
  // names and nothing else. What spends money must have a key, other operations may.
  const alike = [
    'Idempotency-Key',
    'id',
    'filter',
    'requestId',
    'currency',
    'after',
    'from',
    'to',
    'by',
    'member',
    'search',
    'status',
    'state',
    'size',
    'number',
    'value',
    'kind',
  ];
  const repeated = inline.filter((name, index) => inline.indexOf(name) !== index && !alike.includes(name));
  assert.deepEqual(repeated, []);
});

test('each error answer has the example of its own status', () => {
  for (const { operationId, responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const [media] = Object.values<{ example: { status: unknown } }>(resolve(document, response).content);
      assert.equal(String(media?.example.status), status, operationId);
    }
});

test('it has no format and no keyword that only this service knows', () => {
  const known = ['date', 'date-time', 'email', 'uuid'];
  for (const { keys, value } of valuesIn(document)) {
    const key = keys.at(-1) ?? '';
    assert.ok(!key.startsWith('x-'), keys.join('.'));
    if (key === 'format' && typeof value === 'string') assert.ok(known.includes(value), `${keys.join('.')} ${value}`);
  }
});

test('the OpenAPI document is answered with 304 to a client that has it, at each of its addresses', async () => {
  for (const path of ['/openapi.json', '/docs/json', '/docs/yaml']) {
    const first = await fetch(service.url + path);
    const text = await first.text();
    const tag = first.headers.get('etag') as string;
    assert.deepEqual([first.status, tag.startsWith('"')], [200, true], path);
    const again = await fetch(service.url + path, { headers: { 'If-None-Match': tag } });
    assert.deepEqual([again.status, await again.text()], [304, ''], path);
    const other = await fetch(service.url + path, { headers: { 'If-None-Match': '"other"' } });
    assert.deepEqual([other.status, await other.text()], [200, text], path);
  }
});

test('the document is clean under the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    // A former path may stand beside its successor: a literal part counts before a name.
    config: await createConfig({
      extends: ['recommended'],
      rules: { 'operation-tag-defined': 'error', 'no-ambiguous-paths': 'off' },
    }),
  });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  );
});

test('every type of event is a webhook of the document, with a named schema and an example', () => {
  assert.deepEqual(Object.keys(document.webhooks), eventTypeNames);
  for (const [type, { post }] of Object.entries<{ post: Operation }>(document.webhooks)) {
    const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: null, example: null };
    const { type: shownType, data } = example as { type: string; data: object };
    const named = resolve(document, schema);
    assert.deepEqual(named.properties.type.enum, [type]);
    assert.ok(named.properties.data.$ref, `the data of ${type} has a named schema`);
    assert.equal(shownType, type);
    assert.deepEqual(Object.keys(data), Object.keys(resolve(document, named.properties.data).properties));
  }
});

test('the committed openapi.json is the document that the service serves', async () => {
  const committed = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
  assert.deepEqual(document, committed, 'run "npm run openapi" and commit the result');
});
