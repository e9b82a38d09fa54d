import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { quietToken } from '../../src/giving/gifts/quiet.ts';
import { longToken, shortToken } from '../../src/giving/gifts/tokens.ts';
import { dumpTables } from '../support/dump.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, keys, titleOf, tokenKey } from '../support/gift-page.ts';
import { findMarkupFault } from '../support/markup.ts';
import { startService } from '../support/service.ts';

const service = await startService({ tokenKey });
const gifts = createGifts(service);
const certificate = await gifts.order();
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The addresses of a page's own files. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\s(?:href|src)="(\/g\/[^"]+)"/g)].map(([, link]) => link as string);
}

test('GET and HEAD change nothing at any address', async () => {
  await service.database.query(
    `update workspaces set brand_logo = $1, brand_logo_type = 'image/png', brand_colour = '#0F5C5C'`,
    [pixel],
  );
  const { text } = await gifts.post('/g/look', { token: certificate.longToken });
  const gift = await gifts.read(certificate);
  const paths = ['/g', '/g?lang=fr', '/g/look', '/g/claim', '/g/thanks', '/g/code', ...linksOf(text)];
  paths.push(
    `/g/quiet/${quietToken(keys, gift)}`,
    `/g?token=${certificate.longToken}`,
    `/g/claim?token=${certificate.longToken}`,
  );
  // A worker may write at the same moment. What a request changes, it changes each time.
  await eventually(
    async () => {
      const before = await dumpTables(service.database);
      for (const path of paths)
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const { status } = await fetch(service.url + path, { method });
          assert.ok(status < 500, `${method} ${path} ${status}`);
        }
      return (await dumpTables(service.database)) === before;
    },
    (isUnchanged) => isUnchanged,
  );
  assert.equal((await gifts.read(certificate)).state, 'ISSUED');
});

test('a page is kept by nobody, framed by nobody and tells no other site where it was', async () => {
  for (const answer of [await fetch(`${service.url}/g`), await gifts.post('/g', { token: certificate.longToken })]) {
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  }
});

test("a page's files have their hash in their names and are kept for good", async () => {
  const { text } = await gifts.post('/g/look', { token: certificate.longToken });
  const links = linksOf(text);
  assert.equal(links.length, 5, String(links));
  for (const link of links) {
    const { status, headers } = await fetch(service.url + link);
    assert.equal(status, 200, link);
    const kept = link.startsWith('/g/colour/') ? 'public, max-age=86400' : 'public, max-age=31536000, immutable';
    assert.equal(headers.get('cache-control'), kept, link);
  }
  assert.equal((await fetch(`${service.url}/g/logo/${service.workspaceId}-${'0'.repeat(32)}`)).status, 404);
  assert.equal((await fetch(`${service.url}/g/colour/red.css`)).status, 404);
});

test('unknown, malformed and replaced links and codes get the same answer', async () => {
  const replaced = await gifts.order();
  const after = await gifts.reissue(replaced);
  const unknown = { ...after, requestId: randomUUID() };
  const answers = await Promise.all(
    [
      { token: '' },
      {},
      { token: 'nonsense' },
      { token: `${certificate.longToken}A` },
      { token: replaced.longToken },
      { token: longToken(keys, unknown) },
      { code: 'nonsense' },
      { code: '\0' },
      { code: replaced.shortToken },
      { code: shortToken(keys, unknown) },
    ].flatMap((fields) =>
      ['/g', '/g/look', '/g/claim', '/g/thanks', '/g/code'].map((path) => gifts.post(path, fields as never)),
    ),
  );
  const told = answers.map(
    ({ status, text }) => `${status} ${text.replace(/(?<= value=")[^"]*(?=" aria-invalid)/, '')}`,
  );
  assert.equal(new Set(told).size, 2, 'one page for every link, and one for every code');
  assert.deepEqual([answers[0]?.status, titleOf(answers[0] as never)], [404, 'Gift not found']);

  assert.equal((await gifts.post('/g', { token: longToken(keys, after) })).status, 200);
  assert.equal((await gifts.post('/g', { code: shortToken(keys, after) })).status, 200);
});

