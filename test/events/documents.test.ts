import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { signedHeaders } from '../../src/company/events/webhooks/signature.ts';
import { eventTypeNames } from '../../src/ground/contract/event.ts';
import { projectDir } from '../support/process.ts';

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8');
const page = read('docs/events.md');

test('the lines of docs/events.md verify a signature, and refuse others', async () => {
  const [source] = [...page.matchAll(/```js\n(.*?)```/gs)]
    .map(([, text]) => text)
    .filter((text) => text?.includes('isGenuine'));
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source as string)}`);
  const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const shown = `whsec_${secret.toString('base64')}`;
  const signed = (secrets: Buffer[], at = new Date()) =>
    signedHeaders(
      secrets.map((one) => createSecretKey(one)),
      'evt_1_1',
      '{}',
      at,
    );
  assert.equal(isGenuine(shown, signed([secret]), '{}'), true);
  assert.equal(isGenuine(shown, signed([other, secret]), '{}'), true, 'during a rotation');
  assert.equal(isGenuine(shown, signed([other]), '{}'), false);
  assert.equal(isGenuine(shown, signed([secret]), '{ }'), false);
  assert.equal(isGenuine(shown, signed([secret], new Date(Date.now() - 600_000)), '{}'), false, 'an old request');
});

test('the documents name every type of event', () => {
  for (const path of ['docs/events.md', 'docs/guide/events.md'])
    for (const type of eventTypeNames) assert.ok(read(path).includes(`\`${type}\``), `${path} lacks ${type}`);
});
