import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  findRequest,
  type KeyedRequest,
  type KnownRequest,
  keepResponse,
  releaseKey,
  takeKey,
} from '../../../../company/access/request-keys.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { joiningTransactions } from '../../../../ground/database/joining.ts';
import { Failure } from '../../../../ground/errors.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { headerText } from '../../callers/header-text.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where the Idempotency-Keys of requests are kept. */
    requestKeys: Database;
  }
}

export interface Keyed {
  /** The id of the operation. */
  operation: string;
  /** Whether the response has a secret, which is never stored. */
  returnsSecret: boolean;
  /** Whether the operation acts in one transaction, in which its key is taken. Otherwise the key is taken before. */
  isOneTransaction: boolean;
  /** What of the response may be stored; absent: all of it. */
  keeps: ((result: never) => unknown) | undefined;
}

type Handler<Request> = (request: Request, reply: FastifyReply) => unknown;

/**
 * Carries a request with an Idempotency-Key out once, and gives its response to requests that repeat it.
 *
 * The key commits in the transaction that makes the change: after a crash, either both are there or none is. An operation that does not
 * act in one transaction takes its key before: it is carried out at most once. Errors are not kept: a request that has failed can be
 * repeated with its key.
 */
export function keyed<Request extends FastifyRequest>(
  database: () => Database,
  { operation, returnsSecret, isOneTransaction, keeps }: Keyed,
  handler: Handler<Request>,
): Handler<Request> {
  const carryOut = async (request: Request, reply: FastifyReply, asked: KeyedRequest) => {
    if (!isOneTransaction) {
      await take(database(), asked, false);
      return handler(request, reply);
    }
    return joiningTransactions(
      (tx) => take(tx, asked, true),
      () => handler(request, reply),
    );
  };
  const replay = (reply: FastifyReply, asked: KeyedRequest, known: KnownRequest) => {
    if (known.operation !== operation || !known.fingerprint.equals(asked.fingerprint)) throw usedOtherwise();
    if (!known.isAnswered) throw unanswered(known);
    if (returnsSecret) throw wasSecret(known.response);
    reply.header('Idempotent-Replayed', 'true');
    return known.response;
  };
  return async (request, reply) => {
    const key = headerText(request, 'Idempotency-Key');
    if (key === null) return handler(request, reply);
    const { callerId, workspace } = request.caller;
    const fingerprint = fingerprintOf(request);
    const asked = { workspaceId: workspace.workspaceId, callerId, key, attempt: randomUUID(), operation, fingerprint };
    const known = await findAnswered(database(), asked);
    if (known) return replay(reply, asked, known);
    let result: unknown;
    try {
      result = await carryOut(request, reply, asked);
    } catch (error) {
      if (!isOneTransaction) await releaseKey(database(), asked);
      // A request with the same key may have been faster, and may be the reason why this one has failed.
      const faster = await findAnswered(database(), asked);
      if (faster && faster.attempt !== asked.attempt) return replay(reply, asked, faster);
      throw error;
    }
    const kept = returnsSecret ? idOf(result) : keeps ? keeps(result as never) : result;
    await keep(database(), asked, kept, request);
    return result;
  };
}

async function take(tx: Parameters<typeof takeKey>[0], asked: KeyedRequest, isDone: boolean): Promise<void> {
  if (!(await takeKey(tx, asked, isDone))) throw stillUnderWay();
}

/** The change is committed, so the caller gets the response even if it cannot be kept. */
async function keep(
  database: Database,
  asked: KeyedRequest,
  response: unknown,
  { log, id }: FastifyRequest,
): Promise<void> {
  const isKept = await keepResponse(database, asked, response).catch((err) => {
    log.warn({ reqId: id, err }, 'The response to a request with an Idempotency-Key could not be kept.');
    return true;
  });
  if (!isKept) throw new Error(`${asked.operation} does not act in one transaction: declare it`);
}

const waitMs = 50;
const mostWaits = 20;

/** The request that used the key first. If it is about to be answered, its response is waited for. */
async function findAnswered(database: Database, asked: KeyedRequest): Promise<KnownRequest | null> {
  for (let waits = 0; ; waits++) {
    const known = await findRequest(database, asked);
    const isDue = known && !known.isAnswered && known.isDone && known.ageSeconds < secondsToAnswer;
    if (!isDue || waits === mostWaits) return known;
    await sleep(waitMs);
  }
}

/** Between the commit and the response only a statement is run. */
const secondsToAnswer = 10;
/** An import may take this long. */
const secondsToCarryOut = 900;

function fingerprintOf({ params, query, body }: FastifyRequest): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(sorted([params, query])));
  return (Buffer.isBuffer(body) ? hash.update(body) : hash.update(JSON.stringify(sorted(body)) ?? '')).digest();
}

/** With the fields of objects in one order: a program may write them in another one when it repeats a request. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

function idOf(result: unknown): { id: unknown } {
  return { id: isObject(result) ? (result.id ?? null) : null };
}

function usedOtherwise(): Failure {
  return new Failure(
    'mismatch',
    'This Idempotency-Key was used for another request: send the same request again, or use a new key.',
  );
}

function stillUnderWay(): Failure {
  return new Failure(
    'conflict',
    'A request with this Idempotency-Key is still being carried out: send yours again in a moment.',
    { headers: { 'Retry-After': '1' } },
  );
}

function unanswered({ isDone, ageSeconds }: KnownRequest): Failure {
  if (ageSeconds < (isDone ? secondsToAnswer : secondsToCarryOut)) return stillUnderWay();
  return new Failure(
    'conflict',
    isDone
      ? 'The request with this Idempotency-Key was carried out, but its response is not kept: read what it has changed.'
      : 'The request with this Idempotency-Key was interrupted, and may have been carried out: check that before you use a new key.',
  );
}

function wasSecret(response: unknown): Failure {
  const { id = null } = (response ?? {}) as { id?: unknown };
  const record = id === null ? '' : ` It was about ${id}.`;
  return new Failure(
    'conflict',
    `The request with this Idempotency-Key was carried out. Its response had a secret, which is not stored and cannot be shown again.${record} If you did not receive the secret, create a new one with a new key.`,
  );
}
