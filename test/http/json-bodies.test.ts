import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxBodyBytes } from '../../src/doors/http/areas/api/orders.ts';
import { scanJson } from '../../src/doors/http/body/json-scan.ts';
import { countKeys, findRepeatedKey } from '../../src/doors/http/body/repeated-keys.ts';
import { whileBusy } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { projectDir } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { connectScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService({ logLevel: 'warn' });
const scim = await connectScim(service);
const user = await scim.addUser({ userName: 'target@example.com' });
const group = (await scim.post('/Groups', { displayName: 'Target' })).body.id;
const order = JSON.stringify(anOrder());
const withField = (value: string) => order.replace('{', `{"unknown":${value},`);
const list = (value: string, count: number) => `[${Array(count).fill(value).join(',')}]`;

const post = (path: string, body: string, method = 'POST') =>
  service.call<{ message: string; type: string; detail: string }>(path, {
    method,
    body,
    ...(path.startsWith('/scim') && { headers: { 'Content-Type': 'application/scim+json' } }),
  });
const create = (body: string) => whileBusy(() => post('/api/v1/orders', body));

function scan(json: string): { keys: number; json: Buffer } {
  const bytes = Buffer.from(json);
  const steps = scanJson(bytes, Number.POSITIVE_INFINITY, 7);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { keys: value, json: bytes };
  }
}

test('a duplicate key in an object is a 400 that names it, at any depth and in any spelling', async () => {
  for (const [body, path] of [
    [order.replace('{', '{"currency":"USD",'), 'currency'],
    [order.replace('{', '{"c\\u0075rrency":"USD",'), 'currency'],
    [order.replace('"amount":25', '"amount":25,"amount":2'), 'orderItems[0].amount'],
    [order.replace('"amount":25', '"amount":{"amount":25,"amount":2}'), 'orderItems[0].amount.amount'],
    [withField('{"a":[[0],{"b":1,"c":"}","b":2}]}'), 'unknown.a[1].b'],
    [withField('{"__proto__":1,"__proto__":2}'), 'unknown.__proto__'],
    [withField('{"":1,"":{"x":1}}'), 'unknown.'],
    [withField('{"é":1,"\\u00e9":2}'), 'unknown.é'],
    [withField('{"constructor":{"a":1},"constructor":0}'), 'unknown.constructor'],
  ] as const) {
    const { status, body: problem } = await create(body);
    assert.deepEqual(
      [status, problem],
      [400, { status: 400, message: `${path} must be given once.`, type: 'invalid_field' }],
    );
  }
});

test('a duplicate key is a 400 on every operation with a body', async () => {
  const reason = (await service.call<{ reasons: { id: number }[] }>('/api/v1/reasons')).body.reasons[0]?.id;
  for (const [method, path, body] of [
    ['POST', '/api/v1/shoutouts', '{"message":"a","message":"b","recipient":{"email":"ada@example.com"}}'],
    ['POST', '/api/v1/reasons', '{"description":"a","description":"b"}'],
    ['PATCH', `/api/v1/reasons/${reason}`, '{"description":"a","description":"b"}'],
  ] as const) {
    const { status, body: problem } = await post(path, body, method);
    assert.deepEqual([status, problem.type], [400, 'invalid_field'], path);
    assert.match(problem.message, /must be given once/);
  }
  for (const [method, path, body] of [
    ['POST', '/Users', '{"userName":"a","userName":"b"}'],
    ['PUT', `/Users/${user.id}`, '{"userName":"a","name":{"givenName":"a","givenName":"b"}}'],
    ['PATCH', `/Users/${user.id}`, '{"Operations":[{"op":"add","path":"title","value":"a","value":"b"}]}'],
    ['POST', '/Groups', '{"displayName":"a","displayName":"b"}'],
  ] as const) {
    const { status, body: problem } = await post(`/scim/v2${path}`, body, method);
    const { scimType, detail } = JSON.parse(problem as unknown as string) as Record<string, string>;
    assert.deepEqual([status, scimType], [400, 'invalidSyntax'], path);
    assert.match(detail ?? '', /must be given once/);
  }
});

test('the same key in several objects is allowed', async () => {
  const { status } = await create(withField('[{"a":{"a":[{"a":1},{"a":"\\"a\\":"}]}},{"a":":,{\\\\"}]'));
  assert.equal(status, 201);
});

