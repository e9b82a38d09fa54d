import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { type Mutation, mutate } from './mutation.ts';
import { runTests, type TestRun } from './test-run.ts';

const folderPrefix = 'giftwire-mutations-';
const projectDir = join(import.meta.dirname, '../..');
// A broken program often makes a test wait for something that never comes.
const longestTestMs = 60_000;

/** A copy of the project in which programs may be broken. */
export interface Workshop {
  folder: string;
  remove(): Promise<void>;
}

export type Judgement =
  | { verdict: 'caught'; by: string[] }
  | { verdict: 'survived' }
  | { verdict: 'broken'; reason: string; lastLines: string[] }
  | { verdict: 'does not apply'; reason: string };

/** Sources are copied; packages, which nothing changes, are hard links where the disk allows. */
export async function openWorkshop(): Promise<Workshop> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const skipped = new Set(['node_modules', '.git', '.giftwire'].map((name) => join(projectDir, name)));
  await cp(projectDir, folder, { recursive: true, filter: (path) => !skipped.has(path) });
  const packages = [join(projectDir, 'node_modules'), join(folder, 'node_modules')];
  const copy = (flags: string) => promisify(execFile)('cp', [flags, ...packages]);
  await copy('-al').catch(() => copy('-R'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The copies of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** The file's text with the mutation in it, or why the project has no place for the mutation. */
export function apply(mutation: Mutation, folder = projectDir): { text: string } | { reason: string } {
  const path = join(folder, mutation.file);
  if (!existsSync(path)) return { reason: `${mutation.file} is no longer there` };
  const missing = mutation.caughtBy.find((one) => !existsSync(join(folder, 'test', one)));
  if (missing) return { reason: `test/${missing} is no longer there` };
  return mutate(mutation, readFileSync(path, 'utf8'));
}

/** Why a mutation cannot be tried, or null. */
export function unfit(mutation: Mutation): string | null {
  const result = check(apply(mutation));
  return 'reason' in result ? result.reason : null;
}

/** A program that cannot even be read fails every test, and shows nothing. */
function check(result: ReturnType<typeof apply>): ReturnType<typeof apply> {
  if ('reason' in result) return result;
  try {
    stripTypeScriptTypes(result.text);
    return result;
  } catch {
    return { reason: 'the mutated file is not valid TypeScript' };
  }
}

/** Applies one mutation, runs its tests until one fails, and puts the file back. */
export async function tryMutation({ folder }: Workshop, mutation: Mutation, signal: AbortSignal): Promise<Judgement> {
  const result = check(apply(mutation, folder));
  if ('reason' in result) return { verdict: 'does not apply', reason: result.reason };
  const path = join(folder, mutation.file);
  const original = readFileSync(path, 'utf8');
  await writeFile(path, result.text);
  try {
    return await judge(mutation, (run) => runTests(folder, run, signal));
  } finally {
    await writeFile(path, original);
  }
}

/** A run that breaks is not a test that notices: the mutation is only caught if another of its tests fails. */
async function judge(mutation: Mutation, runTest: (run: string[]) => Promise<TestRun>): Promise<Judgement> {
  let judgement: Judgement = { verdict: 'survived' };
  for (const run of runsOf(mutation)) {
    const { result, ...found } = await runTest(run);
    if ('tests' in found) return { verdict: 'caught', by: found.tests };
    if ('reason' in found) judgement = { verdict: 'broken', ...found };
  }
  return judgement;
}

/** What to run for a mutation, each as the arguments of Node. */
function runsOf({ caughtBy, only }: Mutation): string[][] {
  return caughtBy.map((file) => testRun(file, only));
}

/** The test runs of these mutations, each once: what is run without any mutation first. */
export function testRuns(mutations: readonly Mutation[]): string[][] {
  return [...new Map(mutations.flatMap(runsOf).map((run) => [run.join('\n'), run])).values()];
}

/** One file in a process of its own. All runs share the PostgreSQL of this program, so a run starts none. */
function testRun(file: string, only: string | undefined): string[] {
  const chosen = only === undefined ? [] : [`--test-name-pattern=${only.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`];
  return ['--test', `--test-timeout=${longestTestMs}`, ...chosen, join('test', file)];
}
