import type { DraftedGift } from '../../../../giving/delivery/compose/drafts.ts';
import { wordsFor } from '../../../../giving/gifts/words/words.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { readPageCompany } from './logo.ts';
import { openPage } from './open.ts';

/** The page of a draft, with its letter open. It has no token, so its forms do nothing. */
export async function previewPage(on: Queryable, { gift, company }: DraftedGift, publicUrl: string): Promise<string> {
  const { settings } = company;
  const view = {
    gift,
    settings,
    company: await readPageCompany(on, gift.workspaceId, settings),
    words: wordsFor(gift.language, settings.language),
    longToken: '',
    shortToken: '',
    lang: null,
    spending: null,
    notice: null,
    host: new URL(publicUrl).host,
  };
  return openPage(view, false);
}
