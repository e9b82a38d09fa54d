import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { cleanUp } from './cleanup.ts';
import { type Env, type Outcome, runInTurn } from './commands-in-turn.ts';
import { eventually } from './eventually.ts';

export const projectDir = fileURLToPath(new URL('../..', import.meta.url));
export const program = join(projectDir, 'bin/giftwire.js');

/** Where Node keeps compiled code, as in the test script of package.json: without it, each process compiles everything. */
const compileCache = join(projectDir, 'node_modules/.cache/giftwire-test');

/** The service as a process of its own. */
export interface Process {
  pid: number;
  url: string;
  /** The log entry that says that it is ready. */
  ready: Record<string, string | number | undefined>;
  /** Everything it has written to stdout. */
  output(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Outcome>;
}

/** An environment without any Giftwire setting, plus what a test adds. */
export function shellEnv(env: Env): Env {
  const { PATH = '', HOME = tmpdir(), NODE_OPTIONS = '' } = process.env;
  return { PATH, HOME, NODE_OPTIONS, NODE_COMPILE_CACHE: compileCache, ...env };
}

export function runProgram(command: string, args: string[], env: Env, input?: string): Promise<Outcome> {
  return outcome(spawn(command, args, { cwd: projectDir, env: shellEnv(env) }), input);
}

/** Runs one `giftwire` command to its end: the next one of the process that commands share. */
export function giftwire(args: string[], env: Env): Promise<Outcome> {
  return runInTurn(args, shellEnv(env));
}

/** The same as a process of its own, for what a process promises: how it starts and ends, and what it leaves running. */
export function giftwireProcess(args: string[], env: Env, input?: string): Promise<Outcome> {
  return runProgram(process.execPath, [program, ...args], env, input);
}

/** Starts `giftwire serve` on a free port and waits until it is ready. It has its flags at once, so that Node starts only once. */
export async function serve(env: Env, launcher = program): Promise<Process> {
  const flags = packageJson.config.v8.split(' ');
  return serveWith(process.execPath, launcher, { cwd: projectDir, env: shellEnv({ PORT: '0', ...env }), flags });
}

/** The same on a Node of its own, in another folder, as another user. */
export async function serveWith(
  node: string,
  launcher: string,
  { flags = [], ...options }: { cwd: string; env: Env; uid?: number; gid?: number; flags?: string[] },
): Promise<Process> {
  const child = spawn(node, [...flags, launcher, 'serve'], { ...options, stdio: 'pipe' });
  cleanUp(async () => child.kill('SIGKILL'));
  const ended = outcome(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const ready = await new Promise<Process['ready']>((resolve, reject) => {
    child.stdout.on('data', () => {
      const line = output.split('\n').find((one) => one.includes('Giftwire is ready.') && one.endsWith('}'));
      if (line) resolve(JSON.parse(line));
    });
    ended.then((end) => reject(new Error(`the service has ended: ${JSON.stringify(end)}`)), reject);
  });
  return {
    pid: child.pid as number,
    url: ready.address as string,
    ready,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** A data folder with a space in its name. An embedded server that is left running ends with the tests. */
export async function makeDataDir(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'giftwire with spaces '));
  const dataDir = join(parent, 'data');
  cleanUp(async () => {
    const pid = await postmasterPid(dataDir);
    if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    await eventually(async () => pid === null || !isAlive(pid));
    await rm(parent, { recursive: true, force: true });
  });
  return dataDir;
}

export async function postmasterPid(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || null;
}

/** The running child processes of a process. */
export async function childrenOf(parent: number): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      // The name of the program, in parentheses, may have spaces and parentheses of its own.
      const [state, ppid] = (await read(pid, 'stat')).replace(/^.*\) /s, '').split(' ');
      return state !== 'Z' && Number(ppid) === parent ? [{ pid, command: await read(pid, 'cmdline') }] : [];
    }),
  );
  return found.flat();
}

function outcome(child: ChildProcess, input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (chunk) => {
        text[name] += chunk;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
    // A program that ends without reading its input breaks this pipe.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
