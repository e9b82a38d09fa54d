import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RawAnswer } from './raw.ts';

const inside =
  /\bat .*:\d+|node_modules|\.ts\b|select |insert |relation|FST_|HPE_|ECONN|gw_(test|live)_\w|root:|"private"/i;

/**
 * Checks that a refusal is a 4xx with the interface's three fields, and reveals nothing internal. Returns its message. People get
 * a page instead.
 */
export function assertRefused({ status, text }: Pick<RawAnswer, 'status' | 'text'>, what: string): string {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${text.slice(0, 300)}`);
  if (text === '') return '';
  assert.doesNotMatch(text, inside, what);
  if (text.startsWith('<!doctype html>')) return '';
  const problem = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type'], what);
  assert.equal(problem.status, status, what);
  return problem.message as string;
}

/** Checks that an answer is a success or a proper refusal. */
export function assertHarmless(answer: Pick<RawAnswer, 'status' | 'text'>, what: string): void {
  if (answer.status >= 400) assertRefused(answer, what);
}

/** Opens a connection, sends some text and reads nothing yet. It stays open when the service ends its half. */
export async function openConnection(url: string, said: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (said !== '') socket.write(said);
  return socket;
}
