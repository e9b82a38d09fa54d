import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Mutation, mutate } from './mutation.ts';

const projectDir = join(import.meta.dirname, '../..');
const longestRunMs = 5 * 60_000;
// A broken program often makes a test wait for something that never comes.
const longestTestMs = 60_000;

/** A copy of the project in which programs may be broken. */
export interface Workshop {
  folder: string;
  remove(): Promise<void>;
}

export type Judgement = { verdict: 'caught'; by: string } | { verdict: 'survived' } | Unfit;
type Unfit = { verdict: 'does not apply'; reason: string };

/** Sources are copied; packages, which nothing changes, are hard links where the disk allows. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-mutations-'));
  const left = new Set(['node_modules', '.git', '.giftwire'].map((name) => join(projectDir, name)));
  await cp(projectDir, folder, { recursive: true, filter: (path) => !left.has(path) });
  const packages = [join(projectDir, 'node_modules'), join(folder, 'node_modules')];
  const copy = (flags: string) => promisify(execFile)('cp', [flags, ...packages]);
  await copy('-al').catch(() => copy('-R'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Why a mutation cannot be tried, or null. */
export function unfit(mutation: Mutation, folder = projectDir): string | null {
  const path = join(folder, mutation.file);
  if (!existsSync(path)) return `${mutation.file} is no longer there`;
  const missing = mutation.caughtBy.find((one) => typeof one === 'string' && !existsSync(join(folder, 'test', one)));
  if (missing) return `test/${missing} is no longer there`;
  const result = mutate(mutation, readFileSync(path, 'utf8'));
  if ('reason' in result) return result.reason;
  try {
    // A program that cannot even be read fails every test, and shows nothing.
    stripTypeScriptTypes(result.text);
    return null;
  } catch {
    return 'the mutated file is not valid TypeScript';
  }
}

/** Applies one mutation, runs its tests until one fails, and puts the file back. */
export async function tryMutation({ folder }: Workshop, mutation: Mutation, signal: AbortSignal): Promise<Judgement> {
  const reason = unfit(mutation, folder);
  if (reason !== null) return { verdict: 'does not apply', reason };
  const path = join(folder, mutation.file);
  const original = readFileSync(path, 'utf8');
  const result = mutate(mutation, original) as { text: string };
  await writeFile(path, result.text);
  try {
    for (const run of runsOf(mutation)) {
      const failure = await failuresOf(folder, run, signal);
      if (failure !== null) return { verdict: 'caught', by: failure };
    }
    return { verdict: 'survived' };
  } finally {
    await writeFile(path, original);
  }
}

/** What to run for a mutation, each as the arguments of Node. */
function runsOf({ caughtBy, only }: Mutation): string[][] {
  return caughtBy.map((one) => (typeof one === 'string' ? testRun(one, only) : faultRun(one.fault)));
}

/** The test runs of these mutations, each once: what is run without any mutation first. */
export function testRuns(mutations: readonly Mutation[]): string[][] {
  const runs = mutations.flatMap(({ caughtBy, ...one }) =>
    runsOf({ ...one, caughtBy: caughtBy.filter((by) => typeof by === 'string') }),
  );
  return [...new Map(runs.map((run) => [run.join('\n'), run])).values()];
}

/** With the flags of `npm test`, read from there, but for the PostgreSQL: all runs share the one of this program. */
function testRun(file: string, only: string | undefined): string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  const [, flags] = / node (--test .*) '/.exec(scripts.test) ?? [];
  if (!flags)
    throw new Error('the script "test" in package.json has no "node --test … \'files\'" to take the flags of');
  const own = flags.split(' ').filter((flag) => !/^--test-(global-setup|timeout)=/.test(flag));
  const chosen = only === undefined ? [] : [`--test-name-pattern=${only.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`];
  return [...own, `--test-timeout=${longestTestMs}`, ...chosen, join('test', file)];
}

function faultRun(name: string): string[] {
  return ['test/faults/run.ts', '--only', name, '--seed', '1'];
}

/** Null where all passes, else the names of the tests that failed: a reader sees whether the right one noticed. */
export async function failuresOf(folder: string, args: string[], signal: AbortSignal): Promise<string | null> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, to be ended as a whole: a service that hangs would keep its output open.
    detached: true,
  });
  const end = () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)]);
  bounded.addEventListener('abort', end, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  bounded.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (code === 0) return null;
  const failed = output.matchAll(/^\s*✖ (?!failing tests)(.+?)(?: \([\d.]+ms\))?$/gm);
  const names = [...new Set([...failed].map(([, name]) => name))];
  return names.join('", "') || (code === null ? 'a run that does not end' : `exit code ${code}`);
}
