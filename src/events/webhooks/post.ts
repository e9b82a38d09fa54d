import { type Dispatcher, request } from 'undici';
import type { EventRecord } from '../../contract/event.ts';
import { parseRetryAfter } from './schedule.ts';
import { signedHeaders } from './signature.ts';

/** What came of posting one event. `problem` is null when the receiver took it. */
export interface Attempt {
  at: Date;
  status: number | null;
  durationMs: number;
  problem: string | null;
  answer: string | null;
  retryAfterMs: number | null;
}

const timeoutMs = 15_000;
const keptAnswer = 1_000;
// More than this is not worth reading to keep the connection.
const readAnswerBytes = 64 * 1024;

/** Posts an event once, signed with each of the secrets. Never throws: what went wrong is in the attempt. */
export async function postEvent(
  dispatcher: Dispatcher,
  url: string,
  event: EventRecord,
  secrets: readonly Buffer[],
  signal: AbortSignal,
): Promise<Attempt> {
  const at = new Date();
  const began = performance.now();
  const body = JSON.stringify(event);
  // AbortSignal.any and AbortSignal.timeout would do the same and cost more for each post.
  const over = new AbortController();
  const abort = () => over.abort();
  const timer = setTimeout(() => over.abort(new DOMException('too late', 'TimeoutError')), timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const headers = signedHeaders(secrets, event.id, body, at);
  const outcome = await exchange(dispatcher, url, headers, body, over.signal).catch((error: Error) => ({
    status: null,
    answer: null,
    retryAfterMs: null,
    problem: describe(error, over.signal),
  }));
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
  return { at, durationMs: Math.round(performance.now() - began), ...outcome };
}

async function exchange(
  dispatcher: Dispatcher,
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'at' | 'durationMs'>> {
  const response = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Giftwire' },
    body,
    signal,
  });
  const { statusCode: status } = response;
  const answer = await readAnswer(response.body);
  const retryAfter = response.headers['retry-after'];
  const succeeded = status >= 200 && status < 300;
  return {
    status,
    answer,
    retryAfterMs: parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, new Date()),
    problem: succeeded ? null : problemOf(status),
  };
}

function problemOf(status: number): string {
  return status >= 300 && status < 400
    ? `answered ${status}, and redirects are not followed: give the webhook the final address`
    : `answered ${status}`;
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    if (bytes < keptAnswer * 4) pieces.push(piece);
    bytes += piece.length;
    // Leaving the loop closes the connection.
    if (bytes > readAnswerBytes) break;
  }
  return Buffer.concat(pieces).toString().replaceAll('\0', '').toWellFormed().slice(0, keptAnswer);
}

function describe(error: Error, over: AbortSignal): string {
  if (over.aborted && over.reason?.name === 'TimeoutError') return `gave no answer within ${timeoutMs / 1_000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
