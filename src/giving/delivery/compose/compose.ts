import { readImage } from '../../../ground/values/image.ts';
import { brandColours } from '../../gifts/brand.ts';
import { type LogoSize, mailHtml } from './html.ts';
import { type Letter, type MailToCompose, writeLetter } from './letter.ts';
import { oneLine } from './plain.ts';
import { mailText } from './text.ts';

export type { MailKind, MailToCompose } from './letter.ts';

/** An email as nodemailer takes it, without addresses and technical headers. */
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

/** What a list shows of an email. */
export type MailHead = Pick<ComposedMail, 'subject' | 'fromName'>;

export function composeHead(mail: MailToCompose): MailHead {
  return headOf(writeLetter(mail));
}

function headOf({ subject, fromName }: Letter): MailHead {
  return { subject: oneLine(subject, 150), fromName: oneLine(fromName, 150) };
}

/** Writes an email. The same gift and settings give the same email, so an email is written when it is sent and stored nowhere. */
export function composeMail(mail: MailToCompose): ComposedMail {
  return composeLetter(writeLetter(mail), mail);
}

export function composeLetter(letter: Letter, { settings, logo }: Branding): ComposedMail {
  const image = logo ? readImage(logo.bytes) : null;
  const attachments = logo && image ? [logoAttachment(logo)] : [];
  return {
    ...headOf(letter),
    language: letter.words.locale,
    text: mailText(letter),
    html: mailHtml(letter, brandColours(settings.colour), image && fitted(image)),
    attachments,
  };
}

interface Branding {
  settings: { colour: string | null };
  logo?: { type: string; bytes: Buffer } | null;
}

/** The email's HTML with its pictures inside, so that it can be opened as a file. */
export function withPictures({ html, attachments }: ComposedMail): string {
  return attachments.reduce(
    (page, { cid, contentType, content }) =>
      page.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content.toString('base64')}`),
    html,
  );
}

function logoAttachment({ type, bytes }: { type: string; bytes: Buffer }): MailAttachment {
  const filename = `logo.${type === 'image/png' ? 'png' : 'jpg'}`;
  return { cid: 'logo', filename, contentType: type, contentDisposition: 'inline', content: bytes };
}

/** The largest size within 180 × 40. Mail programs that know no max-width need figures. */
function fitted({ width, height }: LogoSize): LogoSize {
  const scale = Math.min(1, 180 / width, 40 / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
