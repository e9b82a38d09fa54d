import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GiftTokenKeys, loadKeys, registerKeys } from '../../src/giving/gifts/token-keys.ts';
import {
  isSourceOf,
  longToken,
  readLongToken,
  shortToken,
  shortTokenHash,
  type TokenSource,
} from '../../src/giving/gifts/tokens.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { Failure } from '../../src/ground/errors.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const one = 'first-secret-of-at-least-32-characters';
const two = 'second-secret-of-at-least-32-characters';
const longForm = /^[A-Za-z0-9_-]{62}$/;
const shortForm = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const versions = fc.integer({ min: 1, max: 9 });
const secrets = fc.string({ minLength: 32, maxLength: 64, unit: fc.constantFrom(...'abcdefABCDEF0123456789-_') });
const keyed = (secret: string, version: number) => parseKeys(`${version}:${secret}`);
const requestIds = fc.uuid();
const positions = fc.integer({ min: 0, max: 999 });
const editions = fc.integer({ min: 0, max: 0xffff_ffff });
const sources = fc.record({
  requestId: requestIds,
  position: positions,
  edition: editions,
  keyVersion: versions,
  id: ids,
  tokenVersion: fc.constant(2),
});
const earlierSources = fc.record({
  requestId: requestIds,
  position: positions,
  edition: fc.integer({ min: 0, max: 0xffff }),
  keyVersion: versions,
  id: ids,
  tokenVersion: fc.constant(1),
});
const tokensOf = (keys: GiftTokenKeys, gift: TokenSource) => [
  longToken(keys, gift),
  shortToken(keys, gift),
  shortTokenHash(keys, gift).toString(),
];
const aSource: TokenSource = {
  id: 90_210,
  requestId: '0198c1de-7a54-7c3e-9f2b-4f1f6b1f8f10',
  position: 0,
  keyVersion: 1,
  edition: 0,
  tokenVersion: 2,
};
/** Of gift 90210 with the first secret, in the editions 0 and 3, as they were emailed. */
const frozenTokens = [
  ['AAEAAAAAAAFgYhl4E0LvCn_4Gen3Ea3XU1RZqxdplLs', '4XW9-M30M-4TYY-QPAM', '-1972784366806647407'],
  ['AAEAAAAAAAFgYgADlUxB1Ljczih9pkoV4gsXsRVcbDGiBg', '6SQD-WPKE-S1EY-B8TK', '3041501580494425405'],
];
/** The sources of an order's gifts, as they were issued. */
const sourcesOf = ({ requestId, certificates }: OrderRecord, keyVersion: number): TokenSource[] =>
  certificates.map(({ id }, position) => ({ id, requestId, position, keyVersion, edition: 0, tokenVersion: 2 }));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-keys-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('both gift tokens have their form, and the long one carries what it derives from', () => {
  fc.assert(
    fc.property(secrets, sources, (secret, gift) => {
      const keys = keyed(secret, gift.keyVersion);
      const long = longToken(keys, gift);
      assert.match(long, longForm);
      assert.match(shortToken(keys, gift), shortForm);
      const { id: _id, ...carried } = gift;
      assert.deepEqual(readLongToken(keys, long), carried);
      assert.ok((Buffer.from(long, 'base64url').length - 24) * 8 >= 128, 'at least 128 bits that cannot be guessed');
    }),
  );
});

test('tokens derive from key, version, request id, position and edition, and from nothing else', () => {
  fc.assert(
    fc.property(secrets, sources, ids, (secret, gift, otherId) => {
      const alone = keyed(secret, gift.keyVersion);
      const among = parseKeys(`10:${two},${gift.keyVersion}:${secret}`);
      assert.deepEqual(tokensOf(alone, { ...gift, id: otherId }), tokensOf(among, gift));
    }),
  );
});

test('tokens of gifts that were issued before stay as they were, and carry version, id and edition', () => {
  const keys = parseKeys(`1:${one}`);
  const earlier = { ...aSource, tokenVersion: 1 };
  assert.deepEqual(tokensOf(keys, earlier), frozenTokens[0]);
  assert.deepEqual(tokensOf(keys, { ...earlier, edition: 3 }), frozenTokens[1]);
  fc.assert(
    fc.property(secrets, earlierSources, (secret, gift) => {
      const own = keyed(secret, gift.keyVersion);
      const source = readLongToken(own, longToken(own, gift));
      assert.ok(source && isSourceOf(source, gift));
      assert.deepEqual(source, { tokenVersion: 1, id: gift.id, keyVersion: gift.keyVersion, edition: gift.edition });
    }),
  );
});

