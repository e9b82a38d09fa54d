import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ignoreBodies } from './bodies.ts';
import { notFoundPage } from './notices.ts';
import { chosenLanguage, visitorWords } from './visitor.ts';

export type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

interface EmailedLink<Found> {
  /** Below /g. */
  path: string;
  /** What the token of a link stands for; null: it is not ours, or no longer valid. */
  find: (token: string) => Found | null | Promise<Found | null>;
  ask: (request: LinkRequest, found: Found) => Promise<string>;
  act: (request: LinkRequest, found: Found) => Promise<string>;
}

/**
 * The address of a link in emails that stops something. Opening it asks, because email scanners open every link. A post does it, from the page or from
 * the mailbox's own "unsubscribe" (RFC 8058), which comes from another site and is welcome.
 */
export function serveEmailedLink<Found>(app: FastifyInstance, { path, find, ask, act }: EmailedLink<Found>): void {
  ignoreBodies(app);
  for (const [method, write] of [['GET', ask] as const, ['POST', act] as const])
    app.route<{ Params: { token: string } }>({
      method,
      url: `${path}/:token`,
      schema: { hide: true },
      async handler(request, reply) {
        const found = await find(request.params.token);
        const text =
          found === null ? notFoundPage(visitorWords(request), chosenLanguage(request)) : await write(request, found);
        return reply
          .code(found === null ? 404 : 200)
          .type('text/html; charset=utf-8')
          .send(text);
      },
    });
}
