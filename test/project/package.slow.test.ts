import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { findNode, install, packProject, unpack, upgrade } from '../support/packed.ts';
import { type Process, postmasterPid, projectDir, serveWith } from '../support/process.ts';
import { completedBy, orderFrom } from '../support/running.ts';

const { tarball, packed } = await packProject();
const unpacked = unpack(tarball);
// Before the first test, because a file whose tests have all ended is over.
const folder = join(tarball, '..', 'an empty folder');
mkdirSync(folder);
const away = await install(tarball, folder);
const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
/** The names in `… from '…'`, `import '…'` and `import('…')`. */
const importsOf = /(?:^(?:import|export|\}).* from |^import |\bimport\()'([^'\s]+)'/gm;
const textsOf = (folder: string) =>
  globSync('**/*.{js,json,md,sql,css,html}', { cwd: folder }).map((path) => ({
    path,
    text: readFileSync(join(folder, path), 'utf8'),
  }));

test('the packed file has what the service runs on, and is small', () => {
  assert.ok(packed.size <= 2_300_000, `${packed.size} bytes`);
  const paths = packed.files.map(({ path }) => path);
  const expected =
    /^(bin\/giftwire\.js|(dist|console\/dist|docs|deploy)\/.+|(README|CHANGELOG|SECURITY)\.md|LICENSE|(openapi|package)\.json)$/;
  assert.deepEqual(
    paths.filter((path) => !expected.test(path) || /\.(ts|tsx|map)$/.test(path)),
    [],
  );
  for (const path of globSync('src/**/*.{sql,sha256,css,js}', { cwd: projectDir }))
    assert.ok(paths.includes(path.replace('src/', 'dist/')), path);
});

test('no file of it names a folder of the machine that made it, or a registry', () => {
  const told = [projectDir, homedir(), execFileSync('npm', ['config', 'get', 'registry']).toString().trim()]
    .map((place) => place.replace(/\/+$/, ''))
    .filter((place) => place.length > 5);
  for (const { path, text } of textsOf(unpacked))
    assert.equal(
      told.find((place) => text.includes(place)),
      undefined,
      path,
    );
});

test('npm runs nothing of it when it is installed, and finds all it depends on in a registry', () => {
  for (const script of ['preinstall', 'install', 'postinstall']) assert.equal(manifest.scripts[script], undefined);
  assert.equal(manifest.private, undefined);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    assert.ok(!name.startsWith('@giftwire/'), `${name} is of this repository`);
});

test('each file of it imports only what npm installs with it, what Node has, or another file of it', () => {
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  for (const path of globSync('{bin,dist}/**/*.js', { cwd: unpacked }))
    for (const [, name = ''] of readFileSync(join(unpacked, path), 'utf8').matchAll(importsOf)) {
      if (name.startsWith('.')) assert.ok(existsSync(join(unpacked, dirname(path), name)), `${path}: ${name}`);
      else if (!isBuiltin(name))
        assert.ok(
          installed.some((one) => name === one || name.startsWith(`${one}/`)),
          `${path}: ${name}`,
        );
    }
});

test('publint and Are The Types Wrong find nothing: it is a program, and nothing of it can be imported', async () => {
  const bytes = readFileSync(tarball);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  assert.deepEqual((await publint({ pack: { tarball: file } })).messages, []);
  assert.equal((await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)))).types, false);
});

const home = join(tarball, '..', 'home');
const dataDir = join(home, 'giftwire');
const [old, current] = [findNode(20, 22), findNode(24, 25, 26)];
/** Started by root, the service runs as an ordinary user, who may not write to the package. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
mkdirSync(home);
if (user.uid !== undefined) chownSync(home, user.uid, user.gid);
cleanUp(async () => {
  const pid = await postmasterPid(dataDir);
  if (pid !== null) process.kill(pid, 'SIGQUIT');
});

/** As `npx giftwire serve` in that folder. */
const serveInstalled = (node: string): Promise<Process> =>
  serveWith(node, join(folder, 'node_modules/.bin/giftwire'), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: home, XDG_DATA_HOME: home, PORT: '0' },
    ...user,
  });

const filesOfPackage = () => globSync('**', { cwd: join(folder, 'node_modules/giftwire') }).sort();
const skip = away ?? (old === null && 'there is no Node 20 or 22 on this machine');
let first: { token: string; requestId: string } | undefined;

test('installed in an empty folder, it runs on an old Node, by the Node that came with it', { skip }, async () => {
  const before = filesOfPackage();
  const service = await serveInstalled(old as string);
  const token = String(service.ready.token);
  const requestId = await orderFrom({ url: service.url, token });
  await completedBy({ url: service.url, token }, requestId);
  for (const path of ['/', '/docs', '/docs/guide/retries', '/openapi.json', '/g', '/health/ready'])
    assert.equal((await fetch(service.url + path)).status, 200, path);
  const { code, stderr } = await service.end('SIGTERM');
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.deepEqual(filesOfPackage(), before, 'nothing is written inside of the package');
  assert.ok(readFileSync(join(dataDir, 'token-key')), 'data is in the folder for data of the user');
  first = { token, requestId };
});

test('data survives an upgrade, and a current Node gets the flags of V8', { skip: away ?? false }, async () => {
  upgrade(tarball, folder);
  const cli = [join(folder, 'node_modules/.bin/giftwire'), '--version'];
  assert.equal(execFileSync(current as string, cli, { encoding: 'utf8' }).trim(), '999.0.0');
  const service = await serveInstalled(current as string);
  const commandLine = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0');
  for (const flag of manifest.config.v8.split(' ')) assert.ok(commandLine.includes(flag), flag);
  if (first) await completedBy({ url: service.url, token: first.token }, first.requestId);
  assert.equal((await service.end('SIGTERM')).code, 0);
  await eventually(async () => (await postmasterPid(dataDir)) === null);
});
