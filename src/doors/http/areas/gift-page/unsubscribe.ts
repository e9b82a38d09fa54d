import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';
import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import {
  readUnsubscribeToken,
  type Subscription,
  unsubscribe,
} from '../../../../giving/delivery/digests/unsubscribe.ts';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import { type LinkRequest, serveEmailedLink } from './emailed-link.ts';
import { readPageCompany } from './logo.ts';
import type { GiftPageOptions } from './options.ts';
import { isolate, type PageCompany, writeGiftPage } from './page.ts';
import { bowMark, brokenWire, intro } from './parcel.ts';
import { visitorWords } from './visitor.ts';

/** The address in every digest that turns it off. The page is the same for everyone, whether they are known or not. */
export async function serveUnsubscribe(app: FastifyInstance, options: GiftPageOptions): Promise<void> {
  serveEmailedLink(app, {
    path: '/unsubscribe',
    find: (token) => readUnsubscribeToken(options.keys, token),
    ask: async (request, subscription) => askPage(await viewOf(options, request, subscription)),
    async act(request, subscription) {
      const view = await viewOf(options, request, subscription);
      await unsubscribe(options.database, subscription);
      return donePage(view);
    },
  });
}

interface UnsubscribeView {
  words: Words;
  company: PageCompany;
  kind: Subscription['kind'];
  /** The address of the page itself. */
  address: string;
}

async function viewOf(
  { database }: GiftPageOptions,
  request: LinkRequest,
  { workspaceId, kind }: Subscription,
): Promise<UnsubscribeView> {
  const company = await readPageCompany(database, workspaceId, await readGiftSettings(database, workspaceId));
  return { words: visitorWords(request), company, kind, address: `/g/unsubscribe/${request.params.token}` };
}

function askPage({ words, company, kind, address }: UnsubscribeView): string {
  const title = words.say('unsubscribeTitle');
  const lead = words.say('unsubscribeLead', { kind, company: isolate(company.name) });
  const body = html`<section class="state">!${intro(brokenWire, title, lead)}
<form method="post" action="${address}"><button class="button">${words.say('unsubscribeButton')}</button></form>
</section>`;
  return writeGiftPage({ words, company, title, body });
}

function donePage({ words, company }: UnsubscribeView): string {
  const title = words.say('unsubscribeDoneTitle');
  const body = html`<section class="state">!${intro(bowMark, title, words.say('unsubscribeDoneLead'))}</section>`;
  return writeGiftPage({ words, company, title, body });
}
