import { timingSafeEqual } from 'node:crypto';
import { deriveSecret, type GiftTokenKeys } from '../gifts/token-keys.ts';
import type { MailKind } from './compose.ts';

/** Names one mail among all mails. A mail that is sent again has the same name. */
export interface MailName {
  kind: MailKind;
  workspaceId: number;
  giftId: number;
  edition: number;
  /** Which reminder, or which code. */
  nth: number;
}

// Short, because the part of an address before the @ has 64 characters at most. In lower case, because some mail servers
// change the case.
const letters: Record<MailKind, string> = { GIFT: 'g', REMINDER: 'r', THANKS: 't', CODE: 'c' };
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as MailKind]));
const macBytes = 8;
const form = /gift\.([grtc])\.(\d{1,15})\.(\d{1,15})\.(\d{1,5})\.(\d{1,5})\.([0-9a-f]{16})(?![0-9a-z])/i;

/** The name as text, with a proof that we have made it: `gift.g.1.90210.0.0.<proof>`. It carries no secret of the gift. */
export function mailText(keys: GiftTokenKeys, name: MailName): string {
  const text = plainText(name);
  return `${text}.${proof(keys, text, keys.current).toString('hex')}`;
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

/** The mail that a Message-ID or a return path names; null where it is none of ours. */
export function readMailName(keys: GiftTokenKeys, text: string): MailName | null {
  const [, letter = '', workspaceId, giftId, edition, nth, mac = ''] = form.exec(text) ?? [];
  const kind = kinds.get(letter.toLowerCase());
  if (!kind) return null;
  const name = {
    kind,
    workspaceId: Number(workspaceId),
    giftId: Number(giftId),
    edition: Number(edition),
    nth: Number(nth),
  };
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
  return `gift.${letters[kind]}.${workspaceId}.${giftId}.${edition}.${nth}`;
}

function proof(keys: GiftTokenKeys, text: string, keyVersion: number): Buffer {
  return deriveSecret(keys)(`mail:${text}`, keyVersion).subarray(0, macBytes);
}
