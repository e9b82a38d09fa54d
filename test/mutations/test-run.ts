import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Finding } from './reporter.ts';

const longestRunMs = 5 * 60_000;

/** Only `failed` says that a test has noticed something; a broken run says nothing about the program's promises. */
export type TestRun =
  | { result: 'passed' }
  | { result: 'failed'; tests: string[] }
  | { result: 'broken'; reason: string; lastLines: string[] };

/** Runs tests in a folder. A broken run is tried once more: the machine may have been short of something. */
export async function runTests(folder: string, args: string[], signal: AbortSignal): Promise<TestRun> {
  const first = await runOnce(folder, args, signal);
  return first.result === 'broken' ? runOnce(folder, args, signal) : first;
}

async function runOnce(folder: string, args: string[], signal: AbortSignal): Promise<TestRun> {
  const findingsFile = join(folder, 'findings.jsonl');
  await rm(findingsFile, { force: true });
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(folder, 'test/mutations/reporter.ts')}`,
    `--test-reporter-destination=${findingsFile}`,
  ];
  const { code, output } = await runNode(folder, [...reporters, ...args], signal);
  signal.throwIfAborted();
  const findings = await readFindings(findingsFile);
  const failed = findings.filter(({ kind }) => kind === 'failed');
  if (failed.length > 0) return { result: 'failed', tests: [...new Set(failed.map(({ test }) => test))] };
  if (code === 0 && findings.length > 0) return { result: 'passed' };
  return { result: 'broken', reason: explain(code, findings), lastLines: output.trimEnd().split('\n').slice(-20) };
}

async function readFindings(file: string): Promise<Finding[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line.endsWith('}'));
  return lines.map((line) => JSON.parse(line));
}

function explain(code: number | null, findings: Finding[]): string {
  const broken = findings.filter(({ kind }) => kind === 'broken');
  if (code === null) return `it did not end within ${longestRunMs / 60_000} minutes`;
  if (broken.length > 0) return `it could not run ${broken.map(({ test }) => `"${test}"`).join(', ')}`;
  return code === 0 ? 'no test has the name that it asks for' : `exit code ${code} without a failed test`;
}

async function runNode(folder: string, args: string[], signal: AbortSignal) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      // A property that tries few cases may miss the mistake.
      GIFTWIRE_TEST_RUNS: '1',
      ...env,
      // In the copy, because the code of a file is kept under its path.
      NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/giftwire-test'),
      PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${env.PATH}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, to be ended as a whole: a service that hangs would keep its output open.
    detached: true,
  });
  const end = () => endGroup(child.pid);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)]);
  bounded.addEventListener('abort', end, { once: true });
  const closed = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  bounded.removeEventListener('abort', end);
  // Services that a crashed test file has left behind.
  end();
  return { code, output: stdout + stderr };
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
