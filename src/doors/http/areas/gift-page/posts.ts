import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { setDayNotice } from '../../../../giving/automations/notice.ts';
import { type Claim, claimGift, mailAnotherCode } from '../../../../giving/gifts/claim.ts';
import { readThanks, thankSender } from '../../../../giving/gifts/thank.ts';
import { noteView } from '../../../../giving/gifts/view.ts';
import { guardCodes } from '../../limits/guesses.ts';
import { maxPostBytes } from './bodies.ts';
import { digitsPage, noDigitsPage } from './digits.ts';
import { findVisitorsGift, viewGift } from './look-up.ts';
import type { GiftPageOptions } from './options.ts';
import { rejectPostsOfOtherSites } from './same-origin.ts';
import { notFound, pageOf, type Respond, type Shown, type ViewOf } from './shown.ts';
import { spendAnswers } from './spend-posts.ts';
import type { Fields } from './visitor.ts';

/** What a person does with a gift: look, claim, ask for another code, give thanks, spend. Each answers with the gift's page. */
export async function servePosts(app: FastifyInstance, options: GiftPageOptions): Promise<void> {
  const lookUp = guardCodes(options.metrics, app.log);
  const viewOf: ViewOf = (request, gift) => viewGift(options, request, gift);
  const post = (url: string, answer: Respond) =>
    app.post(url, { schema: { hide: true }, bodyLimit: maxPostBytes }, async (request, reply) => {
      const fields = (request.body ?? {}) as Fields;
      const gift = await findVisitorsGift(options, lookUp, request.ip, fields);
      return send(reply, gift ? await answer(request, gift, fields) : notFound(request));
    });
  app.addHook('onRequest', rejectPostsOfOtherSites(options.publicUrl));
  post('', look(options, viewOf, false));
  post('/look', look(options, viewOf, true));
  post('/claim', async (request, gift, { digits = null }) =>
    claimAnswer(request, viewOf, await claimGift(options, gift, digits)),
  );
  post('/code', async (request, gift) => claimAnswer(request, viewOf, await mailAnotherCode(options, gift)));
  post('/thanks', thank(options, viewOf));
  post('/notice', changeNotice(options, viewOf));
  for (const [url, answer] of Object.entries(spendAnswers(options, viewOf))) post(url, answer);
}

/** A browser with the script gets the parcel first. */
function look({ database }: GiftPageOptions, viewOf: ViewOf, isScripted: boolean): Respond {
  return async (request, gift) => {
    const view = await viewOf(request, gift);
    // A look does not fail because the workspace is busy: a later one is noted then.
    await noteView(database, gift).catch((error) => request.log.debug({ err: error }, 'A look was not noted.'));
    return { text: pageOf(view, isScripted) };
  };
}

function thank(options: GiftPageOptions, viewOf: ViewOf): Respond {
  return async (request, found, { thanks = '' }) => {
    const note = readThanks(thanks);
    if (note === null) return { status: 400, text: pageOf(await viewOf(request, found), false, thanks) };
    const { outcome, gift } = await thankSender(options, found, note);
    if (outcome === 'gone') return notFound(request);
    return { status: outcome === 'closed' ? 409 : 200, text: pageOf(await viewOf(request, gift), false) };
  };
}

function changeNotice({ database }: GiftPageOptions, viewOf: ViewOf): Respond {
  return async (request, gift, { hide }) => {
    const person = { is: 'USER', id: null, name: `${gift.firstName} ${gift.lastName}`.trim() } as const;
    await inWorkspace(database, gift.workspaceId, (tx) => setDayNotice(tx, person, gift, hide === 'yes'));
    return { text: pageOf(await viewOf(request, gift), false) };
  };
}

async function claimAnswer(request: FastifyRequest, viewOf: ViewOf, { outcome, gift }: Claim): Promise<Shown> {
  if (outcome === 'gone') return notFound(request);
  const view = await viewOf(request, gift);
  if (outcome === 'claimed') return { text: pageOf(view, false) };
  if (outcome === 'closed') return { status: 409, text: pageOf(view, false) };
  if (outcome === 'no email') return { status: 409, text: noDigitsPage(view) };
  return { status: outcome === 'code asked' ? 200 : 409, text: digitsPage(view, outcome) };
}

function send(reply: FastifyReply, { status = 200, text }: Shown): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}
