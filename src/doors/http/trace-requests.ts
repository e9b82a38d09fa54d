import type { FastifyInstance } from 'fastify';
import { startRequestSpan, withSpan } from '../../ground/traces/spans.ts';
import type { Answer } from './answer.ts';
import type { Area } from './area.ts';

/**
 * Makes each request a part of a trace, except those of monitoring, and lets the work on it belong to that part. A system with a
 * credential can continue its own trace. A visitor cannot: anyone could then make the service keep every trace.
 */
export function traceRequests(app: FastifyInstance, areas: readonly Area[]): void {
  const ofSystems = areas.filter(({ authenticate }) => authenticate !== 'public').map(({ prefix }) => `${prefix}/`);
  app.addHook('onRequest', (request, reply, done) => {
    const { url = 'no route', isRoutine } = request.route;
    if (isRoutine) return done();
    const { traceparent } = request.headers;
    const continues = typeof traceparent === 'string' && ofSystems.some((path) => url.startsWith(path));
    const span = startRequestSpan(request.method, url, continues ? traceparent : null);
    (reply.raw as Answer).span = span;
    return span ? withSpan(span, done) : done();
  });
  // The end of a body comes from the connection and knows nothing of the request's span.
  app.addHook('preValidation', (_request, reply, done) => {
    const { span } = reply.raw as Answer;
    return span ? withSpan(span, done) : done();
  });
}
