import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Grant, Grants } from '../../../../company/access/grants.ts';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import type { Failure } from '../../../../ground/errors.ts';
import type { Area } from '../../area.ts';
import type { ReadSession } from '../../callers/session-cookie.ts';
import { createCodeLimit } from '../../limits/pace.ts';
import { pageArea } from './area.ts';
import { maxPostBytes, readBodies } from './bodies.ts';
import { rejectPostsOfOtherSites } from './same-origin.ts';
import type { Shown } from './shown.ts';
import { type Fields, visitorWords } from './visitor.ts';

/** The pages of the links that approvers and managers are emailed. */
export interface LinkPages<Visit> {
  /** Where they are: /decide. */
  base: string;
  /** The page before the link is known. */
  start(words: Words): string;
  notFound(words: Words): string;
  error(words: Words, status: number, failure: Failure): string;
  /** What the link is about; null if it is not ours. */
  find(request: FastifyRequest, token: string): Promise<Visit | null>;
  /** For a browser with the session of another user: a colleague to whom the email was forwarded can do nothing. Null: no other user. */
  rejectOther(request: FastifyRequest, visit: Visit): Promise<Shown | null>;
  /** Shows what the link is about. */
  look(visit: Visit): Promise<Shown>;
  /** Does what a person has pressed. */
  press(visit: Visit, fields: Fields): Promise<Shown>;
}

/** No credential is needed; the link in the email gives access. */
export function linkPageArea<Visit>(pages: LinkPages<Visit>, publicUrl: string | null): Area {
  return pageArea(pages.base, pages.error, (app) => serve(app, pages, publicUrl));
}

/** All addresses below the base. GET and HEAD change nothing and show nothing; only what a person presses does something. */
async function serve<Visit>(app: FastifyInstance, pages: LinkPages<Visit>, publicUrl: string | null): Promise<void> {
  const limitWrong = createCodeLimit();
  app.get('', { schema: { hide: true } }, async (request, reply) =>
    send(reply, { text: pages.start(visitorWords(request)) }),
  );
  readBodies(app);
  app.addHook('onRequest', rejectPostsOfOtherSites(publicUrl));
  const post = (url: string, respond: (visit: Visit, fields: Fields) => Promise<Shown>) =>
    app.post(url, { schema: { hide: true }, bodyLimit: maxPostBytes }, async (request, reply) => {
      const fields = (request.body ?? {}) as Fields;
      const visit = await pages.find(request, fields.token ?? '');
      if (visit === null) {
        await limitWrong(request.ip);
        return send(reply, { status: 404, text: pages.notFound(visitorWords(request)) });
      }
      return send(reply, (await pages.rejectOther(request, visit)) ?? (await respond(visit, fields)));
    });
  post('/look', (visit) => pages.look(visit));
  post('', (visit, fields) => pages.press(visit, fields));
}

/** The grant of the session that this browser has; null: none. */
export async function grantOfBrowser(
  { grants, readSession }: { grants: Grants; readSession: ReadSession },
  request: FastifyRequest,
): Promise<Grant | null> {
  const secret = readSession(request);
  return secret === '' ? null : (grants.recall(secret) ?? (await grants.find(secret, 'session')));
}

function send(reply: FastifyReply, { status = 200, text }: Shown): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}
