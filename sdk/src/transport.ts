import { certificateProblem } from './certificate.ts';
import { ConnectionError, errorOf, GiftwireError, ServerError } from './error.ts';
import type { Hooks } from './hooks.ts';
import type { RequestInfo, ResponseInfo } from './responses.ts';
import { delayBefore, isWorthRepeating } from './retries.ts';
import { limitTime, pause } from './time.ts';

/** What every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, and the waits between its attempts. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** How long one attempt of this call may take, in place of the client's own time. */
  timeoutMs?: number | undefined;
  /** How often this call is repeated, in place of the client's own number. */
  retries?: number | undefined;
  /**
   * For a POST: 1 to 255 characters that belong to the thing you do, for example `payroll-2026-11`. A second call with the same key gives the
   * record of the first.
   */
  idempotencyKey?: string | undefined;
  /** For a change: the `etag` of the version that you have read. If another change came first, the call throws a ChangedError. */
  ifMatch?: string | undefined;
}

/** A call of the HTTP interface. */
export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** After `/api/v1`. */
  path: string;
  query?: object;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: { type: string; content: string | Uint8Array<ArrayBuffer> | Blob };
  headers?: Record<string, string>;
  /** A second attempt would do the same thing twice, and there is no key against that. */
  once?: boolean;
  /** How long the service may hold the answer back. */
  heldMs?: number;
}

export interface Answer<Body> {
  body: Body;
  headers: Headers;
  response?: ResponseInfo;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  url: string;
  headers: Record<string, string>;
  fetch: Fetch;
  timeoutMs: number;
  retries: number;
  hooks: Hooks;
}

/** Sends calls, and repeats those that may be repeated. */
export interface Transport {
  /** The answer as JSON. */
  json<Body>(call: Call): Promise<Answer<Body>>;
  /** The answer as text. */
  text(call: Call): Promise<string>;
  /** The answer as bytes, as they come. */
  bytes(call: Call): Promise<ReadableStream<Uint8Array>>;
}

type Read<Body> = (response: Response) => Promise<Body>;

export function createTransport(options: TransportOptions): Transport {
  async function send<Body>(call: Call, read: Read<Body>, isStream = false): Promise<Answer<Body>> {
    const { retries = options.retries, signal } = call;
    const request = requestOf(options, call);
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptCall(options, call, request, read, isStream, attempt + 1);
      if ('body' in outcome) return outcome;
      const { error } = outcome;
      if (isDone(call, attempt, error)) return { body: undefined as Body, headers: new Headers() };
      if (attempt >= retries || !isWorthRepeating(error, call)) throw error;
      const delayMs = delayBefore(attempt, error.retryAfterMs);
      options.hooks.onRetry?.({ ...infoOf(options, call, attempt + 1), error, delayMs });
      await pause(delayMs, signal);
    }
  }
  return {
    json: (call) => send(call, (response) => readJson(response, options.url)),
    text: async (call) => (await send(call, (response) => response.text())).body,
    bytes: async (call) => (await send(call, async ({ body }) => body ?? new ReadableStream(), true)).body,
  };
}

/** A delete whose first answer was lost finds nothing the second time. */
function isDone({ method }: Call, attempt: number, { status }: GiftwireError): boolean {
  return method === 'DELETE' && attempt > 0 && status === 404;
}

type Outcome<Body> = Answer<Body> | { error: GiftwireError };

/** So that what a hook throws is not taken for a lost connection. */
class HookFailure extends Error {}

function runHook<Info>(hook: ((info: Info) => void) | undefined, info: Info): void {
  try {
    hook?.(info);
  } catch (cause) {
    throw new HookFailure('a hook has failed', { cause });
  }
}

