import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Runs the test of the SDK on every runtime that it is made for. The runtimes come from npm into a folder of their own, which is
 * removed at the end; what npm does not have for this machine is left out, and said.
 */
const { platform, arch } = process;
const libc = platform === 'linux' ? '-glibc' : '';
const runtimes = [
  { name: 'Node 20', asked: `node-${platform}-${arch}@20`, folder: `node-${platform}-${arch}/bin` },
  { name: 'Node 22', asked: `node-${platform}-${arch}@22`, folder: `node-${platform}-${arch}/bin` },
  bun(`@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`),
  // Its newest version lacks some platforms now and then.
  { name: 'Deno', asked: `@deno/${platform}-${arch}${libc}`, folder: `@deno/${platform}-${arch}${libc}` },
];

function bun(asked: string) {
  return { name: 'Bun', asked, folder: `${asked}/bin` };
}

const home = mkdtempSync(join(tmpdir(), 'giftwire-runtimes-'));
try {
  const folders = runtimes.flatMap(fetchRuntime);
  const flags = ['--test', '--test-timeout=240000', '--test-global-setup=test/support/postgres.ts'];
  const { status } = spawnSync(process.execPath, [...flags, 'test/sdk/runtimes.slow.test.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, SDK_RUNTIMES: folders.join(delimiter) },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Nothing is run on the way: these packages are the binaries themselves. */
function fetchRuntime({ name, asked, folder }: { name: string; asked: string; folder: string }): string[] {
  const into = mkdtempSync(join(home, 'runtime-'));
  writeFileSync(join(into, 'package.json'), '{}');
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', asked], {
      cwd: into,
      stdio: 'pipe',
    });
    return [join(into, 'node_modules', folder)];
  } catch {
    console.log(`${name} is left out unless this machine has it: npm has no ${asked}.`);
    return [];
  }
}
