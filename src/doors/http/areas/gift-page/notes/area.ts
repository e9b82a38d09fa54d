import type { FastifyRequest } from 'fastify';
import type { Area } from '../../../area.ts';
import { grantOfBrowser, type LinkPages, linkPageArea } from '../link-pages.ts';
import { noteBase, noteErrorPage, noteNotFoundPage, noteStartPage, otherManagerPage } from './notices.ts';
import { notePageOf, press } from './press.ts';
import { findNoteVisit, type NotePageOptions, type NoteVisit } from './visit.ts';

/** The page on which managers add a line to a message of an automation, or give a shoutout that it has drafted. */
export function notePageArea(options: NotePageOptions): Area {
  const pages: LinkPages<NoteVisit> = {
    base: noteBase,
    start: noteStartPage,
    notFound: noteNotFoundPage,
    error: noteErrorPage,
    find: (request, token) => findNoteVisit(options, request, token),
    async rejectOther(request, visit) {
      const other = await findOtherUser(options, request, visit);
      return other === null ? null : { status: 403, text: otherManagerPage(visit, other) };
    },
    look: (visit) => notePageOf(options, visit),
    press: (visit, fields) => press(options, visit, fields),
  };
  return linkPageArea(pages, options.publicUrl);
}

/** The name of a user who is signed in and is another person of this workspace. */
async function findOtherUser(
  options: NotePageOptions,
  request: FastifyRequest,
  { mail }: NoteVisit,
): Promise<string | null> {
  const grant = await grantOfBrowser(options, request);
  const own = grant?.workspaces.find(({ workspaceId }) => workspaceId === mail.workspaceId);
  return own && own.memberId !== mail.memberId ? (grant?.session?.user?.name ?? own.senderName) : null;
}
