import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  /** A package of this repository. */
  link?: boolean;
  hasInstallScript?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const manifest = read('package.json') as Record<string, Record<string, string | boolean>>;
const { '': root, ...locked } = (read('package-lock.json') as { packages: Record<string, Locked> }).packages;
const workspaces = manifest.workspaces as unknown as string[];
const packages = Object.fromEntries(
  Object.entries(locked).filter(([path, { link }]) => !link && !workspaces.includes(path)),
);
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];

test('every package that is asked for has one exact version', () => {
  for (const kind of kinds)
    for (const [name, version] of Object.entries(manifest[kind] ?? {}))
      assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} ${version}`);
});

test('the lockfile is of this manifest', () => {
  for (const kind of kinds)
    assert.deepEqual((root as unknown as Record<string, unknown>)[kind] ?? {}, manifest[kind] ?? {}, kind);
});

test('every package in the lockfile has a checksum, and no address of a registry', () => {
  assert.ok(Object.keys(packages).length > 100);
  for (const [path, { integrity, resolved }] of Object.entries(packages)) {
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.equal(resolved, undefined, path);
  }
});

test('a package of this repository is a link to its folder', () => {
  const links = Object.values(locked).filter(({ link }) => link);
  assert.deepEqual(links.map(({ resolved }) => resolved).sort(), workspaces.toSorted());
});

test('a package that wants to run a script when it is installed is named, with yes or no', () => {
  const asking = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = asking.map(([path]) => path.replace(/^.*node_modules\//, ''));
  const unnamed = names.filter((name) => manifest.allowScripts?.[name] === undefined);
  assert.deepEqual(unnamed, []);
});

test('every action of a workflow is named by its commit, and every image by its digest', () => {
  const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const workflows = globSync('.github/workflows/*.yml', { cwd: new URL('../..', import.meta.url) });
  assert.ok(workflows.length > 2);
  const uses = workflows.flatMap((file) => [...text(file).matchAll(/uses: (.*)/g)].map(([, action]) => action ?? ''));
  assert.ok(uses.length > 5);
  for (const action of uses) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const images = [...workflows, 'Dockerfile', 'compose.yaml'].flatMap((file) =>
    [...text(file).matchAll(/^ *(?:container: |image: |ARG BASE=)(.+)$/gm)].map(([, image]) => image ?? ''),
  );
  assert.ok(images.length >= 6);
  for (const image of images) if (image !== 'giftwire') assert.match(image, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});
