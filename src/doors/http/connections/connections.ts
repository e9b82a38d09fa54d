import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure, unavailable } from '../../../ground/errors.ts';
import { type Answer, elapsedMs } from '../answer.ts';
import { problemBody } from '../errors/problems.ts';
import { isForVisitors, type UnderWay } from '../limits/under-way.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the route may hold its answer back, to wait for something. */
    holdsMs?: number;
  }
}

/** How long a request may take from its head to the last byte of its answer, whichever side is slow. */
const longestRequestMs = 25_000;
/** More at once than can be answered in about a second. Further requests are refused at once, which beats a long wait. */
const maxUnderWay = 4_000;
/** The same for requests without a credential. They are counted apart, because any client can begin them and then stop sending. */
const maxVisitors = 4_000;
/**
 * A file may take long, as long as its reader takes a MiB in five minutes. Both ends buffer several MB, so a reader of
 * 20 KB/s seems to take 2 MB every two minutes and nothing in between.
 */
const longestFileMs = 24 * 3_600_000;
const longestStallMs = 5 * 60_000;
const leastBytes = 1024 * 1024;
const sweepMs = 2_500;
const drainMs = 2_500;
const drainSweepMs = 50;

/** The limits on how long a caller can hold a connection open. */
export const timeouts = {
  requestTimeout: longestRequestMs,
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: sweepMs,
};

/**
 * From now on a connection is closed after its next response, so that few are idle when the service stops: a proxy could send a request on
 * one in the moment in which it is closed. New connections are still accepted.
 */
export function closeConnectionsOneByOne({ server }: FastifyInstance): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

/** When the service stops, it finishes the requests under way. Idle connections do not delay it. */
export function closeConnectionsOnStop(app: FastifyInstance, underWay: Iterable<Answer>): void {
  app.addHook('preClose', async () => {
    // Fastify adds this header to answers of requests that arrive from now on.
    for (const answer of underWay) if (!answer.headersSent) answer.setHeader('Connection', 'close');
    const sweep = setInterval(() => app.server.closeIdleConnections(), drainSweepMs).unref();
    const end = setTimeout(() => app.server.closeAllConnections(), drainMs);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}

/**
 * Cuts the connection of a caller who does not read an answer, or reads it byte by byte. Node's own limits are about requests
 * only. A file may take longer, as long as the caller keeps reading. One sweep serves all: a timer of each socket would have to be
 * set for every request.
 */
export function cutSlowReaders(app: FastifyInstance, underWay: Iterable<Answer>): void {
  const isReadOn = createProgress();
  const sweep = setInterval(() => {
    for (const answer of underWay)
      if (elapsedMs(answer) > longestRequestMs && !(isFile(answer) && isReadOn(answer)) && !isHeld(answer))
        answer.destroy();
  }, sweepMs).unref();
  app.addHook('onClose', async () => clearInterval(sweep));
}

/** A route that holds its answer back on purpose may take that much longer. */
function isHeld(answer: Answer): boolean {
  return elapsedMs(answer) < longestRequestMs + (answer.route.holdsMs ?? 0);
}

function isFile(answer: Answer): boolean {
  return (answer.reply?.hasHeader('Content-Disposition') ?? false) && elapsedMs(answer) < longestFileMs;
}

/** Tells whether the caller has read enough since the last time that the function said so. */
function createProgress(): (answer: Answer) => boolean {
  const seen = new WeakMap<Answer, { at: number; bytes: number }>();
  return (answer) => {
    const now = { at: elapsedMs(answer), bytes: answer.socket?.bytesWritten ?? 0 };
    const last = seen.get(answer);
    if (last && now.bytes - last.bytes < leastBytes) return now.at - last.at < longestStallMs;
    seen.set(answer, now);
    return true;
  };
}

/** Why a request is refused before its route is asked: there are too many, or Node would refuse it without our error body. */
export function refusalOf({ raw, route }: FastifyRequest, underWay: UnderWay): Failure | undefined {
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    return new Failure('invalid', 'The header Host is required.');
  // Health checks are always answered.
  if (route.access === 'public') return undefined;
  const isFull = isForVisitors(route) ? underWay.visitors > maxVisitors : isCrowded(underWay);
  return isFull ? unavailable() : undefined;
}

/** Whether there are too many requests with a credential. */
function isCrowded({ size, visitors }: UnderWay): boolean {
  return size - visitors > maxUnderWay;
}

/** Refuses an `Expect` that Node would refuse without our error body. */
export function refuseExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(problemBody(417, 'The header Expect may only be 100-continue.'));
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, Connection: 'close' }).end(body);
  });
}
