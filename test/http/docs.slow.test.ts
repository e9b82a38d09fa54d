import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guideSlugs } from '../../src/doors/http/areas/docs/guide.ts';
import { findMarkupFault } from '../support/markup.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const read = (path: string, init: RequestInit = {}) => fetch(service.url + path, { headers: browser, ...init });

const { paths } = (await service.call('/openapi.json')).body as {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

/** The address and text of every page that can be reached from the first one. */
const pages = await walk();

async function walk(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const answer = await read(path);
    assert.equal(answer.status, 200, path);
    const text = await answer.text();
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    found.set(path, text);
    waiting.push(...linksOf(text).map((link) => new URL(link, service.url + path).pathname));
  }
  return found;
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link]) => link as string);
}

function idsOf(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id as string);
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

test('the guide and the reference are reached from the first page', () => {
  const tags = new Set(operations.map(({ tags: [tag = ''] }) => slugOf(tag)));
  const expected = [
    '/docs',
    ...guideSlugs.map((slug) => `/docs/guide/${slug}`),
    ...[...tags].map((tag) => `/docs/reference/${tag}`),
  ];
  assert.deepEqual([...pages.keys()].sort(), expected.sort());
});

test('every page in docs/guide is part of the guide', () => {
  const files = readdirSync(join(import.meta.dirname, '../../docs/guide'));
  assert.deepEqual(files.sort(), guideSlugs.map((slug) => `${slug}.md`).sort());
});

test('every operation has a section with its request, its answer and a form to try it', () => {
  for (const { operationId, tags } of operations) {
    const page = pages.get(`/docs/reference/${slugOf(tags[0] ?? '')}`) ?? '';
    const section = page.split('<section ').find((one) => one.includes(`id="${operationId}"`)) ?? '';
    for (const part of [
      tags[0] === 'Me' ? 'Any token may call it.' : 'A token needs the scope <code>',
      '<figcaption>Request',
      'class="code answer"',
      '<form data-method=',
    ])
      assert.ok(section.includes(part), `${operationId} has no ${part}`);
    assert.doesNotMatch(section, /undefined|\[object Object\]|needs the scope <code><\/code>/, operationId);
  }
});

test('every link leads to a place that exists, and to no other site', () => {
  for (const [path, text] of pages)
    for (const link of linksOf(text)) {
      const { origin, pathname, hash } = new URL(link, service.url + path);
      assert.equal(origin, service.url, `${path} links to ${link}`);
      const target = pages.get(pathname);
      if (hash !== '') assert.ok(target && idsOf(target).includes(hash.slice(1)), `${path} links to ${link}`);
    }
});

test('the pages are well-formed, with one main heading and no id twice', () => {
  for (const [path, text] of pages) {
    assert.equal(findMarkupFault(text), null, path);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, path);
    const ids = idsOf(text);
    assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`);
    for (const [, label] of text.matchAll(/<label for="([^"]+)"/g)) assert.ok(ids.includes(label as string), path);
  }
});

test('the pages need no inline style and no inline script, and the policy allows none', async () => {
  for (const [path, text] of pages) assert.doesNotMatch(text, /\sstyle=|<style|\son\w+="|<script(?![^>]* src=)/, path);
  for (const path of [...pages.keys(), '/docs/look.css', '/docs/docs.css', '/docs/docs.js', '/docs/icon.svg']) {
    const policy = (await read(path)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /, path);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/, path);
  }
});

test('a reader who has a page already is told so', async () => {
  for (const path of ['/docs', '/docs/guide/errors', '/docs/reference/orders', '/docs/docs.css', '/docs/docs.js']) {
    const first = await read(path);
    const tag = first.headers.get('etag') as string;
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    const again = await read(path, { headers: { ...browser, 'If-None-Match': tag } });
    assert.deepEqual([again.status, await again.text()], [304, ''], path);
  }
});

test('the document and its pages are compressed for clients that ask for it, and each form has its own tag', async () => {
  for (const path of [
    '/openapi.json',
    '/docs/json',
    '/docs/yaml',
    '/docs',
    '/docs/reference/orders',
    '/docs/docs.css',
  ]) {
    const get = (headers: Record<string, string>) => read(path, { headers: { ...browser, ...headers } });
    const plain = await get({ 'Accept-Encoding': 'identity' });
    const text = await plain.text();
    assert.deepEqual(
      [plain.headers.get('content-encoding'), plain.headers.get('vary')],
      [null, 'Accept-Encoding'],
      path,
    );
    const tags = new Set([plain.headers.get('etag')]);
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const packed = await get({ 'Accept-Encoding': accepted });
      assert.equal(packed.headers.get('content-encoding'), encoding, path);
      assert.equal(await packed.text(), text);
      const tag = packed.headers.get('etag') as string;
      tags.add(tag);
      const again = await get({ 'Accept-Encoding': accepted, 'If-None-Match': `"other", W/${tag}` });
      assert.deepEqual([again.status, await again.text()], [304, ''], path);
    }
    assert.equal(tags.size, 3, path);
  }
});

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['/docs', '/docs/', '/docs/guide/errors', '/docs/docs.css']) {
    const [get, head] = [await read(path), await read(path, { method: 'HEAD' })];
    assert.deepEqual([head.status, head.headers.get('etag')], [200, get.headers.get('etag')], path);
    assert.equal(await head.text(), '');
  }
});

test('an address without a page is a 404: a page for a browser, three fields for others', async () => {
  for (const path of ['/docs/nothing', '/docs/guide', '/docs/guide/first-gift.md', '/docs/assets/docs.css']) {
    const page = await read(path);
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    assert.match(await page.text(), /<h1>No page here<\/h1>/);
    const { status, body } = await service.call(path, { token: null, workspace: null });
    assert.deepEqual([status, Object.keys(body)], [404, ['status', 'message', 'type']], path);
  }
});

test('the reference page serves everything it loads and may load nothing from elsewhere', async () => {
  const page = await fetch(`${service.url}/docs`, { redirect: 'follow' });
  const html = await page.text();
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:/);
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
  assert.ok(assets.some((asset) => asset.endsWith('.js')) && assets.some((asset) => asset.endsWith('.css')));
  for (const asset of assets) {
    const address = new URL(asset, page.url);
    assert.equal(address.origin, service.url);
    assert.equal((await fetch(address)).status, 200, asset);
  }
});
