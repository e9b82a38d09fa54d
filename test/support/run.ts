import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { buildConsole } from '../../src/console.ts';
import { globalSetup, globalTeardown } from './postgres.ts';

// Runs all test files, or those that are named, in a few processes. Each of these lanes runs many files, because loading and compiling the
// service for one file alone takes more processor time than most files need for their tests.

/** More than a small machine has cores: tests wait for much. */
const lanes = 3;
const longestTestMs = 240_000;

const named = process.argv.slice(2);
const files = (named.length > 0 ? named : globSync('test/**/*.test.ts').sort()).map((path) => resolve(path));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());

// Once and before all tests: a build that replaces another takes the files away from a browser that is loading them.
await buildConsole();
await globalSetup();
const claims = await mkdtemp(join(tmpdir(), 'giftwire-lanes-'));
try {
  await runLanes();
} finally {
  await rm(claims, { recursive: true });
  await globalTeardown();
}

async function runLanes(): Promise<void> {
  const events = run({
    files: Array.from({ length: Math.min(lanes, files.length) }, () => join(import.meta.dirname, 'lane.ts')),
    argv: [claims, ...browsersFirst(files)],
    concurrency: lanes,
    timeout: longestTestMs,
    signal: stopping.signal,
  });
  events.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
  for await (const text of events.compose(spec())) process.stdout.write(text);
}

function browsersFirst(paths: string[]): string[] {
  const opensBrowser = (path: string) => /support\/(browser|console)\.ts/.test(readFileSync(path, 'utf8'));
  return [...paths.filter(opensBrowser), ...paths.filter((path) => !opensBrowser(path))];
}
