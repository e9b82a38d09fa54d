import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createCodeLimit } from '../../../limits/pace.ts';
import { maxPostBytes, readBodies } from '../bodies.ts';
import { rejectPostsOfOtherSites } from '../same-origin.ts';
import type { Shown } from '../shown.ts';
import { type Fields, visitorWords } from '../visitor.ts';
import { decide } from './decide.ts';
import { decisionStartPage, linkNotFoundPage, otherPersonPage } from './notices.ts';
import { decisionPageOf } from './page-of.ts';
import { type DecisionPageOptions, findVisit, type Visit } from './visit.ts';

type Respond = (visit: Visit, fields: Fields) => Promise<Shown>;

/** All addresses below /decide. GET and HEAD change nothing and show nothing; only what a person presses decides. */
export async function serveDecisions(app: FastifyInstance, options: DecisionPageOptions): Promise<void> {
  const limitWrong = createCodeLimit();
  app.get('', { schema: { hide: true } }, async (request, reply) =>
    send(reply, { text: decisionStartPage(visitorWords(request)) }),
  );
  readBodies(app);
  app.addHook('onRequest', rejectPostsOfOtherSites(options.publicUrl));
  const post = (url: string, respond: Respond) =>
    app.post(url, { schema: { hide: true }, bodyLimit: maxPostBytes }, async (request, reply) => {
      const fields = (request.body ?? {}) as Fields;
      const visit = await findVisit(options, request, fields.token ?? '');
      if (visit === null) {
        await limitWrong(request.ip);
        return send(reply, { status: 404, text: linkNotFoundPage(visitorWords(request)) });
      }
      const other = await findOtherUser(options, request, visit);
      if (other !== null) return send(reply, { status: 403, text: otherPersonPage(visit, other) });
      return send(reply, await respond(visit, fields));
    });
  post('/look', (visit) => decisionPageOf(options, visit));
  post('', (visit, fields) => decide(options, visit, fields));
}

/** Another user's name, if this browser has their session: a colleague to whom the email was forwarded cannot decide. */
async function findOtherUser(
  { grants, readSession }: DecisionPageOptions,
  request: FastifyRequest,
  { mail }: Visit,
): Promise<string | null> {
  const secret = readSession(request);
  const grant = secret === '' ? null : (grants.recall(secret) ?? (await grants.find(secret, 'session')));
  const user = grant?.session?.user;
  return user && user.id !== mail.userId ? user.name : null;
}

function send(reply: FastifyReply, { status = 200, text }: Shown): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}
