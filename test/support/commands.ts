import assert from 'node:assert/strict';
import type { Env, Outcome } from './commands-in-turn.ts';
import { giftwire } from './process.ts';

export type Json = Record<string, unknown>;

/** Runs a command with --json, which must succeed, and returns its one value. */
export async function runJson<T = Json>(args: string[], env: Env): Promise<T> {
  const { code, stdout, stderr } = await giftwire([...args, '--json'], env);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  assert.equal(stderr, '');
  assert.equal(stdout.split('\n').length, 2, 'one line');
  return JSON.parse(stdout) as T;
}

/** The command has failed with exit code 1 and this one line, without a stack. */
export function assertFailed({ code, stdout, stderr }: Outcome, says: RegExp): void {
  assert.match(stderr, says);
  assert.doesNotMatch(stderr, /^ {4}at /m, 'no stack');
  assert.equal(code, 1, stderr);
  assert.equal(stdout, '');
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}
