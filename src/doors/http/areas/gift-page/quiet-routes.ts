import type { FastifyInstance } from 'fastify';
import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { stopReminders } from '../../../../giving/delivery/queue.ts';
import { type Gift, readGiftsById } from '../../../../giving/gifts/gift.ts';
import { readQuietToken } from '../../../../giving/gifts/quiet.ts';
import { type LinkRequest, serveEmailedLink } from './emailed-link.ts';
import { readPageCompany } from './logo.ts';
import type { GiftPageOptions } from './options.ts';
import { type QuietView, quietDonePage, quietPage } from './quiet.ts';
import { giftWords } from './visitor.ts';

/** The address in every reminder that stops further ones. */
export async function serveQuiet(app: FastifyInstance, options: GiftPageOptions): Promise<void> {
  const { database } = options;
  serveEmailedLink(app, {
    path: '/quiet',
    find: (token) => findQuietGift(options, token),
    ask: async (request, gift) => quietPage(await viewQuiet(options, request, gift)),
    async act(request, gift) {
      const view = await viewQuiet(options, request, gift);
      await inWorkspace(database, gift.workspaceId, (tx) => stopReminders(tx, gift.workspaceId, gift));
      return quietDonePage(view);
    },
  });
}

async function findQuietGift({ database, keys }: GiftPageOptions, token: string): Promise<Gift | null> {
  const source = readQuietToken(keys, token);
  const [gift] = source ? await readGiftsById(database, source.workspaceId, [source.id]) : [];
  return gift && gift.edition === source?.edition ? gift : null;
}

async function viewQuiet({ database }: GiftPageOptions, request: LinkRequest, gift: Gift): Promise<QuietView> {
  const settings = await readGiftSettings(database, gift.workspaceId);
  return {
    words: giftWords(request, gift.language, settings.language),
    company: await readPageCompany(database, gift.workspaceId, settings),
    address: `/g/quiet/${request.params.token}`,
  };
}
