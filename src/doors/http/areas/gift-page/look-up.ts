import type { FastifyRequest } from 'fastify';
import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { readDayNotice } from '../../../../giving/automations/notice.ts';
import { findByLongToken, findByShortToken, type Gift } from '../../../../giving/gifts/gift.ts';
import { longToken, readShortToken, shortToken } from '../../../../giving/gifts/tokens.ts';
import type { LookUpCode } from '../../limits/guesses.ts';
import type { GiftView } from './gift-view.ts';
import { readPageCompany } from './logo.ts';
import type { GiftPageOptions } from './options.ts';
import { readSpending } from './spending.ts';
import { chosenLanguage, type Fields, giftWords } from './visitor.ts';

/**
 * The gift of a link or of a typed code; null if it does not exist. Wrong codes are limited for each IP address. A link is not: what it
 * carries is verified without a look-up, so that wrong ones cost nothing.
 */
export function findVisitorsGift(
  { database, keys }: GiftPageOptions,
  lookUp: LookUpCode,
  address: string,
  { token = '', code = '' }: Fields,
): Promise<Gift | null> {
  const typed = code || (readShortToken(token) ? token : '');
  if (typed === '') return findByLongToken(database, keys, token);
  return lookUp(address, () => findByShortToken(database, keys, typed));
}

export async function viewGift(options: GiftPageOptions, request: FastifyRequest, gift: Gift): Promise<GiftView> {
  const { database, keys, publicUrl } = options;
  const settings = await readGiftSettings(database, gift.workspaceId);
  return {
    gift,
    settings,
    company: await readPageCompany(database, gift.workspaceId, settings),
    words: giftWords(request, gift.language, settings.language),
    longToken: longToken(keys, gift),
    shortToken: shortToken(keys, gift),
    lang: chosenLanguage(request),
    spending: await readSpending(database, gift),
    notice: await readDayNotice(database, gift),
    host: publicUrl === null ? (request.headers.host ?? '') : new URL(publicUrl).host,
  };
}
