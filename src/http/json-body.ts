import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../errors.ts';
import { usualMaxValues } from './body-limits.ts';
import { scanJson } from './json-scan.ts';
import { readInTurn } from './large-bodies.ts';
import { countKeys, findRepeatedKey } from './repeated-keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a caller may leave the body out of a route that has a schema for it. */
    bodyIsOptional?: boolean;
  }
}

const byteOrderMark = Buffer.from('\uFEFF');
/** How much is scanned before other requests get their turn: a few milliseconds of work. */
const stepBytes = 256 * 1024;

/** Reads JSON without changing anything on the way: no replaced bytes, no rounded numbers, no dropped keys. */
export async function readJsonBody(
  { headers, grant }: FastifyRequest,
  body: Buffer,
  maxValues = usualMaxValues,
): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  if (encoding.toLowerCase() !== 'identity') throw new Failure('mediaType', 'The body must not be compressed.');
  if (/;\s*charset\s*=(?!\s*"?utf-?8\b)/i.test(type)) throw new Failure('mediaType', 'The body must be UTF-8.');
  if (!isUtf8(body)) throw new Failure('invalid', 'The body must be UTF-8.');
  const hasMark = body.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const json = hasMark ? body.subarray(byteOrderMark.length) : body;
  const scan = scanJson(json, maxValues, stepBytes);
  const { done, value: keys } = scan.next();
  return done ? finish(json, keys, null) : readInTurn(grant.callerId, body.length, () => finishLarge(json, scan));
}

async function finishLarge(json: Buffer, scan: Generator<undefined, number>): Promise<unknown> {
  for (;;) {
    await nextTurn();
    const { done, value: keys } = scan.next();
    if (done) return finish(json, keys, nextTurn);
  }
}

/** Parses a scanned body. Between the steps of a large one, other requests get their turn. */
async function finish(json: Buffer, keys: number, pause: (() => Promise<unknown>) | null): Promise<unknown> {
  const text = json.toString('utf8');
  if (pause) await pause();
  const value = parse(text);
  if (pause) await pause();
  if (keys === 0 || countKeys(value) === keys) return value;
  if (pause) await pause();
  const repeated = findRepeatedKey(json);
  // The counts can differ though no key is repeated: V8 sometimes takes the two keys "\\" and "\"" for one.
  if (repeated === null) return value;
  throw new Failure('invalid', `${repeated} must be given once.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const problem = text.trim() === '' ? 'is empty: it must be a JSON object' : 'is not valid JSON';
    throw new Failure('invalid', `The body ${problem}.`, { cause });
  }
}
