import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whileBusy } from '../support/eventually.ts';
import { type Operation, operationsOf, readDocument, resolve } from '../support/openapi.ts';
import { bodyOf, kindOf, readIds } from '../support/requests.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { type Call, startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies of every form are walked here.
type Json = any;

const workspace = 1;
const service = await startService({ demo: true, mailServer: 'outbox' });
const { token } = await service.addToken({ workspaces: [workspace] });
const owner = await signIn(service, { workspace });
const document = await readDocument();
const operations = [...operationsOf(document).values()];

/** What PostgreSQL does not hold as text; the last one is a lone surrogate in the bytes of UTF-8. */
const brokenParts = ['%00', 'a%00b', '%ed%a0%80'];
const brokenTexts = ['\0', 'a\0b', '\ud800', 'a\udc00'];
/** What PostgreSQL does not hold as the id of anything. */
const hugeParts = ['9223372036854775808', '10000000000000000000', `1${'0'.repeat(400)}`];
const hugeNumbers = [2 ** 63, 1e19, 1e300];

/** Ids of the demo company, so that a request gets as far as it can. */
const known = await readIds(service.database, workspace);

type Request = [path: string, call: Call];

/** Sends requests as the console or as an identity provider. Any answer will do but a failure of the service. */
async function sendAll(requests: Request[], atLeast: number): Promise<void> {
  assert.ok(requests.length >= atLeast, `there are only ${requests.length} requests`);
  const failed: string[] = [];
  for (const [path, call] of requests) {
    const { status, body } = await whileBusy(() =>
      path.startsWith('/scim/') ? service.call(path, { ...call, token, workspace: null }) : owner.call(path, call),
    );
    if (status >= 500)
      failed.push(`${call.method} ${path} ${JSON.stringify(call.body) ?? ''}: ${status} ${JSON.stringify(body)}`);
  }
  assert.deepEqual(failed, []);
}

/** The address of an operation, with a part of it as given and the others as in the document. */
function addressWith(operation: Operation, part: { name: string; value: string } | null): string {
  const { path, parameters } = operation;
  const kind = kindOf(operation);
  const id = kind === null ? '1' : known[kind];
  const valueFor = (name: string) => {
    if (part?.name === name) return part.value;
    const example = parameters.find((one) => one.in === 'path' && one.name === name)?.example;
    return name === 'id' || name === 'requestId' ? id : encodeURIComponent(String(example ?? '1'));
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => valueFor(name));
  return part && !path.includes(`{${part.name}}`) ? `${filled}?${part.name}=${part.value}` : filled;
}

interface Leaf {
  path: (string | number)[];
  types: string[];
}

/** The texts and numbers of a body, wherever they stand in it. */
function leavesOf(given: Json, path: Leaf['path'] = []): Leaf[] {
  const schema = resolve(document, given);
  const types = [schema.type ?? []].flat() as string[];
  return [
    ...(types.some((type) => type === 'string' || type === 'integer' || type === 'number') ? [{ path, types }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => leavesOf(inner, [...path, name])),
    ...(schema.items ? leavesOf(schema.items, [...path, 0]) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((one) =>
      leavesOf(one, path),
    ),
  ];
}

/** A copy of an example with one value in another place. */
function bodyWith(example: Json, [step, ...rest]: Leaf['path'], value: unknown): Json {
  if (step === undefined) return value;
  const copy = typeof step === 'number' ? [...(Array.isArray(example) ? example : [])] : { ...example };
  copy[step] = bodyWith(copy[step], rest, value);
  return copy;
}

test('no text and no number in an address makes the service fail, in any parameter of any operation', async () => {
  const requests = operations.flatMap((operation) =>
    operation.parameters
      .filter((one) => one.in !== 'header')
      .flatMap(({ name, schema }) => {
        const isText = [resolve(document, schema).type].flat().includes('string');
        return (isText ? brokenParts : [...brokenParts, ...hugeParts]).map((value): Request => {
          const body = bodyOf(document, operation);
          const headers = { 'Idempotency-Key': 'part', ...(body && { 'Content-Type': body.type }) };
          const call = { method: operation.method, headers, ...(body && { body: body.example ?? {} }) };
          return [addressWith(operation, { name, value }), call];
        });
      }),
  );
  await sendAll(requests, 500);
});

test('no text and no number in a body makes the service fail, in any field of any operation', async () => {
  const requests = operations.flatMap((operation) => {
    const body = bodyOf(document, operation);
    if (!body) return [];
    if (typeof body.example === 'string')
      return [...body.example.matchAll(/\w\b/g)].map(({ index }): Request => {
        const text = `${body.example.slice(0, index + 1)}\0${body.example.slice(index + 1)}`;
        return [
          addressWith(operation, null),
          { method: operation.method, headers: { 'Content-Type': body.type }, body: text },
        ];
      });
    return leavesOf(body.schema).flatMap(({ path, types }) =>
      (types.includes('string') ? brokenTexts : hugeNumbers).map((value, nth): Request => {
        const headers = { 'Idempotency-Key': `${path.join('.')} ${nth}`, 'Content-Type': body.type };
        const call = { method: operation.method, headers, body: bodyWith(body.example ?? {}, path, value) };
        return [addressWith(operation, null), call];
      }),
    );
  });
  await sendAll(requests, 500);
});

test('no text makes a page fail, or a route that no document lists', async () => {
  const { routeTable } = await createRoutesOnly();
  const names = ['to', 'connect', 'state', 'code', 'error', 'token', 'fault'];
  const pages = routeTable
    .filter(({ access, method }) => access === 'public' && method === 'GET')
    .flatMap(({ url }) =>
      brokenParts.map((part): Request => {
        const query = names.map((name) => `${name}=${part}`).join('&');
        return [`${url.replace(/:\w+|\*/g, part)}?${query}`, { method: 'GET' }];
      }),
    );
  const bodies = brokenTexts.flatMap((text): Request[] => [
    ['/session/link', { method: 'POST', body: { link: text } }],
    ['/session/password', { method: 'POST', body: { email: text, password: 'x' } }],
    ['/session/password', { method: 'POST', body: { email: 'owner@example.com', password: text } }],
  ]);
  await sendAll([...pages, ...bodies], 30);
});

test('a text that PostgreSQL does not hold is a 400 that names it', async () => {
  const asked = async (path: string, call?: Call) => refusal(await owner.call(path, call), 400);
  const problem = 'must be text without NUL or broken characters';
  assert.match(await asked('/api/v1/users?search=%00'), new RegExp(`search ${problem}`));
  assert.match(await asked('/api/v1/audit?subjectId=%00'), new RegExp(`subjectId ${problem}`));
  const body = { email: '\0', password: 'x' };
  assert.match(await asked('/session/password', { method: 'POST', body }), new RegExp(`email ${problem}`));
});

test('an id that nothing can have is a 400 that names it', async () => {
  const call = { method: 'PATCH', body: { managerId: 1e19 } };
  assert.match(refusal(await owner.call(`/api/v1/members/${known.members}`, call), 400), /managerId must be from 1 to/);
});
