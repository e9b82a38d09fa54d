import type { FastifyRequest } from 'fastify';
import { Failure } from '../../../../ground/errors.ts';
import type { OnRequest } from '../../area.ts';

/**
 * Refuses posts that pages of other sites make in a visitor's browser. Browsers say where a request comes from in Sec-Fetch-Site.
 * Older ones send an Origin, which is `null` for our own forms, because our pages send no referrer. Programs send
 * neither.
 */
export function rejectPostsOfOtherSites(publicUrl: string | null): OnRequest {
  const own = publicUrl === null ? null : new URL(publicUrl).host;
  return (request, _reply, done) => {
    const isOther = request.method === 'POST' && comesFromElsewhere(request, own);
    done(isOther ? new Failure('forbidden', 'Another site has sent this: open the page itself.') : undefined);
  };
}

function comesFromElsewhere({ headers }: FastifyRequest, own: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || ![host, own].includes(new URL(origin).host);
}
