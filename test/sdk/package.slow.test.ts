import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { projectDir } from '../support/process.ts';
import { installPacked, packSdk } from '../support/sdk-package.ts';

const { tarball, packed } = packSdk();
const folder = installPacked(tarball);

test('the packed file is small, has nothing but its own files, and depends on nothing', () => {
  assert.ok(packed.size <= 160_000, `${packed.size} bytes`);
  const others = packed.files.filter(
    ({ path }) => !/^(LICENSE|README\.md|(cjs\/)?package\.json)$|\.(js|d\.ts)$/.test(path),
  );
  assert.deepEqual(others, []);
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@giftwire/sdk/package.json'), 'utf8'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies', 'private'])
    assert.equal(manifest[kind], undefined, kind);
});

test('publint finds nothing', async () => {
  const bytes = readFileSync(tarball);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  assert.deepEqual((await publint({ pack: { tarball: file } })).messages, []);
});

test('the types are right for every kind of import', async () => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  assert.ok(result.types !== false, 'it has no types');
  assert.deepEqual(result.problems, []);
});

test('a CommonJS program requires it, and compiles against its types', () => {
  const text = `
    const { Giftwire, GiftwireError } = require('@giftwire/sdk');
    const giftwire = new Giftwire({ url: 'https://gifts.example.com', workspace: 1 });
    console.log(typeof giftwire.orders.create, GiftwireError.name);`;
  writeFileSync(join(folder, 'program.cjs'), text);
  const args = ['--no-experimental-require-module', 'program.cjs'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, 'function GiftwireError\n', stderr);
  const typed = `import sdk = require('@giftwire/sdk');
    export const giftwire: sdk.Giftwire = new sdk.Giftwire({ url: 'https://gifts.example.com', workspace: 1 });
    // @ts-expect-error: a url is a text.
    new sdk.Giftwire({ url: 5, workspace: 1 });`;
  compile({ 'program.cts': typed }, browserTypes);
});

const tsc = join(projectDir, 'node_modules/typescript/bin/tsc');
const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipDefaultLibCheck'];
const target = ['--target', 'es2022', '--module', 'nodenext'];
const browserTypes = ['--lib', 'es2022,dom,dom.iterable', '--types', ''];
const nodeTypes = ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(projectDir, 'node_modules/@types')];

function compile(files: Record<string, string>, types: string[]): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = [tsc, ...strict, ...target, ...types, ...Object.keys(files)];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

test('a program compiles against it with the types of browsers alone', () => {
  compile({ 'program.ts': program }, browserTypes);
});

test('so it does with the types of Node alone, as do the examples of its README', () => {
  const readme = readFileSync(join(folder, 'node_modules/@giftwire/sdk/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example);
  assert.equal(examples.length, 6);
  const client = "declare const giftwire: import('@giftwire/sdk').Giftwire;\nexport {};\n";
  const files = examples.map((text, nth) => [`example${nth}.ts`, /const giftwire =/.test(text) ? text : client + text]);
  compile({ 'program.ts': program, ...Object.fromEntries(files) }, nodeTypes);
});

const program = `
  import { Giftwire, GiftwireError, type Member } from '@giftwire/sdk';
  const giftwire = new Giftwire({ url: 'https://gifts.example.com', token: 'gw_live_…', workspace: 1 });
  const recipient = { email: 'ada@example.com' };
  const { requestId } = await giftwire.orders.create({ currency: 'CAD', orderItems: [{ message: 'Hi', amount: 5, recipient }] });
  export const { certificates: [gift] } = await giftwire.orders.waitFor(requestId, { signal: AbortSignal.timeout(5_000) });
  export const token: string | undefined = gift?.shortToken;
  export const everybody: Member[] = [];
  for await (const member of giftwire.members.all({ department: 'Sales' })) everybody.push(member);
  for await (const event of giftwire.events.stream({ after: 0 }))
    if (event.type === 'order.completed') event.data.total.toFixed();
    // @ts-expect-error: other types have no total.
    else event.data.total;
  // @ts-expect-error: an amount is a number.
  await giftwire.orders.create({ currency: 'CAD', orderItems: [{ message: 'Hi', amount: '5', recipient }] });
  export const isFault = (error: unknown) => error instanceof GiftwireError && error.fields.length > 0;
`;
