import { timingSafeEqual } from 'node:crypto';
import { deriveSecret, type GiftTokenKeys } from '../gifts/token-keys.ts';
import type { MailKind } from './compose.ts';

/** Names one mail among all mails. A mail that is sent again has the same name. */
export interface MailName {
  kind: MailKind;
  workspaceId: number;
  giftId: number;
  edition: number;
  /** Which reminder, which code, or which wish. */
  nth: number;
}

// Short, because the part of an address before the @ has 64 characters at most. In lower case, because some mail servers
// change the case.
const letters: Record<MailKind, string> = { GIFT: 'g', REMINDER: 'r', THANKS: 't', CODE: 'c', WISH: 'w' };
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as MailKind]));
const macBytes = 8;
const form = /gift\.([grtcw])\.(\d{1,15})\.(\d{1,15})\.(\d{1,5})\.(\d{1,5})\.([0-9a-f]{16})(?![0-9a-z])/gi;
/** More than a report about one mail has. */
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

/** Where a mail server returns the mail. With an address for bounces the return names the mail, and nobody can forge it. */
export function returnPathOf(text: string, bounces: string | null, from: string): string {
  if (bounces === null) return from;
  const at = bounces.lastIndexOf('@');
  return `${bounces.slice(0, at)}+${text}${bounces.slice(at)}`;
}

/** The mails that are named in a text, for instance in a Message-ID or a return path. Names that we have not made are left out. */
export function readMailNames(keys: GiftTokenKeys, text: string): MailName[] {
  return text
    .matchAll(form)
    .take(mostNames)
    .flatMap((match) => nameOf(keys, match) ?? [])
    .toArray();
}

function nameOf(keys: GiftTokenKeys, [, letter = '', workspaceId, giftId, edition, nth, mac = '']: string[]) {
  const name: MailName = {
    kind: kinds.get(letter.toLowerCase()) as MailKind,
    workspaceId: Number(workspaceId),
    giftId: Number(giftId),
    edition: Number(edition),
    nth: Number(nth),
  };
  const given = Buffer.from(mac, 'hex');
  const isOurs = [...keys.byVersion.keys()].some((version) =>
    timingSafeEqual(proof(keys, plainText(name), version), given),
  );
  return isOurs ? [name] : null;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function plainText({ kind, workspaceId, giftId, edition, nth }: MailName): string {
  return `gift.${letters[kind]}.${workspaceId}.${giftId}.${edition}.${nth}`;
}

function proof(keys: GiftTokenKeys, text: string, keyVersion: number): Buffer {
  return deriveSecret(keys)(`mail:${text}`, keyVersion).subarray(0, macBytes);
}