test('another key, version, order, position or edition gives other tokens, in every part that is secret', () => {
  fc.assert(
    fc.property(secrets, secrets, sources, sources, (secret, otherSecret, gift, other) => {
      const secretParts = (s: string, source: TokenSource) => {
        const [long = '', ...rest] = tokensOf(keyed(s, source.keyVersion), source);
        return [Buffer.from(long, 'base64url').subarray(24).toString('hex'), ...rest];
      };
      const original = secretParts(secret, gift);
      const parts = ['keyVersion', 'requestId', 'position', 'edition'] as const;
      const changes = parts.filter((part) => gift[part] !== other[part]).map((part) => ({ [part]: other[part] }));
      const others = changes.map((change) => secretParts(secret, { ...gift, ...change }));
      if (otherSecret !== secret) others.push(secretParts(otherSecret, gift));
      for (const changed of others) for (const [nth, part] of original.entries()) assert.notEqual(part, changed[nth]);
    }),
  );
});

test('a single key is version 1, and several keys each have a version', () => {
  const shape = (text: string) => {
    const { current, byVersion } = parseKeys(text);
    const read = [...byVersion].map(([version, key]) => [version, key.export().toString()]);
    return { current, read: Object.fromEntries(read) };
  };
  assert.deepEqual(shape(one), { current: 1, read: { 1: one } });
  assert.deepEqual(shape(`1:${one}`), { current: 1, read: { 1: one } });
  const read = { 1: one, 2: two };
  for (const text of [`2:${two},1:${one}`, ` 2:${two} , ${one} `]) assert.deepEqual(shape(text), { current: 2, read });
  // A key can be made known to every node before the first gift is issued with it.
  assert.deepEqual(shape(`1:${one},2:${two}`), { current: 1, read });
  assert.deepEqual(shape(`3:${two}:with:colons`).read, { 3: `${two}:with:colons` });
});

test('a database refuses changed and missing token keys, and takes new ones beside the old', async () => {
  const database = await createTestDatabase();
  const refused = (text: string, reason: RegExp) =>
    assert.rejects(registerKeys(database, parseKeys(text)), (error) => {
      assert.ok(error instanceof Failure && error.kind === 'setup');
      assert.match(error.message, reason);
      assert.ok(!error.message.includes(one) && !error.message.includes(two), 'no secret in a message');
      return true;
    });
  await registerKeys(database, parseKeys(one));
  await registerKeys(database, parseKeys(`1:${one}`));
  await refused(two, /version 1 is not the key/);
  await refused(`2:${two}`, /lacks version 1/);
  await registerKeys(database, parseKeys(one));
  await registerKeys(database, parseKeys(`2:${two},1:${one}`));
  await refused(one, /lacks version 2/);
  await refused(`2:${one},1:${one}`, /version 2 is not the key/);
  const stored = await database.query<{ fingerprint: Buffer }>('select fingerprint from gift_token_keys');
  for (const { fingerprint } of stored)
    for (const secret of [one, two]) assert.ok(!fingerprint.toString('latin1').includes(secret));
});

test('refused token keys leave no trace: the right ones work afterwards', async () => {
  const database = await createTestDatabase();
  await registerKeys(database, parseKeys(one));
  await assert.rejects(registerKeys(database, parseKeys(`2:${two},1:${two}`)));
  await registerKeys(database, parseKeys(one));
});

test('after a rotation old certificates keep their tokens and new ones have the new version', async () => {
  const before = await startService({ tokenKey: one });
  const tokens = ({ certificates }: OrderRecord) => certificates.map((gift) => [gift.longToken, gift.shortToken]);
  const order = anOrder({ orderItems: [aGift(), aGift({ recipient: { employeeNumber: '7' } })] });
  const old = await before.fulfilled(order);
  await before.stop();

  const after = await startService({ tokenKey: `2:${two},1:${one}`, databaseUrl: before.database.url });
  const access = { token: before.token, workspace: before.workspaceId };
  const find = (requestId: string) =>
    eventually(
      async () => (await after.call<OrderRecord>(`/api/v1/orders/${requestId}`, access)).body,
      ({ state }) => state === 'COMPLETED',
    );
  const { body } = await after.call('/api/v1/orders', { method: 'POST', ...access, body: order });
  const fresh = await find(body.requestId as string);
  assert.deepEqual(tokens(await find(old.requestId)), tokens(old));
  for (const [record, version] of [
    [old, 1],
    [fresh, 2],
  ] as const) {
    const keys = parseKeys(`2:${two},1:${one}`);
    assert.deepEqual(
      tokens(record),
      sourcesOf(record, version).map((source) => [longToken(keys, source), shortToken(keys, source)]),
    );
    const hashes = await before.database.query<{ hash: string }>(
      'select short_token_hash::text as hash from certificates where request_id = $1 and key_version = $2 order by position',
      [record.requestId, version],
    );
    assert.deepEqual(
      hashes.map(({ hash }) => hash),
      sourcesOf(record, version).map((source) => shortTokenHash(keys, source).toString()),
    );
  }
});

