import { createHmac, timingSafeEqual } from 'node:crypto';
import { type GiftTokenKeys, keyOf } from './token-keys.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const longMacBytes = 22; // 176 bits
const shortMacBytes = 10; // 80 bits, 16 characters

const headBytes = 10;
const editionBytes = 2;

/** A gift's tokens derive from these. A gift that is issued again gets the next edition, and with it other tokens. */
export interface TokenSource {
  id: number;
  keyVersion: number;
  edition: number;
}

/** The secret in a gift link. It carries what it derives from, so that it is verified without a look-up. */
export function longToken(keys: GiftTokenKeys, gift: TokenSource): string {
  return Buffer.concat([headOf(gift), longMac(keys, gift)]).toString('base64url');
}

/** What a long token derives from; null where it is none of ours. */
export function readLongToken(keys: GiftTokenKeys, token: string): TokenSource | null {
  const bytes = Buffer.from(token, 'base64url');
  const head = bytes.subarray(0, -longMacBytes);
  if (bytes.toString('base64url') !== token) return null;
  if (head.length !== headBytes && head.length !== headBytes + editionBytes) return null;
  const gift = {
    keyVersion: head.readUInt16BE(),
    id: Number(head.readBigUInt64BE(2)),
    edition: head.length > headBytes ? head.readUInt16BE(headBytes) : 0,
  };
  // Larger ids are no gift's, and cannot be written back.
  if (!Number.isSafeInteger(gift.id)) return null;
  if (!keys.byVersion.has(gift.keyVersion) || !headOf(gift).equals(head)) return null;
  return timingSafeEqual(longMac(keys, gift), bytes.subarray(-longMacBytes)) ? gift : null;
}

/** Edition 0 is left out: the tokens of gifts that were never issued again stay as they are. */
function headOf({ keyVersion, id, edition }: TokenSource): Buffer {
  const head = Buffer.alloc(headBytes + (edition > 0 ? editionBytes : 0));
  head.writeUInt16BE(keyVersion);
  head.writeBigUInt64BE(BigInt(id), 2);
  if (edition > 0) head.writeUInt16BE(edition, headBytes);
  return head;
}

function longMac(keys: GiftTokenKeys, gift: TokenSource): Buffer {
  return derive(keys, 'long', gift).subarray(0, longMacBytes);
}

/** The secret a person can type: 16 characters of Crockford's base 32, in groups of four. */
export function shortToken(keys: GiftTokenKeys, gift: TokenSource): string {
  const mac = derive(keys, 'short', gift).subarray(0, shortMacBytes);
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of mac) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; ) {
      bits -= 5;
      text += crockford[(held >>> bits) & 31];
      if (text.length % 5 === 4) text += '-';
    }
    held &= (1 << bits) - 1;
  }
  return text.slice(0, -1);
}

/**
 * A short token as people type it: in lower case, with spaces or hyphens, with O for 0 and I or L for 1. Null where it cannot
 * be one.
 */
export function readShortToken(typed: string): string | null {
  const characters = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  if (characters.length !== 16 || ![...characters].every((one) => crockford.includes(one))) return null;
  return (characters.match(/.{4}/g) as string[]).join('-');
}

/** What is stored to find a certificate by its short token: 64 bits that only the key's holder can compute. */
export function shortTokenHash(keys: GiftTokenKeys, gift: TokenSource): bigint {
  return findHash(keys, gift.keyVersion, shortToken(keys, gift));
}

/** The hashes that a short token may have, one for each key. */
export function shortTokenHashes(keys: GiftTokenKeys, token: string): bigint[] {
  return [...keys.byVersion.keys()].map((version) => findHash(keys, version, token));
}

function findHash(keys: GiftTokenKeys, version: number, token: string): bigint {
  return createHmac('sha256', keyOf(keys, version)).update(`find:${token}`).digest().readBigInt64BE();
}

function derive(keys: GiftTokenKeys, purpose: string, { keyVersion, id, edition }: TokenSource): Buffer {
  const source = edition === 0 ? `${purpose}:${keyVersion}:${id}` : `${purpose}:${keyVersion}:${id}:${edition}`;
  return createHmac('sha256', keyOf(keys, keyVersion)).update(source).digest();
}
