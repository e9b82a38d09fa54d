import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../src/console.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

await buildConsole();
const service = await startService();
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

const kilobyte = 1_000;
const mostOfFirstLoad = 300 * kilobyte;

test('pages are never kept, and their policy allows no inline script and only styles with the nonce of the page', async () => {
  const [first, second] = [await get('/'), await get('/w/1/gifts?state=FAILED')];
  for (const page of [first, second]) {
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('Cache-Control'), 'no-store');
  }
  const policy = first.headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']{20,}'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.notEqual(policy, second.headers.get('Content-Security-Policy'));
  assert.ok((await first.text()).includes(/nonce-([^']+)/.exec(policy)?.[1] ?? 'no nonce'));
});

test('assets are kept for good and travel compressed', async () => {
  const [, path = ''] = /src="([^"]+\.js)"/.exec(await (await get('/')).text()) ?? [];
  const asset = await get(path, { 'Accept-Encoding': 'gzip' });
  assert.equal(asset.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
  assert.equal(asset.headers.get('Content-Encoding'), 'gzip');
  assert.equal((await get('/console/asset/..%2Findex.html')).status, 404);
  assert.equal((await get('/console/asset/none.js')).status, 404);
});

test('the first load has at most 300 KB, as a browser counts what it got', needsBrowser, async () => {
  await service.finished((await service.create(anOrder())).body.requestId);
  const { page, open } = await openConsole(service);
  await open('/');
  await seen(page.getByRole('heading', { name: 'Recognition by week' }));
  const loaded = await page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => 'encodedBodySize' in entry)
      .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: Number(encodedBodySize) })),
  );
  const files = loaded.filter(({ name }) => !name.startsWith('/api/'));
  assert.ok(files.length > 3 && files.every(({ bytes }) => bytes > 0), JSON.stringify(files));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(
    total <= mostOfFirstLoad,
    `the first load has ${Math.round(total / kilobyte)} KB: ${JSON.stringify(files)}`,
  );
});
