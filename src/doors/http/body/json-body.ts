import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../../ground/errors.ts';
import { usualMaxValues } from './body-limits.ts';
import { describeJsonProblem } from './json-problem.ts';
import { scanJson } from './json-scan.ts';
import { readInTurn } from './large-bodies.ts';
import { countKeys, findRepeatedKey } from './repeated-keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a caller may leave the body out of a route that has a schema for it. */
    bodyIsOptional?: boolean;
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
/** How much is scanned before other requests get their turn: a few milliseconds of work. */
const stepBytes = 256 * 1024;

type Done = (error: Error | null, value?: unknown) => void;

/**
 * Reads JSON without changing anything on the way: no replaced bytes, no rounded numbers, no dropped keys. It takes a callback,
 * because most bodies are small and read at once: a promise would make each of them wait for another turn.
 */
export function readJsonBody(request: FastifyRequest, body: Buffer, maxValues: number | undefined, done: Done): void {
  let value: unknown;
  try {
    value = read(request, body, maxValues);
  } catch (error) {
    done(error as Error);
    return;
  }
  if (value instanceof Promise) value.then((late) => done(null, late), done);
  else done(null, value);
}

/** The value, or a promise of it if the body is large. */
function read({ headers, grant, room }: FastifyRequest, body: Buffer, maxValues = usualMaxValues): unknown {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  if (encoding.toLowerCase() !== 'identity') throw new Failure('mediaType', 'The body must not be compressed.');
  if (/;\s*charset\s*=(?!\s*"?utf-?8\b)/i.test(type)) throw new Failure('mediaType', 'The body must be UTF-8.');
  if (!isUtf8(body)) throw new Failure('invalid', 'The body must be UTF-8.');
  const hasMark = body[0] === byteOrderMark[0] && body[1] === byteOrderMark[1] && body[2] === byteOrderMark[2];
  const json = hasMark ? body.subarray(byteOrderMark.length) : body;
  const scan = scanJson(json, maxValues, stepBytes);
  const { done, value: keys } = scan.next();
  if (!done) return readInTurn(grant.callerId, room, () => finishLarge(json, scan));
  const value = parse(json.toString('utf8'));
  return hasKeys(value, keys) ? value : refuseRepeatedKey(json, value);
}

/** Between the steps of a large body, other requests get their turn. */
async function finishLarge(json: Buffer, scan: Generator<undefined, number>): Promise<unknown> {
  for (;;) {
    await nextTurn();
    const { done, value: keys } = scan.next();
    if (!done) continue;
    const text = json.toString('utf8');
    await nextTurn();
    const value = parse(text);
    await nextTurn();
    if (hasKeys(value, keys)) return value;
    await nextTurn();
    return refuseRepeatedKey(json, value);
  }
}

/** If an object has the same key twice, the parser drops one of them: fewer keys are left than were scanned. */
function hasKeys(value: unknown, keys: number): boolean {
  return keys === 0 || countKeys(value) === keys;
}

function refuseRepeatedKey(json: Buffer, value: unknown): unknown {
  const repeated = findRepeatedKey(json);
  // The counts can differ though no key is repeated: V8 sometimes takes the two keys "\\" and "\"" for one.
  if (repeated === null) return value;
  throw new Failure('invalid', `${repeated} must be given once.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const isEmpty = text.trim() === '';
    const problem = isEmpty ? 'is empty: it must be a JSON object' : `is not valid JSON: ${describeJsonProblem(text)}`;
    throw new Failure('invalid', `The body ${problem}.`, { cause });
  }
}
