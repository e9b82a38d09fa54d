import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the project the version of a release: `npm run release -- 0.8.0`. What is unreleased in CHANGELOG.md becomes that release. The database
 * that the test of upgrades begins with is recorded by scripts/record-release.ts.
 *
 * After the release, `npm run release -- 0.9.0 --begin` notes its commit in test/upgrades/releases.json, and raises the version: what comes then is
 * another version, and its database is not the release's.
 */
const [version = '', begin] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(root, file), text);

if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('name the version: npm run release -- 0.8.0');
const { version: before } = JSON.parse(read('package.json'));
for (const file of ['package.json', 'sdk/package.json', 'console/package.json', 'package-lock.json']) setVersion(file);
write('docs/deploy.md', read('docs/deploy.md').replaceAll(`giftwire-${before}.tgz`, `giftwire-${version}.tgz`));
for (const file of ['deploy/chart/Chart.yaml', 'deploy/kubernetes.yaml'])
  write(file, read(file).replaceAll(before, version).replaceAll(dashed(before), dashed(version)));
if (begin === '--begin') noteCommit();
else cutChangelog();
execFileSync('npm', ['run', 'openapi'], { cwd: root, stdio: 'inherit' });

/** As names of Kubernetes objects have it. */
function dashed(text: string): string {
  return text.replaceAll('.', '-');
}

/** Only the versions of our own packages are as written here: those of others stand beside other names. */
function setVersion(file: string): void {
  const own = new RegExp(`("name": "(?:giftwire|@giftwire/\\w+)",\\s+"version": |"@giftwire/sdk": )"${before}"`, 'g');
  write(file, read(file).replace(own, `$1"${version}"`));
}

function cutChangelog(): void {
  const migration = globSync('src/ground/database/migrations/*.sql', { cwd: root }).sort().at(-1);
  const schema = /(\d{4})_/.exec(migration ?? '')?.[1];
  const today = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n## ${version} – ${today}, schema ${schema}\n`;
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', heading));
}

function noteCommit(): void {
  const file = 'test/upgrades/releases.json';
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  write(file, `${JSON.stringify({ ...JSON.parse(read(file)), [before]: { commit } }, null, 2)}\n`);
}
