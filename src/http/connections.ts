import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure, unavailable } from '../errors.ts';
import { problemBody } from './problems.ts';

/** How long a request may take from its head to the last byte of its answer, whoever is slow. */
const longestRequestMs = 25_000;
/** More at once than can be answered in a second or so: whoever comes on top is better told at once. */
const maxUnderWay = 4_000;
/**
 * A file may take long, as long as a MiB of it is taken in five minutes. The system buffers several MB on both ends, so
 * that somebody who reads 20 KB/s without a pause is seen to take two MB every two minutes, and nothing in between.
 */
const longestFileMs = 24 * 3_600_000;
const longestStallMs = 5 * 60_000;
const leastBytes = 1024 * 1024;
const sweepMs = 2_500;
const drainMs = 2_500;
const drainSweepMs = 50;

/** The limits on what one caller, or all of them together, can hold open. */
export const timeouts = {
  requestTimeout: longestRequestMs,
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: sweepMs,
};

/** When the service stops, what is under way is finished and no connection holds it up. */
export function closeConnectionsOnStop(app: FastifyInstance, underWay: ReadonlySet<FastifyReply>): void {
  app.addHook('preClose', async () => {
    // What arrives from now on is told so by Fastify.
    for (const reply of underWay) if (!reply.raw.headersSent) reply.header('Connection', 'close');
    const sweep = setInterval(() => app.server.closeIdleConnections(), drainSweepMs).unref();
    const end = setTimeout(() => app.server.closeAllConnections(), drainMs);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}

/**
 * Cuts the connection of a caller who takes an answer byte by byte: Node's own limits are about requests. A file may take
 * longer, as long as it is read on.
 */
export function cutSlowReaders(app: FastifyInstance, underWay: ReadonlySet<FastifyReply>): void {
  const isReadOn = createProgress();
  const sweep = setInterval(() => {
    for (const reply of underWay)
      if (reply.elapsedTime > longestRequestMs && !(isFile(reply) && isReadOn(reply))) reply.raw.destroy();
  }, sweepMs).unref();
  app.addHook('onClose', async () => clearInterval(sweep));
}

/** Nothing is sent for minutes where a reader is slow: the limit is that of `cutSlowReaders`. */
export function allowSlowReading(reply: FastifyReply): void {
  reply.raw.socket?.setTimeout(longestStallMs);
}

function isFile(reply: FastifyReply): boolean {
  return reply.hasHeader('Content-Disposition') && reply.elapsedTime < longestFileMs;
}

/** Whether enough of an answer was taken since the last time that enough of it had been. */
function createProgress(): (reply: FastifyReply) => boolean {
  const seen = new WeakMap<FastifyReply, { at: number; bytes: number }>();
  return (reply) => {
    const now = { at: reply.elapsedTime, bytes: reply.raw.socket?.bytesWritten ?? 0 };
    const last = seen.get(reply);
    if (last && now.bytes - last.bytes < leastBytes) return now.at - last.at < longestStallMs;
    seen.set(reply, now);
    return true;
  };
}

/** What comes on top of too much, and what Node would answer by itself without a body of ours. */
export function admitRequests(app: FastifyInstance, underWay: ReadonlySet<FastifyReply>): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      done(new Failure('invalid', 'The header Host is required.'));
    else if (underWay.size > maxUnderWay && routeOptions.config?.access !== 'public') done(unavailable());
    else done();
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(problemBody(417, 'The header Expect may only be 100-continue.'));
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, Connection: 'close' }).end(body);
  });
}
