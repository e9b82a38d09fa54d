import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { stopReminders } from '../../../../giving/delivery/queue.ts';
import { type Gift, readGiftsById } from '../../../../giving/gifts/gift.ts';
import { readQuietToken } from '../../../../giving/gifts/quiet.ts';
import { ignoreBodies } from './bodies.ts';
import { readPageCompany } from './logo.ts';
import { notFoundPage } from './notices.ts';
import type { GiftPageOptions } from './options.ts';
import { type QuietView, quietDonePage, quietPage } from './quiet.ts';
import { chosenLanguage, giftWords, visitorWords } from './visitor.ts';

type Request = FastifyRequest<{ Params: { token: string } }>;

/**
 * The address in every reminder that stops further ones. Opening it asks; a post stops them, from the page or from the mailbox's own
 * "unsubscribe" (RFC 8058), which comes from another site and is welcome.
 */
export async function serveQuiet(app: FastifyInstance, options: GiftPageOptions): Promise<void> {
  const { database } = options;
  ignoreBodies(app);
  const serve = (method: 'GET' | 'POST', write: (view: QuietView, gift: Gift) => Promise<string>) =>
    app.route<{ Params: { token: string } }>({
      method,
      url: '/quiet/:token',
      schema: { hide: true },
      async handler(request, reply) {
        const gift = await findQuietGift(options, request.params.token);
        if (!gift) return sendNotFound(request, reply);
        const text = await write(await viewQuiet(options, request, gift), gift);
        return reply.type('text/html; charset=utf-8').send(text);
      },
    });
  serve('GET', async (view) => quietPage(view));
  serve('POST', async (view, gift) => {
    await inWorkspace(database, gift.workspaceId, (tx) => stopReminders(tx, gift.workspaceId, gift));
    return quietDonePage(view);
  });
}

async function findQuietGift({ database, keys }: GiftPageOptions, token: string): Promise<Gift | null> {
  const source = readQuietToken(keys, token);
  const [gift] = source ? await readGiftsById(database, source.workspaceId, [source.id]) : [];
  return gift && gift.edition === source?.edition ? gift : null;
}

async function viewQuiet({ database }: GiftPageOptions, request: Request, gift: Gift): Promise<QuietView> {
  const settings = await readGiftSettings(database, gift.workspaceId);
  return {
    words: giftWords(request, gift.language, settings.language),
    company: await readPageCompany(database, gift.workspaceId, settings),
    address: `/g/quiet/${request.params.token}`,
  };
}

function sendNotFound(request: Request, reply: FastifyReply): FastifyReply {
  const text = notFoundPage(visitorWords(request), chosenLanguage(request));
  return reply.code(404).type('text/html; charset=utf-8').send(text);
}
