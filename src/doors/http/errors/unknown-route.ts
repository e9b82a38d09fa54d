import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../ground/errors.ts';
import { pathOf } from '../connections/address.ts';

/**
 * Answers requests that no route serves: 405 with `Allow` if the path has routes for other methods, else 404. It comes
 * before any area: first whether there is such a route, then who is calling. It does not read the body, so that the answer is
 * not about the body of a route that does not exist.
 */
export async function refuseUnknownRoutes(app: FastifyInstance, guide: string | undefined): Promise<void> {
  let patterns: { pattern: RegExp; method: string }[] = [];
  app.addHook('onReady', async () => {
    patterns = app.routeTable.map(({ url, method }) => ({ pattern: patternOf(url), method }));
  });
  const hint = guide === undefined ? '' : `: see ${guide} for what there is`;
  const nothing = () => new Failure('missing', `This path does not exist${hint}.`);
  const refusal = (url: string) => {
    const path = pathOf(url);
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (allowed.length === 0) return nothing();
    const allow = [...new Set(allowed)].sort().join(', ');
    return new Failure('method', `This path supports ${allow} only.`, { headers: { Allow: allow } });
  };
  // In a plugin of its own, so that the hook runs for unknown routes only.
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => done(refusal(request.url)));
    scope.setNotFoundHandler(() => {
      throw nothing();
    });
  });
}

function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step.startsWith(':')) return '[^/]*';
    return step === '*' ? '.*' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${steps.join('/')}$`);
}
