import { errorOf, GiftwireError } from './error.ts';
import { delayBefore, isWorthRepeating, readRetryAfter } from './retries.ts';
import { limitTime, pause } from './time.ts';

/** What every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, and the waits between its attempts. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
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
  /** Makes a POST safe to repeat: the service answers with what the first attempt made. */
  idempotencyKey?: string;
  /** A second attempt would do the same thing twice, and there is no key against that. */
  once?: boolean;
  /** How long the service may hold the answer back. */
  heldMs?: number;
  /** How often it is repeated, in place of the client's own number. */
  retries?: number;
}

export interface Answer<Body> {
  body: Body;
  headers: Headers;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  url: string;
  headers: Record<string, string>;
  fetch: Fetch;
  timeoutMs: number;
  retries: number;
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
      const outcome = await attemptCall(options, call, request, read, isStream);
      if ('body' in outcome) return outcome;
      const { error, retryAfterMs } = outcome;
      if (isDone(call, attempt, error)) return { body: undefined as Body, headers: new Headers() };
      if (attempt >= retries || !isWorthRepeating(error, call)) throw error;
      await pause(delayBefore(attempt, retryAfterMs), signal);
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

type Outcome<Body> = Answer<Body> | { error: GiftwireError; retryAfterMs: number | null };

/** One attempt. It throws only the reason of the caller's signal. */
async function attemptCall<Body>(
  options: TransportOptions,
  call: Call,
  request: RequestInit,
  read: Read<Body>,
  isStream: boolean,
): Promise<Outcome<Body>> {
  const { url, fetch, timeoutMs } = options;
  const { idempotencyKey = null } = call;
  const noAnswer = (why: string, cause?: unknown) =>
    new GiftwireError('no_answer', `There is no answer from ${url}: ${why}.`, { idempotencyKey, cause });
  const withinMs = timeoutMs + (call.heldMs ?? 0);
  const limit = limitTime(withinMs, call.signal, () => noAnswer(`none came within ${withinMs / 1_000} seconds`));
  let isOpen = false;
  try {
    limit.signal.throwIfAborted();
    const response = await fetch(addressOf(url, call), { ...request, signal: limit.signal });
    if (!response.ok) return await refusal(response, call);
    const body = await read(response);
    isOpen = isStream;
    return { body, headers: response.headers };
  } catch (cause) {
    if (call.signal?.aborted) throw call.signal.reason;
    const error = limit.signal.aborted ? limit.signal.reason : cause;
    return { error: error instanceof GiftwireError ? error : noAnswer(reasonOf(error), error), retryAfterMs: null };
  } finally {
    // What is read as it comes takes its time, and can be aborted to its end.
    if (isOpen) limit.endTimer();
    else limit.end();
  }
}

async function refusal(response: Response, { idempotencyKey }: Call) {
  const error = errorOf(response, await response.text(), idempotencyKey);
  return { error, retryAfterMs: readRetryAfter(response.headers) };
}

async function readJson<Body>(response: Response, url: string): Promise<Body> {
  const text = await response.text();
  if (text === '') return undefined as Body;
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    const message = `${url} answered with something else than JSON: is it the address of Giftwire?`;
    throw new GiftwireError('server_error', message, { status: response.status, cause });
  }
}

/** What every attempt sends. Throws a TypeError if that cannot be sent. */
function requestOf(options: TransportOptions, call: Call): RequestInit {
  const { method, idempotencyKey } = call;
  const sent = call.raw ?? (call.body === undefined ? null : jsonOf(call.body));
  const headers = {
    Accept: 'application/json',
    ...options.headers,
    ...(sent && { 'Content-Type': sent.type }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': headerBytes(idempotencyKey) }),
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

function jsonOf(body: unknown) {
  return { type: 'application/json', content: JSON.stringify(body) };
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
  return cause?.message || cause?.code || message || String(error);
}
