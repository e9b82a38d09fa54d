import type { FastifyRequest } from 'fastify';
import type { Grants } from '../../../../../company/access/grants.ts';
import { readGiftSettings } from '../../../../../company/workspaces/gift-settings.ts';
import { readMailToken } from '../../../../../giving/delivery/mail-link.ts';
import { findManagerMail, type ManagerMail } from '../../../../../giving/delivery/managers/due.ts';
import type { GiftTokenKeys } from '../../../../../giving/gifts/token-keys.ts';
import { type Words, wordsFor } from '../../../../../giving/gifts/words/words.ts';
import type { Shoutouts } from '../../../../../giving/recognition/give.ts';
import type { Database, Queryable } from '../../../../../ground/database/database.ts';
import type { Language } from '../../../../../ground/values/language.ts';
import type { ReadSession } from '../../../callers/session-cookie.ts';
import { readPageCompany } from '../logo.ts';
import type { PageCompany } from '../page.ts';
import { chosenLanguage } from '../visitor.ts';

export interface NotePageOptions {
  lookUps: Queryable;
  people: Database;
  keys: GiftTokenKeys;
  shoutouts: Shoutouts;
  grants: Grants;
  readSession: ReadSession;
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
}

/** What the page of a manager's link is made of. */
export interface NoteVisit {
  token: string;
  mail: ManagerMail;
  company: PageCompany;
  words: Words;
  lang: Language | null;
}

/** The email whose link a visitor has opened; null if the link is not ours. */
export async function findNoteVisit(
  { lookUps, keys }: NotePageOptions,
  request: FastifyRequest,
  token: string,
): Promise<NoteVisit | null> {
  const linked = readMailToken(keys, 'note', token);
  const mail = linked && (await findManagerMail(lookUps, linked));
  if (!mail) return null;
  const settings = await readGiftSettings(lookUps, mail.workspaceId);
  const lang = chosenLanguage(request);
  return {
    token,
    mail,
    company: await readPageCompany(lookUps, mail.workspaceId, settings),
    words: wordsFor(...(lang === null ? [mail.language ?? ''] : [lang]), settings.language),
    lang,
  };
}
