import type { FastifyRequest } from 'fastify';
import type { Gift } from '../../../../giving/gifts/gift.ts';
import { claimedPage } from './claimed.ts';
import { cancelledPage, expiredPage } from './ended.ts';
import type { GiftView } from './gift-view.ts';
import { notFoundPage } from './notices.ts';
import { openPage } from './open.ts';
import { chosenLanguage, type Fields, visitorWords } from './visitor.ts';

/** What an answer shows, and its status. */
export interface Shown {
  status?: number;
  text: string;
}

export type Respond = (request: FastifyRequest, gift: Gift, fields: Fields) => Promise<Shown>;
export type ViewOf = (request: FastifyRequest, gift: Gift) => Promise<GiftView>;

/** The page of a gift as it stands. A browser with the script gets the parcel first. */
export function pageOf(view: GiftView, isScripted: boolean, refusedNote: string | null = null): string {
  switch (view.gift.state) {
    case 'ISSUED':
      return openPage(view, isScripted);
    case 'EXPIRED':
      return expiredPage(view);
    case 'CANCELLED':
      return cancelledPage(view);
    default:
      return claimedPage(view, { refusedNote });
  }
}

export function notFound(request: FastifyRequest): Shown {
  const { code } = (request.body ?? {}) as Fields;
  return { status: 404, text: notFoundPage(visitorWords(request), chosenLanguage(request), code) };
}
