import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { giftwire, projectDir } from '../support/process.ts';

const read = (file: string) => readFileSync(join(projectDir, file), 'utf8');
const json = (file: string) => JSON.parse(read(file));
const { version } = json('package.json') as { version: string };

test('the project has one version: packages, lockfile, OpenAPI and command line', async () => {
  const { packages, version: locked } = json('package-lock.json');
  const versions = {
    sdk: json('sdk/package.json').version,
    console: json('console/package.json').version,
    'the SDK that the command line asks for': json('package.json').devDependencies['@giftwire/sdk'],
    'the SDK that the console asks for': json('console/package.json').dependencies['@giftwire/sdk'],
    lockfile: locked,
    ...Object.fromEntries(['', 'sdk', 'console'].map((path) => [`${path} in the lockfile`, packages[path].version])),
    'openapi.json': json('openapi.json').info.version,
    '--version': (await giftwire(['--version'], {})).stdout.trim(),
  };
  for (const [where, found] of Object.entries(versions)) assert.equal(found, version, where);
  const packed = [...read('docs/deploy.md').matchAll(/giftwire-(\d[\d.]*\d)\.tgz/g)].map(([, named]) => named);
  assert.ok(packed.length > 0);
  for (const named of packed) assert.equal(named, version, 'docs/deploy.md names a packed file');
});

test('the version is that of the newest release of the changelog, or comes after it once the commit of that release is noted', () => {
  const newest = /^## (\d\S*)/m.exec(read('CHANGELOG.md'))?.[1] as string;
  const noted = json('test/upgrades/releases.json');
  if (version === newest) return assert.equal(noted[newest], undefined, 'npm run release -- <next version> --begin');
  assert.ok(version.localeCompare(newest, 'en', { numeric: true }) > 0, `${version} comes before ${newest}`);
  assert.match(noted[newest].commit, /^[0-9a-f]{40}$/);
});

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: projectDir, encoding: 'utf8', stdio: 'pipe' }).trim();
const hasHistory = existsSync(join(projectDir, '.git')) && git('rev-parse', '--is-shallow-repository') === 'false';

/** Tests run the program of the release before from there, and would only be skipped. */
test('each noted release is in the history of the repository', {
  skip: !hasHistory && 'the whole history is not here',
}, () => {
  for (const [noted, { commit }] of Object.entries<{ commit: string }>(json('test/upgrades/releases.json'))) {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    assert.equal(JSON.parse(git('show', `${commit}:package.json`)).version, noted);
  }
});

/** The names are not published yet: npm would fail, or run another program of that name. Delete this test when a release is published. */
test('no document installs or runs our packages by their names from npm', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'sdk/README.md', ...globSync('docs/**/*.md', { cwd: projectDir })];
  const byName =
    /npm (?:install|i) [^\n`]*(?<![\w./-])(?:@giftwire\/sdk|giftwire)(?![\w./-])|npx giftwire@|^npx giftwire serve/m;
  for (const path of documents) assert.doesNotMatch(read(path), byName, path);
});
