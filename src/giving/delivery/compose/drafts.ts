import { randomUUID } from 'node:crypto';
import { giftSettingProblem } from '../../../company/workspaces/gift-setting-rules.ts';
import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { timeOf } from '../../../company/workspaces/lock.ts';
import type { GiftDraft } from '../../../ground/contract/gift-draft.ts';
import { type Queryable, queryOne } from '../../../ground/database/database.ts';
import { invalid } from '../../../ground/errors.ts';
import { endOfClaim } from '../../gifts/certificates.ts';
import type { Gift } from '../../gifts/gift.ts';
import { currentTokenVersion } from '../../gifts/tokens.ts';
import type { OutgoingMail } from '../send/transport.ts';
import { type ComposedMail, composeMail } from './compose.ts';
import { type Letterhead, type MailCompany, outgoing, readMailCompany } from './message.ts';
import { messageIdOf } from './message-id.ts';

/** Who would order the gift. */
export interface DraftSender {
  workspaceId: number;
  memberId: number;
  senderName: string;
}

/** The draft of a gift, and the company that sends it. */
export interface DraftedGift {
  gift: Gift;
  company: MailCompany;
}

/** Placeholder for the short token in previews. Real tokens never match it. */
const noToken = 'XXXX-XXXX-XXXX-XXXX';

/** `reason` is the description of the draft's reason. */
export async function draftGift(
  on: Queryable,
  { workspaceId, memberId, senderName }: DraftSender,
  draft: GiftDraft,
  reason: string,
): Promise<DraftedGift> {
  const { now, expiresAt } = await queryOne<{ now: Date; expiresAt: Date | null }>(on, claimSql, [
    workspaceId,
    draft.deliverAt ?? null,
  ]);
  const company = await readMailCompany(on, workspaceId);
  const settings = withBrand(company.settings, draft.brand ?? {});
  return {
    company: { ...company, settings },
    gift: {
      ...unknownRecipient,
      workspaceId,
      amount: draft.amount,
      currency: draft.currency,
      message: draft.message,
      reason,
      occasion: draft.occasion ?? null,
      language: draft.language ?? settings.language,
      senderId: memberId,
      senderName: draft.senderName ?? senderName,
      firstName: draft.firstName ?? '',
      lastName: draft.lastName ?? '',
      issuedAt: now,
      expiresAt,
    },
  };
}

/** The email about a draft. What opens a gift in other emails opens none in this one. */
export function writeDraft({ publicUrl }: Letterhead, { gift, company }: DraftedGift, isTest = false): ComposedMail {
  const { settings, logo } = company;
  const page = `${publicUrl}/g`;
  return composeMail({
    kind: 'GIFT',
    gift,
    settings,
    ...(logo && { logo }),
    isTest,
    shortToken: noToken,
    links: { page, codePage: page, quiet: null },
  });
}

/** The email about a draft to the person who wrote it. No email that comes back is taken for one about a gift. */
export function addressTest(letterhead: Letterhead, drafted: DraftedGift, address: string): OutgoingMail {
  const { from } = letterhead;
  return outgoing(writeDraft(letterhead, drafted, true), from, {
    messageId: messageIdOf(`test.${randomUUID()}`, from),
    envelope: { from, to: address },
    to: address,
  });
}

function withBrand(settings: GiftSettings, brand: NonNullable<GiftDraft['brand']>): GiftSettings {
  const faults = Object.entries(brand).flatMap(([key, value]) => {
    const problem = value == null ? null : giftSettingProblem(key as keyof typeof brand, value);
    return problem === null ? [] : [{ path: `brand.${key}`, problem }];
  });
  if (faults.length > 0) throw invalid(faults);
  const { name, colour, replyTo, sentence } = brand;
  return {
    ...settings,
    ...(name && { name }),
    ...(colour !== undefined && { colour }),
    ...(replyTo !== undefined && { replyTo }),
    ...(sentence !== undefined && { sentence }),
  };
}

/** What a draft has not got yet. */
const unknownRecipient = {
  redeemed: 0,
  requestId: '00000000-0000-0000-0000-000000000000',
  position: 0,
  id: 0,
  keyVersion: 0,
  edition: 0,
  tokenVersion: currentTokenVersion,
  state: 'ISSUED' as const,
  customerRequestId: null,
  memberId: 0,
  email: null,
  employeeNumber: null,
  viewedAt: null,
  claimedAt: null,
  thanks: null,
};

const claimSql = `
  select moment.now, ${endOfClaim('greatest(moment.now, $2::timestamptz)', 'w')} as "expiresAt"
    from workspaces w
    join activity_counters a on a.workspace_id = w.id
   cross join lateral (select ${timeOf('a')}) as moment (now)
   where w.id = $1`;
