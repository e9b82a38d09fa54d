import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sdkTypes } from '../../scripts/sdk-types.ts';
import { readDocument } from '../support/openapi.ts';
import { projectDir } from '../support/process.ts';

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8');

test('the committed types of the SDK follow from openapi.json', async () => {
  const generated = sdkTypes((await readDocument()) as Parameters<typeof sdkTypes>[0]);
  assert.ok(read('sdk/src/generated.ts') === generated, 'run "npm run openapi" and commit the result');
});

test('every type, field, event, operation and query parameter of the SDK has a sentence', () => {
  for (const path of ['sdk/src/generated.ts', 'sdk/src/types.ts']) {
    const lines = read(path).split('\n');
    const declared = lines.flatMap((line, at) => {
      const isType = /^export (interface|type) \w/.test(line);
      // What an event is about is said of the event.
      const isOfEvent = /^export interface \w+Data /.test(line);
      const isField = /^( {2}| {6})['\w].*: /.test(line);
      return (isType && !isOfEvent) || isField ? [at] : [];
    });
    assert.ok(declared.length > 40);
    for (const at of declared) assert.match(lines[at - 1] as string, /\*\/$/, `${path}:${at + 1} ${lines[at]?.trim()}`);
  }
});

test('the type of every resource of the client is exported', () => {
  const client = read('sdk/src/giftwire.ts');
  const made = [...client.matchAll(/^ {2}readonly \w+ = new ([\w.]+)\(/gm)].map(([, name = '']) => name);
  assert.ok(made.length > 30);
  assert.deepEqual(
    made.filter((name) => !name.startsWith('resources.')),
    [],
  );
  assert.match(read('sdk/src/index.ts'), /^export type \* from '\.\/resources\.ts';$/m);
});