test('a text that looks like JSON, behind an escaped quote and at any length, comes back unchanged', async () => {
  // Quotes and backslashes on both sides of the place from where the scanner looks for the end of a long text in another way.
  const lengths = Array.from({ length: 12 }, (_, nth) => 56 + nth);
  const endings = ['"', '\\', '\\"', '\\\\"', '"{"a":1,"a":2}', '",[[1e999', `${'"'.repeat(70)}\\`];
  const messages = lengths.flatMap((length) =>
    endings.map((ending) => `${'x'.repeat(length)}${ending} {"b":[12345678901234567890`),
  );
  const { certificates } = await service.fulfilled(
    anOrder({ orderItems: messages.map((message) => aGift({ message })) }),
  );
  assert.deepEqual(
    certificates.map(({ message }) => message),
    messages,
  );
  for (const message of messages) assert.equal(scan(JSON.stringify({ message })).keys, 1);
});

test('a number that a double cannot hold is refused in a known field and ignored elsewhere', async () => {
  for (const literal of [
    '25.000000000000000001',
    '2500000000000000000000e-20000',
    `25.${'1'.repeat(900)}`,
    '24.99999999999999999',
  ]) {
    const { status, body } = await create(order.replace('"amount":25', `"amount":${literal}`));
    assert.deepEqual([status, body.message], [400, 'orderItems[0].amount must be a number with fewer digits'], literal);
    assert.equal((await create(withField(literal))).status, 201, literal);
  }
  for (const literal of ['25.00000000000000000', '0.000000000000000025e18', '250000000000000000e-16'])
    assert.equal((await create(order.replace('"amount":25', `"amount":${literal}`))).status, 201, literal);
  const { status, body } = await create(order.replace('"amount":25', `"amount":${'1'.repeat(1_001)}`));
  assert.deepEqual([status, body.message], [400, 'orderItems[0].amount must be a number with fewer digits']);
});

test('a long malformed literal is still a 400', async () => {
  for (const literal of [
    '01234567890123456789',
    '1.2.3.4.5.6.7.8.9.0',
    '12345678901234567e',
    '--12345678901234567',
    '1234567890123456-',
  ])
    assert.match(
      (await create(withField(literal))).body.message,
      /^The body is not valid JSON: line 1, column \d+: /,
      literal,
    );
  assert.equal((await create(withField('"12345678901234567890123 \\" 12345678901234567890123"'))).status, 201);
});

test('a body with too many values or levels is refused with the limit', async () => {
  for (const [path, body, most] of [
    ['/api/v1/orders', withField(list('1', 60_000)), 60_000],
    ['/api/v1/orders', withField(list('{"a":""}', 30_000)), 60_000],
    ['/api/v1/shoutouts', list('1', 10_001), 10_000],
    ['/scim/v2/Users', list('1', 10_001), 10_000],
    ['/scim/v2/Groups', list('1', 60_001), 60_000],
  ] as const) {
    const { status, body: problem } = await post(path, body);
    assert.equal(status, 413, path);
    assert.ok(JSON.stringify(problem).includes(`too many values: it may have at most ${most}.`), path);
  }
  assert.equal((await create(withField(list('1', 50_000)))).status, 201);
  assert.equal((await create(withField('['.repeat(99) + ']'.repeat(99)))).status, 201);
  const { status, body } = await create(withField('['.repeat(100) + ']'.repeat(100)));
  assert.deepEqual([status, body.message], [400, 'The body is nested too deeply: it may have at most 100 levels.']);
});

test('the largest order with every field and as many unknown ones is accepted', async () => {
  const gift = {
    ...aGift(),
    unknown: Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`field${nth}`, nth])),
  };
  const { status } = await create(JSON.stringify(anOrder({ orderItems: Array(1_000).fill(gift) })));
  assert.equal(status, 201);
});

