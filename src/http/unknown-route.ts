import type { FastifyInstance } from 'fastify';
import { Failure } from '../errors.ts';

/**
 * Answers what no route serves: 405 with `Allow` where the path is known by other methods, else 404. It does so before
 * a body is read, so that nothing about the body is said of a route that does not exist.
 */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  let patterns: { pattern: RegExp; method: string }[] = [];
  app.addHook('onReady', async () => {
    patterns = app.routeTable.map(({ url, method }) => ({ pattern: patternOf(url), method }));
  });

  const refusal = (url: string) => {
    const path = pathOf(url);
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (allowed.length === 0)
      return new Failure('missing', 'There is nothing at this address: see /docs for what there is.');
    const allow = [...new Set(allowed)].sort().join(', ');
    return new Failure('method', `This address takes ${allow}.`, { headers: { Allow: allow } });
  };
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusal(request.url) : undefined));
  app.setNotFoundHandler(() => {
    throw new Failure('missing', 'There is nothing at this address.');
  });
}

/** As the router sees it: without an absolute address in front, without a query, decoded. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/i, '').split('?')[0] as string;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step.startsWith(':')) return '[^/]*';
    return step === '*' ? '.*' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${steps.join('/')}$`);
}