test('a code that no gift has stays in its field, and the message is about the code', async () => {
  const { status, text } = await gifts.post('/g', { code: 'QRST-1234-"><b>' });
  assert.equal(status, 404);
  assert.match(text, /No gift has this code\./);
  assert.match(text, /value="QRST-1234-[^"<>]*" aria-invalid="true" autofocus/);
  assert.doesNotMatch((await gifts.post('/g', { token: 'cut-sho' })).text, /No gift has this code|aria-invalid/);
});

test('a code is found as people type it', async () => {
  const code = certificate.shortToken;
  for (const typed of [
    code.toLowerCase(),
    code.replaceAll('-', ''),
    ` ${code.replaceAll('-', ' ')} `,
    code.replaceAll('-', ' – '),
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
    code.replaceAll('1', 'I'),
  ])
    assert.equal((await gifts.post('/g', { code: typed })).status, 200, typed);
});

test('another site cannot post in the name of a visitor', async () => {
  const fields = { token: certificate.longToken };
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://elsewhere.example' },
    { Origin: 'nonsense' },
  ])
    for (const path of ['/g', '/g/look', '/g/claim', '/g/thanks', '/g/code']) {
      const { status } = await gifts.post(path, fields, headers as never);
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
    }
  assert.equal((await gifts.read(certificate)).state, 'ISSUED');
  for (const headers of [
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
    { Origin: service.url },
    { Origin: 'null' },
  ])
    assert.equal((await gifts.post('/g', fields, headers as never)).status, 200, JSON.stringify(headers));
});

test('bodies are bounded, and are forms or JSON', async () => {
  const send = (body: string, type: string) =>
    fetch(`${service.url}/g/look`, { method: 'POST', body, headers: { 'Content-Type': type } });
  assert.equal((await send(JSON.stringify({ token: certificate.longToken }), 'application/json')).status, 200);
  assert.equal((await send('{', 'application/json')).status, 400);
  assert.equal((await send('null', 'application/json')).status, 404);
  assert.equal((await send('token=x', 'text/plain')).status, 415);
  const large = await send(`token=${'x'.repeat(17_000)}`, 'application/x-www-form-urlencoded');
  assert.equal(large.status, 413);
  assert.match(await large.text(), /<h1[^>]*>We could not read this request</);
});

test('names and messages stay text on every page', async () => {
  const evil = `<img src=x onerror=alert(1)>"'&amp;`;
  const recipient = { email: 'evil@example.com', firstName: evil, lastName: evil };
  const one = await gifts.order({ message: evil, recipient });
  await service.database.query('update workspaces set brand_name = $1, gift_sentence = $1, reply_to = $2', [
    evil,
    'a&b@example.com',
  ]);
  const pages = [
    await gifts.post('/g/look', { token: one.longToken }),
    await gifts.post('/g', { token: one.longToken }),
  ];
  pages.push(await gifts.post('/g/claim', { token: one.longToken }));
  pages.push(await gifts.post('/g/thanks', { token: one.longToken, thanks: evil.repeat(30) }));
  pages.push(await gifts.post('/g/thanks', { token: one.longToken, thanks: evil }));
  await service.database.query('update workspaces set brand_name = null, gift_sentence = null, reply_to = null');
  for (const { text } of pages) {
    assert.equal(findMarkupFault(text), null);
    assert.doesNotMatch(text, /<img src=x/);
  }
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200, 400, 200],
  );
});

test('before a gift is known, the page speaks the language of the browser', async () => {
  const ask = async (languages: string, path = '/g') =>
    titleOf({ text: await (await fetch(service.url + path, { headers: { 'Accept-Language': languages } })).text() });
  assert.equal(await ask('fr-CA,fr;q=0.9,en;q=0.8'), 'Un cadeau vous attend');
  assert.equal(await ask('es-MX'), 'Tiene un regalo por abrir');
  assert.equal(await ask('ja'), 'You have a gift to open');
  assert.equal(await ask('fr', '/g?lang=es'), 'Tiene un regalo por abrir');
});
