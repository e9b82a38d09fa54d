import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../errors.ts';
import { problemBody } from './problems.ts';

const drainMs = 2_500;
const sweepMs = 50;

/** When the service stops, what is under way is finished and no connection holds it up. */
export function closeConnectionsOnStop(app: FastifyInstance, underWay: ReadonlySet<FastifyReply>): void {
  app.addHook('preClose', async () => {
    // What arrives from now on is told so by Fastify.
    for (const reply of underWay) if (!reply.raw.headersSent) reply.header('Connection', 'close');
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
    const end = setTimeout(() => app.server.closeAllConnections(), drainMs);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}

/** What Node would answer by itself, without a body of ours. */
export function answerOddRequests(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const lacksHost = raw.headers.host === undefined && raw.httpVersion === '1.1';
    done(lacksHost ? new Failure('invalid', 'The header Host is required.') : undefined);
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(problemBody(417, 'The header Expect may only be 100-continue.'));
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, Connection: 'close' }).end(body);
  });
}
