import type { FastifyRequest } from 'fastify';
import { readUserGrant } from '../../../../../company/access/grant-rows.ts';
import type { Grants, SignedInUser, WorkspaceGrant } from '../../../../../company/access/grants.ts';
import { readGiftSettings } from '../../../../../company/workspaces/gift-settings.ts';
import type { DecisionSteps } from '../../../../../giving/approvals/outcomes.ts';
import type { ApprovalMail } from '../../../../../giving/delivery/approvals/due.ts';
import { findAskingMail } from '../../../../../giving/delivery/approvals/find.ts';
import { type ReadMatter, readMatter } from '../../../../../giving/delivery/approvals/matter.ts';
import { readMailToken } from '../../../../../giving/delivery/mail-link.ts';
import type { GiftTokenKeys } from '../../../../../giving/gifts/token-keys.ts';
import { type Words, wordsFor } from '../../../../../giving/gifts/words/words.ts';
import type { Database, Queryable } from '../../../../../ground/database/database.ts';
import type { Language } from '../../../../../ground/values/language.ts';
import type { ReadSession } from '../../../callers/session-cookie.ts';
import { readPageCompany } from '../logo.ts';
import type { PageCompany } from '../page.ts';
import { chosenLanguage } from '../visitor.ts';

export interface DecisionPageOptions {
  lookUps: Queryable;
  people: Database;
  keys: GiftTokenKeys;
  steps: DecisionSteps;
  grants: Grants;
  readSession: ReadSession;
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
}

/** What the page of a link is made of. */
export interface Visit {
  token: string;
  mail: ApprovalMail;
  /** The approver, with what they may do; null: they may not decide any longer, or have another address. */
  approver: { user: SignedInUser; workspace: WorkspaceGrant } | null;
  company: PageCompany;
  words: Words;
  lang: Language | null;
  timeZone: string;
  workspaceId: number;
}

/** What was typed, and why it was not taken. */
export interface Typed {
  comment: string;
  problem: string | null;
  /** What is wrong with the comment; null: nothing. */
  commentFault: 'commentFault' | 'commentLong' | null;
}

/** The email whose link a visitor has opened; null if the link is not ours. */
export async function findVisit(
  options: DecisionPageOptions,
  request: FastifyRequest,
  token: string,
): Promise<Visit | null> {
  const { lookUps, keys } = options;
  const linked = readMailToken(keys, 'decide', token);
  const mail = linked && (await findAskingMail(lookUps, linked));
  if (!mail || mail.userId === null) return null;
  const { workspaceId } = mail;
  const settings = await readGiftSettings(lookUps, workspaceId);
  const lang = chosenLanguage(request);
  const found = mail.isAddressCurrent ? await readUserGrant(lookUps, mail.userId, workspaceId) : null;
  return {
    token,
    mail,
    approver: found?.workspace.scopes.includes('approvals:decide') ? found : null,
    company: await readPageCompany(lookUps, workspaceId, settings),
    words: wordsFor(...(lang === null ? [mail.language ?? ''] : [lang]), settings.language),
    lang,
    timeZone: settings.timeZone,
    workspaceId,
  };
}

/** The request in its current state. A link of a person who may not decide any longer, or has another address, shows nothing of it. */
export async function readVisited({ lookUps }: DecisionPageOptions, { approver, mail }: Visit): Promise<ReadMatter> {
  const read = await readMatter(lookUps, mail);
  return approver ? read : { ...read, open: null, decided: null };
}