/** One attempt. It throws only the reason of the caller's signal, and what a hook throws. */
async function attemptCall<Body>(
  options: TransportOptions,
  call: Call,
  request: RequestInit,
  read: Read<Body>,
  isStream: boolean,
  attempt: number,
): Promise<Outcome<Body>> {
  const { url, fetch, hooks } = options;
  const info = infoOf(options, call, attempt);
  const { idempotencyKey = null } = call;
  const noAnswer = (why: string, cause?: unknown) =>
    new ConnectionError('no_answer', `There is no answer from ${url}: ${why}.`, { idempotencyKey, cause });
  const withinMs = (call.timeoutMs ?? options.timeoutMs) + (call.heldMs ?? 0);
  const limit = limitTime(withinMs, call.signal, () => noAnswer(`none came within ${withinMs / 1_000} seconds`));
  let isOpen = false;
  try {
    limit.signal.throwIfAborted();
    runHook(hooks.onRequest, info);
    const begunAt = performance.now();
    const response = await fetch(info.url, { ...request, signal: limit.signal });
    const received = receivedOf(info, response, performance.now() - begunAt);
    runHook(hooks.onResponse, received);
    if (!response.ok) return { error: errorOf(response, await response.text(), call.idempotencyKey, received) };
    const body = await read(response);
    isOpen = isStream;
    return { body, headers: response.headers, response: received };
  } catch (cause) {
    if (cause instanceof HookFailure) throw cause.cause;
    if (call.signal?.aborted) throw call.signal.reason;
    const error = limit.signal.aborted ? limit.signal.reason : cause;
    return { error: error instanceof GiftwireError ? error : noAnswer(reasonOf(error), error) };
  } finally {
    // What is read as it comes takes its time, and can be aborted to its end.
    if (isOpen) limit.endTimer();
    else limit.end();
  }
}

function infoOf({ url }: TransportOptions, call: Call, attempt: number): RequestInfo {
  return { method: call.method, url: addressOf(url, call), attempt };
}

function receivedOf(info: RequestInfo, { status, headers }: Response, durationMs: number): ResponseInfo {
  return {
    ...info,
    status,
    headers,
    requestId: headers.get('X-Request-Id'),
    etag: headers.get('ETag'),
    durationMs,
  };
}

async function readJson<Body>(response: Response, url: string): Promise<Body> {
  const text = await response.text();
  if (text === '') return undefined as Body;
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    const message = `${url} answered with something else than JSON: is it the address of Giftwire?`;
    throw new ServerError('server_error', message, { status: response.status, cause });
  }
}

/** What every attempt sends. Throws a TypeError if that cannot be sent. */
function requestOf(options: TransportOptions, call: Call): RequestInit {
  const { method, idempotencyKey, ifMatch } = call;
  const json = () => ({ type: 'application/json', content: JSON.stringify(call.body) });
  const sent = call.raw ?? (call.body === undefined ? null : json());
  const headers = {
    Accept: 'application/json',
    ...options.headers,
    ...(sent && { 'Content-Type': sent.type }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': headerBytes(idempotencyKey) }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...call.headers,
  };
  checkHeaders(headers);
  return { method, headers, ...(sent && { body: sent.content }), redirect: 'manual' };
}

/** The headers that callers give, and what they give them as. */
const givenAs: Record<string, string> = {
  Authorization: 'token',
  'X-Workspace-id': 'workspace',
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'X-Customer-Request-Id': 'customerRequestId',
};

/** fetch would fail as it does without a connection, and name the value, which may be secret. */
function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!canBeSent(name, value))
      throw new TypeError(`${givenAs[name] ?? name} has a character that no header can carry.`);
}

/** `Headers` takes the blank ends off, and lets some control characters pass that are not sent. */
function canBeSent(name: string, value: string): boolean {
  try {
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(new Headers([[name, value]]).get(name) ?? '');
  } catch {
    return false;
  }
}

function addressOf(url: string, { path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return `${url}/api/v1${path}${given.length > 0 ? `?${search}` : ''}`;
}

/** A header carries bytes: here those of the text in UTF-8, which the service expects. */
export function headerBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** What fetch says is mostly in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return certificateProblem(cause?.code) || cause?.message || cause?.code || message || String(error);
}