test('neither gift token is stored in the database', async () => {
  const service = await startService({ tokenKey: one });
  const { certificates } = await service.fulfilled(anOrder());
  const { longToken: long = '', shortToken: short = '' } = certificates[0] ?? {};
  assert.match(long, longForm);
  assert.match(short, shortForm);
  const secretsSent = [long, short, short.replaceAll('-', ''), one, service.token];
  const tables = await service.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    const [row] = await service.database.query<{ text: string }>(
      `select coalesce(string_agg(t::text, ''), '') as text from ${name} t`,
    );
    for (const secret of secretsSent) assert.ok(!row?.text.includes(secret), name);
  }
});

test('without a setting a token key is generated once, readable by its owner only', async () => {
  const dataDir = await temporaryFolder();
  const database = await createTestDatabase();
  const made = await loadKeys(null, dataDir, database);
  const file = join(dataDir, 'token-key');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['token-key']);
  const text = await readFile(file, 'utf8');
  assert.ok(Buffer.from(text.trim(), 'base64url').length >= 32);
  const again = await loadKeys(null, dataDir, database);
  assert.equal(await readFile(file, 'utf8'), text);
  assert.deepEqual(tokensOf(again, aSource), tokensOf(made, aSource));
  assert.notDeepEqual(
    tokensOf(await loadKeys(parseTokenKeys(one), dataDir, database), aSource),
    tokensOf(made, aSource),
  );
});

test('nodes that generate the token key at the same time end up with one', async () => {
  const database = await createTestDatabase();
  for (let round = 0; round < 20; round++) {
    const dataDir = await temporaryFolder();
    const start = async (afterMs: number) => {
      await sleep(afterMs);
      const keys = await loadKeys(null, dataDir, database);
      await registerKeys(database, keys);
      return keys;
    };
    const loaded = await Promise.all([0, 0, 0, 0, 1, 2, 3, 4].map(start));
    const kept = tokensOf(await loadKeys(null, dataDir, database), aSource);
    for (const keys of loaded) assert.deepEqual(tokensOf(keys, aSource), kept);
    await database.query('delete from gift_token_keys');
  }
});

test('a key file that cannot be read is never replaced', async () => {
  const dataDir = await temporaryFolder();
  // A folder in its place cannot be read as a file by anybody, root included.
  await mkdir(join(dataDir, 'token-key'));
  await assert.rejects(loadKeys(null, dataDir, await createTestDatabase()));
  assert.deepEqual(await readdir(dataDir), ['token-key']);
});

test('a missing key file is reported and never replaced, and works again once restored', async () => {
  const dataDir = await temporaryFolder();
  const service = await startService({ dataDir });
  const record = await service.fulfilled(anOrder());
  await service.stop();
  const file = join(dataDir, 'token-key');
  const text = await readFile(file, 'utf8');
  await rm(file);
  const again = () => startService({ dataDir, databaseUrl: service.database.url });
  for (let start = 0; start < 2; start++)
    await assert.rejects(again, ({ cause }: Error) => {
      assert.ok(cause instanceof Failure && cause.kind === 'setup');
      assert.ok(cause.message.includes(`${file} is missing`), cause.message);
      assert.match(cause.message, /restore that file from your backup/);
      return true;
    });
  assert.deepEqual(await readdir(dataDir), [], 'nothing is written');
  await writeFile(file, text);
  await again();
  const [source] = sourcesOf(record, 1) as [TokenSource];
  assert.equal(longToken(parseKeys(text.trim()), source), record.certificates[0]?.longToken);
});

test('the data folder is created also when DATABASE_URL is set', async () => {
  const dataDir = join(await temporaryFolder(), 'not', 'yet');
  const service = await startService({ dataDir });
  assert.equal((await service.create(anOrder())).status, 201);
  assert.equal((await stat(join(dataDir, 'token-key'))).mode & 0o777, 0o600);
});

test('a version that a token cannot carry, and a version given twice, are refused at the start', async () => {
  for (const tokenKey of [`0:${one}`, `65536:${one}`, `1:${one},1:${two}`, `${one},${two}`])
    await assert.rejects(
      async () => startService({ tokenKeys: readConfig({ GIFTWIRE_TOKEN_KEY: tokenKey }).tokenKeys }),
      (error) => error instanceof Failure && error.kind === 'setup',
      tokenKey,
    );
  const { certificates } = await (await startService({ tokenKey: `65535:${one}` })).fulfilled(anOrder());
  assert.match(certificates[0]?.longToken ?? '', longForm);
});
