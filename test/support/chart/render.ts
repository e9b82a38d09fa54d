import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Not from process.ts, which needs a test that runs. */
const projectDir = join(import.meta.dirname, '../../..');
const chart = join(projectDir, 'deploy/chart');
const renderer = join(import.meta.dirname, 'render.go');
/** Debian's packages of Go's libraries are here, without modules. */
const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };

/** Why the chart cannot be rendered on this machine, or false. */
export function cannotRender(): string | false {
  const found = spawnSync('go', ['list', 'github.com/Masterminds/sprig', 'gopkg.in/yaml.v3'], { env });
  return found.status !== 0 && 'Go, sprig and yaml.v3 are not on this machine';
}

export class ChartError extends Error {}

/** Renders the chart with the values of a file, or with given ones. */
export function renderChart(values: string | object): string {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-chart-'));
  try {
    const file = typeof values === 'string' ? values : join(folder, 'values.yaml');
    if (typeof values !== 'string') writeFileSync(file, stringify(values));
    const { status, stdout, stderr } = spawnSync('go', ['run', renderer, chart, file, 'giftwire'], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new ChartError(stderr);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The plain manifests: what deploy/kubernetes.yaml contains. */
export function renderManifests(): string {
  const rendered = renderChart(join(projectDir, 'deploy/kubernetes.values.yaml'));
  const head = `# Giftwire on Kubernetes without Helm: docs/deploy.md says what to change and in which order to apply it. Rendered from deploy/chart by \`npm run chart\`.\n`;
  return head + rendered.replaceAll(/ +$/gm, '').replaceAll('managed-by: Helm', 'managed-by: kubectl');
}

/** Compiles a TypeScript file: returns what the compiler says, empty if nothing. */
export function compile(source: string): string {
  const file = join(projectDir, `test/support/chart/rendered-${process.pid}.ts`);
  writeFileSync(file, source);
  try {
    execFileSync(
      join(projectDir, 'node_modules/.bin/tsc'),
      ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig', file],
      { cwd: projectDir, encoding: 'utf8' },
    );
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  } finally {
    rmSync(file);
  }
}
