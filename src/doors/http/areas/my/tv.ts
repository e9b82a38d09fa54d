import type { FastifyInstance } from 'fastify';
import { readScreen } from '../../../../giving/feed/screens.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { createGuessLimit } from '../../limits/pace.ts';

const bearer = /^Bearer ([\w-]{20,60})$/;

/** What the page of a screen shows. Its link is the credential: it comes in a header, so that no log has it. */
export function serveScreen(app: FastifyInstance, lookUps: Queryable): void {
  const noteFailure = createGuessLimit();
  app.get<{ Params: { workspace: string } }>(
    '/:workspace/tv/posts',
    { schema: { hide: true } },
    async (request, reply) => {
      const [, secret] = bearer.exec(request.headers.authorization ?? '') ?? [];
      const { workspace } = request.params;
      const isNumber = /^[1-9]\d{0,14}$/.test(workspace);
      const posts = secret && isNumber ? await readScreen(lookUps, Number(workspace), secret) : null;
      if (posts === null) {
        await noteFailure(request.ip);
        throw new Failure('forbidden', 'This link shows no shoutouts: it was revoked, or is not complete.');
      }
      return reply.header('Cache-Control', 'no-store').send({ posts });
    },
  );
}
