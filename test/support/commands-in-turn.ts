import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Asked } from './command-process.ts';

export type Env = Record<string, string>;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const script = join(import.meta.dirname, 'command-process.ts');
let kept: ChildProcess | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in a process that was started for the first of them, and that ends with this one: to start a process and
 * load the program takes ten times what most commands take. The command has its own arguments, environment, output and exit code,
 * and is over when it has closed everything.
 */
export function runInTurn(args: string[], env: Env): Promise<Outcome> {
  const run = turn.then(() => ask(args, env));
  turn = run.catch(() => {});
  return run;
}

async function ask(args: string[], env: Env): Promise<Outcome> {
  kept ??= start(env);
  const child = kept;
  keepWaiting(child, true);
  try {
    const end = `\0${randomUUID()}\0`;
    const text = readUntil(child, end);
    child.send({ args, env, end } satisfies Asked);
    return await text;
  } finally {
    keepWaiting(child, false);
  }
}

function start(env: Env): ChildProcess {
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
  child.once('close', () => {
    kept = null;
  });
  return child;
}

/** The process waits for a command that is under way, but not for the next one. */
function keepWaiting(child: ChildProcess, waits: boolean): void {
  const handles = [child, child.channel, child.stdout as Socket, child.stderr as Socket];
  for (const handle of handles) waits ? handle?.ref() : handle?.unref();
}

/** What the command has written. If it has ended the process, that is its end. */
function readUntil(child: ChildProcess, end: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const text = { stdout: '', stderr: '' };
  const over = (outcome: Outcome) => {
    for (const name of ['stdout', 'stderr'] as const) child[name]?.removeAllListeners('data');
    child.removeListener('close', closed);
    resolve(outcome);
  };
  const closed = (code: number | null) => over({ code, ...text });
  const written = () => {
    if (!text.stdout.endsWith(end) || !text.stderr.endsWith(end)) return;
    const [stderr = '', code] = text.stderr.split('\0');
    over({ code: Number(code), stdout: text.stdout.slice(0, -end.length), stderr });
  };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk) => {
      text[name] += chunk;
      written();
    });
  child.once('close', closed);
  return promise;
}
