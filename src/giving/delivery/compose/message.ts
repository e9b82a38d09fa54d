import { type GiftSettings, readGiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { type Logo, readLogo } from '../../../company/workspaces/logo.ts';
import type { Config } from '../../../ground/config/config.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { claimCode } from '../../gifts/codes.ts';
import type { Gift } from '../../gifts/gift.ts';
import { quietToken } from '../../gifts/quiet.ts';
import type { GiftTokenKeys } from '../../gifts/token-keys.ts';
import { longToken, shortToken, type TokenSource } from '../../gifts/tokens.ts';
import type { OutgoingMail } from '../send/transport.ts';
import {
  type ComposedMail,
  composeHead,
  composeMail,
  type MailHead,
  type MailKind,
  type MailToCompose,
} from './compose.ts';
import type { DecidedRequest } from './decision.ts';
import { messageIdOf, returnPathOf, signedName } from './message-id.ts';
import { oneLine } from './plain.ts';

/** What all emails of an installation have in common. */
export interface Letterhead {
  keys: GiftTokenKeys;
  from: string;
  /** Where mail servers return emails; null: to the sender, without naming the email. */
  bounces: string | null;
  /** The base of links, without a slash at the end. */
  publicUrl: string;
}

type MailConfig = Pick<Config, 'mailFrom' | 'mailBounces' | 'publicUrl'>;

/** `address` is where the service listens: links begin with it where no public address is set. */
export function letterheadOf(config: MailConfig, keys: GiftTokenKeys, address: string): Letterhead {
  return {
    keys,
    from: config.mailFrom ?? 'gifts@localhost',
    bounces: config.mailBounces,
    // 0.0.0.0 is no address to link to.
    publicUrl: config.publicUrl ?? address.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//localhost'),
  };
}

/** What the emails of a workspace have in common. */
export interface MailCompany {
  settings: GiftSettings;
  logo: Logo | null;
}

export async function readMailCompany(on: Queryable, workspaceId: number): Promise<MailCompany> {
  const settings = await readGiftSettings(on, workspaceId);
  return { settings, logo: settings.hasLogo ? await readLogo(on, workspaceId) : null };
}

export interface MailToWrite {
  kind: MailKind;
  nth: number;
  gift: Gift;
  company: MailCompany;
  /** Of DECISION: what was decided. */
  decision?: DecidedRequest | null;
}

/** The link to a gift's page. What stands behind the # no server is sent, so no log has it. */
export function giftLink({ keys, publicUrl }: Pick<Letterhead, 'keys' | 'publicUrl'>, gift: TokenSource): string {
  return `${publicUrl}/g#${longToken(keys, gift)}`;
}

/** An email's text, for the mail server and for the outbox. */
export function writeMail(letterhead: Letterhead, mail: MailToWrite): ComposedMail {
  return composeMail(materialOf(letterhead, mail));
}

/** What a list shows of it. Writing 50 emails in full takes as long as several reports. */
export function writeHead(letterhead: Letterhead, mail: MailToWrite): MailHead {
  return composeHead(materialOf(letterhead, mail));
}

function materialOf(
  { keys, publicUrl }: Letterhead,
  { kind, nth, gift, company, decision }: MailToWrite,
): MailToCompose {
  const { settings, logo } = company;
  return {
    kind,
    gift,
    settings,
    ...(logo && { logo }),
    shortToken: shortToken(keys, gift),
    links: {
      page: giftLink({ keys, publicUrl }, gift),
      codePage: `${publicUrl}/g`,
      quiet: quietLink({ keys, publicUrl }, kind, gift),
    },
    ...(kind === 'CODE' && { code: claimCode(keys, gift, nth) }),
    ...(decision && { decision }),
  };
}

/** The email as it is handed to the mail server. */
export function addressMail(letterhead: Letterhead, mail: MailToWrite, address: string): OutgoingMail {
  const { from, bounces } = letterhead;
  const name = mailName(letterhead.keys, mail);
  return outgoing(writeMail(letterhead, mail), from, {
    messageId: messageIdOf(name, from),
    envelope: { from: returnPathOf(name, bounces, from), to: address },
    to: { name: recipientName(mail), address },
    replyTo: mail.company.settings.replyTo,
    headers: unsubscribeHeaders(quietLink(letterhead, mail.kind, mail.gift)),
  });
}

type Addressed = Pick<OutgoingMail, 'messageId' | 'envelope' | 'to' | 'headers'> & { replyTo?: string | null };

/** A composed email with its addresses. */
export function outgoing(composed: ComposedMail, from: string, addressed: Addressed): OutgoingMail {
  const { subject, fromName, language, text, html, attachments } = composed;
  const { replyTo, headers, ...rest } = addressed;
  return {
    ...rest,
    from: { name: fromName, address: from },
    ...(replyTo && { replyTo }),
    subject,
    text,
    html,
    attachments,
    headers: { ...fixedHeaders, 'Content-Language': language, ...headers },
  };
}

export function mailName(keys: GiftTokenKeys, { kind, nth, gift }: Omit<MailToWrite, 'company'>): string {
  const { workspaceId, id: giftId, edition, keyVersion } = gift;
  return signedName(keys, { kind, workspaceId, giftId, edition, nth }, keyVersion);
}

function recipientName({ kind, gift }: MailToWrite): string {
  return oneLine(kind === 'THANKS' ? gift.senderName : `${gift.firstName} ${gift.lastName}`, 80);
}

/** Null where there are no reminders to stop. */
function quietLink({ keys, publicUrl }: Pick<Letterhead, 'keys' | 'publicUrl'>, kind: MailKind, gift: Gift) {
  return kind === 'GIFT' || kind === 'REMINDER' ? `${publicUrl}/g/quiet/${quietToken(keys, gift)}` : null;
}

/** An email program that knows RFC 8058 stops reminders or digests with one click. */
export function unsubscribeHeaders(link: string | null) {
  if (link === null) return {};
  return { 'List-Unsubscribe': asIs(`<${link}>`), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Says that a program has written the email, so that no absence note answers it. The others switch off click and open tracking at
 * SendGrid, Mailgun, Postmark, Mandrill, SparkPost and Mailjet: a link that is rewritten by them would lead over their servers.
 */
export const fixedHeaders = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  'X-SMTPAPI': asIs(
    JSON.stringify({
      filters: {
        clicktrack: { settings: { enable: 0, enable_text: false } },
        opentrack: { settings: { enable: 0 } },
      },
    }),
  ),
  'X-Mailgun-Track': 'no',
  'X-PM-TrackLinks': 'None',
  'X-PM-TrackOpens': 'false',
  'X-MC-Track': 'none',
  'X-MSYS-API': asIs(JSON.stringify({ options: { click_tracking: false, open_tracking: false } })),
  'X-Mailjet-TrackClick': '0',
  'X-Mailjet-TrackOpen': '0',
};

/** A long value without spaces would be encoded, and who reads these headers does not decode them. */
function asIs(value: string) {
  return { prepared: true, value };
}
