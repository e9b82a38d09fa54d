import { timingSafeEqual } from 'node:crypto';
import { deriveSecret, type GiftTokenKeys } from '../../gifts/token-keys.ts';
import type { MailKind } from './compose.ts';

/** Names one email among all mails. An email that is sent again has the same name. */
export interface MailName {
  kind: MailKind;
  workspaceId: number;
  giftId: number;
  edition: number;
  /** Which reminder, which code, or which request. */
  nth: number;
}

// Short, because the part of an address before the @ has 64 characters at most. In lower case, because some mail servers
// change the case.
const letters: Record<MailKind, string> = { GIFT: 'g', REMINDER: 'r', THANKS: 't', CODE: 'c', DECISION: 'w' };
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as MailKind]));
const macBytes = 8;
const number = '([0-9a-z]{1,15})';
const form = new RegExp(
  `(gift|gw)\\.([grtcw])\\.${number}\\.${number}\\.${number}\\.${number}\\.([0-9a-f]{16})(?![0-9a-z])`,
  'gi',
);
/** Larger editions and counts exist after a restore. Names with one are written to base 36, to stay short. */
const lastPlainNumber = 99_999;
/** More than a report about one email has. */
const mostNames = 20;

/**
 * The name as text, with a proof that we have made it: `gift.g.1.90210.0.0.<proof>`. It carries no secret of the gift. The key is
 * the gift's, so that the name stays the same when keys are rotated.
 */
export function signedName(keys: GiftTokenKeys, name: MailName, keyVersion: number): string {
  const text = plainText(name);
  return `${text}.${proof(keys, text, keyVersion).toString('hex')}`;
}

export function messageIdOf(text: string, from: string): string {
  return `<${text}@${domainOf(from)}>`;
}

/** Where a mail server returns the email. With an address for bounces, the return address names the email, and cannot be forged. */
export function returnPathOf(text: string, bounces: string | null, from: string): string {
  if (bounces === null) return from;
  const at = bounces.lastIndexOf('@');
  return `${bounces.slice(0, at)}+${text}${bounces.slice(at)}`;
}

/** The emails that are named in a text, for instance in a Message-ID or a return path. Names that we have not made are left out. */
export function readMailNames(keys: GiftTokenKeys, text: string): MailName[] {
  return text
    .matchAll(form)
    .take(mostNames)
    .flatMap((match) => {
      const name = nameOf(keys, match);
      return name === null ? [] : [name];
    })
    .toArray();
}

function nameOf(keys: GiftTokenKeys, match: string[]): MailName | null {
  const [whole = '', prefix = '', letter = '', workspaceId, giftId, edition, nth, mac = ''] = match;
  const read = (text = '') => Number.parseInt(text, prefix.toLowerCase() === 'gw' ? 36 : 10);
  const name: MailName = {
    kind: kinds.get(letter.toLowerCase()) as MailKind,
    workspaceId: read(workspaceId),
    giftId: read(giftId),
    edition: read(edition),
    nth: read(nth),
  };
  if (!whole.toLowerCase().startsWith(`${plainText(name)}.`)) return null;
  const given = Buffer.from(mac, 'hex');
  const isOurs = [...keys.byVersion.keys()].some((version) =>
    timingSafeEqual(proof(keys, plainText(name), version), given),
  );
  return isOurs ? name : null;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function plainText({ kind, workspaceId, giftId, edition, nth }: MailName): string {
  const isPlain = Math.max(edition, nth) <= lastPlainNumber;
  const numbers = [workspaceId, giftId, edition, nth].map((one) => one.toString(isPlain ? 10 : 36));
  return [isPlain ? 'gift' : 'gw', letters[kind], ...numbers].join('.');
}

function proof(keys: GiftTokenKeys, text: string, keyVersion: number): Buffer {
  return deriveSecret(keys)(`mail:${text}`, keyVersion).subarray(0, macBytes);
}
