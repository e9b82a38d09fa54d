import { html } from 'ghtml';
import type { Gift } from '../gifts/gift.ts';
import { wordsFor } from '../gifts/words/words.ts';
import type { GiftSettings } from '../workspaces/gift-settings.ts';

export type MailKind = 'GIFT' | 'REMINDER' | 'THANKS' | 'CODE';

/** What a mail about a gift is made of. */
export interface MailToCompose {
  kind: MailKind;
  gift: Gift;
  settings: GiftSettings;
  /** As people type it: 7K4Q-M2XD-9RTW-3HBN. */
  shortToken: string;
  links: {
    /** Opens the gift: `<public url>/g#<long token>`. */
    page: string;
    /** Where the short token is typed: `<public url>/g`. */
    codePage: string;
    /** Stops the reminders; null where there is nothing to stop. */
    quiet: string | null;
  };
  /** Of CODE: the six digits. */
  code?: string;
  /** The company's logo; absent: its name stands there. */
  logo?: { type: string; bytes: Buffer };
}

/** A mail as nodemailer takes it, without addresses and technical headers. */
export interface ComposedMail {
  /** Without line breaks, and short enough for a header. */
  subject: string;
  /** The name beside the sender's address: "Ada Okafor via Northwind Labs". */
  fromName: string;
  /** For Content-Language: fr-CA. */
  language: string;
  text: string;
  html: string;
  attachments: MailAttachment[];
}

interface MailAttachment {
  cid: string;
  filename: string;
  contentType: string;
  contentDisposition: 'inline';
  content: Buffer;
}

/** Writes a mail. The same gift and settings give the same mail, so a mail is written when it is sent and stored nowhere. */
export function composeMail({ kind, gift, settings, shortToken, links, code }: MailToCompose): ComposedMail {
  const words = wordsFor(gift.language, settings.language);
  const subject = words.say('giftSubject', { sender: gift.senderName }).replace(/\s+/g, ' ').slice(0, 200);
  const body = kind === 'CODE' ? (code ?? '') : kind === 'THANKS' ? (gift.thanks ?? '') : gift.message;
  const text = `${subject}\n\n${body}\n\n${links.page}\n${links.codePage}: ${shortToken}\n`;
  return {
    subject,
    fromName: `${gift.senderName} via ${settings.name}`,
    language: words.locale,
    text,
    html: html`<!doctype html><html lang="${words.locale}"><body><p>${body}</p><a href="${links.page}">${links.page}</a></body></html>`,
    attachments: [],
  };
}