test('each operation has its own size limit and states it', async () => {
  const kibibyte = 1024;
  for (const [method, path, bytes, words] of [
    ['POST', '/api/v1/orders', maxBodyBytes, '16 MiB'],
    ['POST', '/api/v1/shoutouts', 256 * kibibyte, '256 KiB'],
    ['POST', '/api/v1/reasons', 256 * kibibyte, '256 KiB'],
    ['POST', '/scim/v2/Users', 1024 * kibibyte, '1 MiB'],
    ['PATCH', `/scim/v2/Users/${user.id}`, 1024 * kibibyte, '1 MiB'],
    ['PUT', `/scim/v2/Groups/${group}`, 4096 * kibibyte, '4 MiB'],
  ] as const) {
    const { status, body } = await post(path, ' '.repeat(bytes + 1), method);
    assert.equal(status, 413, path);
    assert.ok(JSON.stringify(body).includes(`it may have at most ${words}.`), path);
    assert.equal((await post(path, ' '.repeat(bytes), method)).status, 400, path);
  }
});

test('docs/operate.md names the limit of every operation that takes more than usual', async () => {
  const [, said = ''] =
    /^\| Other bodies \|(.*)$/m.exec(await readFile(join(projectDir, 'docs/operate.md'), 'utf8')) ?? [];
  for (const [path, name, words] of [
    ['/api/v1/members/import', 'files of people', '24 MiB'],
    ['/scim/v2/Groups', 'SCIM groups', '4 MiB'],
    ['/api/v1/pools/1/codes', 'files of codes', '2 MiB'],
    ['/api/v1/bounces', 'bounces', '1 MiB'],
    ['/api/v1/shoutouts', 'everything else', '256 KiB'],
  ] as const) {
    assert.ok(said.includes(`${name} ${words}`), `${name} ${words}`);
    const [count = 0, unit] = words.split(' ');
    const { status, body } = await post(path, ' '.repeat(Number(count) * (unit === 'MiB' ? 2 ** 20 : 2 ** 10) + 1));
    assert.equal(status, 413, path);
    assert.ok(JSON.stringify(body).includes(`it may have at most ${words}.`), path);
  }
});

test('concurrent large bodies are parsed one after the other, each unchanged', async () => {
  const filler = 'x'.repeat(2_000_000);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => create(withField(nth % 2 === 0 ? `"${filler}"` : `{"a":"${filler}","a":1}`))),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? 201 : 400)),
  );
});

test('a PATCH counts each attribute of a value as an operation', async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`unknown${nth}`, 'x']));
  for (const path of [`/Users/${user.id}`, `/Groups/${group}`]) {
    for (const value of [many(1_001), { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': many(1_001) }]) {
      const { status, body } = await scim.patch(path, [{ op: 'add', value }]);
      assert.deepEqual([status, body.status], [413, '413'], path);
      assert.match(body.detail, /at most 1000 operations/);
    }
    const rename = Array.from({ length: 500 }, (_, nth) => ({ op: 'replace', value: { externalId: `${nth}` } }));
    assert.ok((await scim.patch(path, [...rename, ...rename])).status < 300);
  }
  const emails = Array.from({ length: 101 }, (_, nth) => ({ value: `a${nth}@example.com`, type: `t${nth}` }));
  const { status, body } = await scim.patch(`/Users/${user.id}`, [{ op: 'add', path: 'emails', value: emails }]);
  assert.deepEqual([status, body.scimType, body.detail], [400, 'invalidValue', 'emails may have at most 100 values.']);
});

// Without the backslash: V8 takes a key of it for one of a quotation mark at times.
const letter = fc.constantFrom(...'ab":{}[],é1-. ');

test('the scanner counts exactly the keys that the parser sees, for any JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6, stringUnit: letter }), fc.constantFrom(0, 1, 2), (text, indent) => {
      const json = JSON.stringify(JSON.parse(text), null, indent);
      const { keys, json: scanned } = scan(json);
      assert.equal(keys, countKeys(JSON.parse(json)));
      assert.deepEqual(JSON.parse(scanned.toString()), JSON.parse(json));
    }),
    { numRuns: runs(500) },
  );
});

test('the scanner finds a duplicate key anywhere in any JSON', () => {
  const key = fc.constantFrom('a', 'b', '__proto__', '', 'é', '"', '\n', '{', 'x'.repeat(200));
  const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', '"a"', '"}"', '{}', '[]', '"\\\\"', '{"c":1}'),
      tie('object'),
      tie('object').map((one) => `[1,${one}]`),
    ),
    object: fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  }));
  fc.assert(
    fc.property(object, (json) => {
      const isRepeated = scan(json).keys !== countKeys(JSON.parse(json));
      assert.equal(findRepeatedKey(Buffer.from(json)) !== null, isRepeated, json);
    }),
    { numRuns: runs(500) },
  );
});
