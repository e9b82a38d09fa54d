import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { startService } from '../support/service.ts';

const service = await startService();
const document = (await service.call('/openapi.json', { token: null, workspace: null })).body;

test('the OpenAPI document is public and of version 3.1', () => {
  assert.equal(document.openapi, '3.1.0');
});

test('who has the document already is told so, at each of its addresses', async () => {
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
    config: await createConfig({ extends: ['recommended'] }),
  });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  );
});

test('the document is clean under the recommended rules of Spectral', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] });
  const problems = await spectral.run(JSON.stringify(document));
  assert.deepEqual(
    problems.map(({ code, message, path }) => [code, message, path.join('.')]),
    [],
  );
});

test('the committed copy is what the service serves', async () => {
  const committed = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
  assert.deepEqual(document, committed, 'run "npm run openapi" and commit the result');
});
