import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { parseNetworks } from '../../src/ground/config/texts.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts } from '../support/gift-page.ts';
import { testSeed } from '../support/seed.ts';
import { startService } from '../support/service.ts';

// The test's own address is a proxy's, so that each visitor has the address that X-Forwarded-For names.
const service = await startService({ trustedProxies: parseNetworks('127.0.0.0/8,10.0.0.0/8', 'test') });
const gifts = createGifts(service);
const certificate = await gifts.order();

/** 100000 take some minutes. */
const guesses = Number(process.env.GIFTWIRE_TEST_GUESSES ?? 2_000);

const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
let guessed = 0;
const guess = () => {
  const bytes = createHash('sha256').update(`${testSeed} ${guessed++}`).digest();
  return Array.from(bytes.subarray(0, 16), (byte) => characters[byte % 32]).join('');
};
const type = (code: string, address: string) => {
  if (code !== certificate.shortToken) typed++;
  // A busy machine may ask for a retry.
  return eventually(
    () => gifts.post('/g', { code }, { 'X-Forwarded-For': address }),
    ({ status }) => status !== 503,
  );
};
/** How many wrong codes were typed. */
let typed = 0;

async function guessMany(count: number, addressOf: (nth: number) => string): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let begun = 0; begun < count; begun += 50) {
    const some = Array.from({ length: Math.min(50, count - begun) }, (_, nth) => type(guess(), addressOf(begun + nth)));
    for (const { status } of await Promise.all(some)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

const wrongCodes = async () => {
  const { body } = await service.call<string>('/metrics');
  const count = (outcome: string) =>
    Number(new RegExp(`^giftwire_wrong_gift_codes_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(body)?.[1] ?? 0);
  return { wrong: count('wrong'), refused: count('refused') };
};

test('of thousands of guesses none is right, and everybody with a code is served, also at the same address', async () => {
  const attack = guessMany(guesses, () => '203.0.113.7');
  const served = ['198.51.100.20', '203.0.113.7'].flatMap((address) =>
    Array.from({ length: 20 }, async () => (await type(certificate.shortToken, address)).status),
  );
  assert.deepEqual([...new Set(await Promise.all(served))], [200]);
  const statuses = await attack;
  assert.deepEqual([...statuses.keys()].sort(), [404, 429]);
  assert.ok((statuses.get(429) ?? 0) > guesses / 2, JSON.stringify([...statuses]));
  assert.equal((await type(certificate.shortToken, '203.0.113.7')).status, 200);
});

test('beyond the limit a wrong code is told how long to wait, and right ones and links go on working', async () => {
  await guessMany(100, () => '203.0.113.8');
  const limited = await type(guess(), '203.0.113.8');
  assert.equal(limited.status, 429);
  assert.match(limited.headers.get('retry-after') ?? '', /^\d{1,2}$/);
  assert.match(limited.text, /Too many wrong codes/);
  assert.equal((await type('malformed', '203.0.113.8')).status, 429);
  assert.equal((await type(certificate.shortToken, '203.0.113.8')).status, 200);
  const link = await gifts.post('/g/look', { token: certificate.longToken }, { 'X-Forwarded-For': '203.0.113.8' });
  assert.equal(link.status, 200);
});

test('right codes cost nothing, however many come from one address', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => type(certificate.shortToken, '203.0.113.9')));
  const more: number[] = [];
  for (let nth = 0; nth < 100; nth++) more.push((await type(certificate.shortToken, '203.0.113.9')).status);
  assert.deepEqual([...new Set([...answers.map(({ status }) => status), ...more])], [200]);
});

test('a link whose id is larger than any gift has is wrong as any other, and counts at a till', async () => {
  const token = Buffer.from(`0001${'ff'.repeat(8)}${'00'.repeat(22)}`, 'hex').toString('base64url');
  for (const path of ['/g', '/g/look', '/g/claim']) assert.equal((await gifts.post(path, { token })).status, 404, path);
  for (const path of ['check', 'redemptions']) {
    const asked = { method: 'POST', body: { token }, headers: { 'Idempotency-Key': 'one' } };
    assert.equal((await service.call(`/api/v1/gifts/${path}`, asked)).status, 404, path);
    typed++;
  }
});

test('one network of IPv6 addresses counts as one visitor', async () => {
  await guessMany(100, (nth) => `2001:db8:1:2::${nth.toString(16)}`);
  assert.equal((await type(guess(), '2001:db8:1:2:ffff::1')).status, 429);
  assert.equal((await type(guess(), '2001:db8:1:3::1')).status, 404);
});

test('only what trusted proxies add to X-Forwarded-For counts', async () => {
  // The visitor wrote the first address; the proxies wrote the others.
  await guessMany(100, (nth) => `192.0.2.${nth}, 203.0.113.66, 10.1.2.3`);
  assert.equal((await type(guess(), '192.0.2.200, 203.0.113.66, 10.1.2.3')).status, 429);

  const direct = await startService();
  const others = createGifts(direct);
  const statuses = new Set<number>();
  for (let nth = 0; nth < 100; nth++)
    statuses.add((await others.post('/g', { code: guess() }, { 'X-Forwarded-For': `192.0.2.${nth}` })).status);
  assert.deepEqual([...statuses].sort(), [404, 429], 'without trusted proxies the header is ignored');
});

test('many wrong codes over all addresses are counted, and said once a minute', async () => {
  // An answer with metrics may be a second old: the count is waited for.
  const total = async () => Object.values(await wrongCodes()).reduce((sum, count) => sum + count, 0);
  const before = typed;
  await guessMany(400, (nth) => `198.18.${nth >> 4}.1`);
  assert.equal(typed, before + 400);
  await eventually(total, (count) => count === typed);
  const lines = service.logLines().filter(({ msg }) => /Many wrong gift codes/.test(String(msg)));
  assert.ok(lines.length > 0);
  assert.ok(lines.length <= 5, `${lines.length} lines`);
});
