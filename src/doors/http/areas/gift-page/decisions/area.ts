import type { FastifyRequest } from 'fastify';
import type { Area } from '../../../area.ts';
import { grantOfBrowser, type LinkPages, linkPageArea } from '../link-pages.ts';
import { decide } from './decide.ts';
import { base, decisionStartPage, linkErrorPage, linkNotFoundPage, otherPersonPage } from './notices.ts';
import { decisionPageOf } from './page-of.ts';
import { type DecisionPageOptions, findVisit, type Visit } from './visit.ts';

/** The page on which approvers decide from their email. */
export function decisionPageArea(options: DecisionPageOptions): Area {
  const pages: LinkPages<Visit> = {
    base,
    start: decisionStartPage,
    notFound: linkNotFoundPage,
    error: linkErrorPage,
    find: (request, token) => findVisit(options, request, token),
    async rejectOther(request, visit) {
      const other = await findOtherUser(options, request, visit);
      return other === null ? null : { status: 403, text: otherPersonPage(visit, other) };
    },
    look: (visit) => decisionPageOf(options, visit),
    press: (visit, fields) => decide(options, visit, fields),
  };
  return linkPageArea(pages, options.publicUrl);
}

/** Another user's name, if this browser has their session: a colleague to whom the email was forwarded cannot decide. */
async function findOtherUser(
  options: DecisionPageOptions,
  request: FastifyRequest,
  { mail }: Visit,
): Promise<string | null> {
  const user = (await grantOfBrowser(options, request))?.session?.user;
  return user && user.id !== mail.userId ? user.name : null;
}
