import { createHmac, timingSafeEqual } from 'node:crypto';
import { type GiftTokenKeys, keyOf } from './token-keys.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const longMacBytes = 22; // 176 bits
const shortMacBytes = 10; // 80 bits, 16 characters

/**
 * What a gift's tokens derive from, beside the server's key. Version 2 takes the order's random request id and the gift's position: an id
 * alone is given again after a restore, and would open another person's gift. A new edition has other tokens.
 */
export interface TokenSource {
  tokenVersion: number;
  id: number;
  requestId: string;
  position: number;
  keyVersion: number;
  edition: number;
}

/** The token version of gifts that are issued, or get new tokens, now. */
export const currentTokenVersion = 2;

/** The part of a source that a long token carries. */
type CarriedSource =
  | (Pick<TokenSource, 'requestId' | 'position' | 'keyVersion' | 'edition'> & { tokenVersion: 2 })
  | (Pick<TokenSource, 'id' | 'keyVersion' | 'edition'> & { tokenVersion: 1 });

/** The secret in a gift link. It carries what it derives from, so that it is verified without a look-up. */
export function longToken(keys: GiftTokenKeys, gift: TokenSource): string {
  const source = carriedSource(gift);
  return Buffer.concat([headOf(source), longMac(keys, source)]).toString('base64url');
}

/** The source of a long token; null where we have not issued it. */
export function readLongToken(keys: GiftTokenKeys, token: string): CarriedSource | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token) return null;
  const head = bytes.subarray(0, -longMacBytes);
  const source = readHead(head);
  if (source === null || !keys.byVersion.has(source.keyVersion) || !headOf(source).equals(head)) return null;
  return timingSafeEqual(longMac(keys, source), bytes.subarray(-longMacBytes)) ? source : null;
}

/** Whether a gift has this source, so that a long token with it is the gift's. */
export function isSourceOf(source: CarriedSource, gift: TokenSource): boolean {
  return headOf(source).equals(headOf(carriedSource(gift)));
}

function carriedSource(gift: TokenSource): CarriedSource {
  const { id, requestId, position, keyVersion, edition } = gift;
  if (gift.tokenVersion === 1) return { tokenVersion: 1, id, keyVersion, edition };
  return { tokenVersion: 2, requestId, position, keyVersion, edition };
}

/** By the length of its head: 10 bytes, or 12 with an edition, are of version 1. */
const headBytes = { first: 10, firstWithEdition: 12, second: 24 };

function headOf(source: CarriedSource): Buffer {
  if (source.tokenVersion === 2) {
    const head = Buffer.alloc(headBytes.second);
    head.writeUInt16BE(source.keyVersion);
    head.write(source.requestId.replaceAll('-', ''), 2, 'hex');
    head.writeUInt16BE(source.position, 18);
    head.writeUInt32BE(source.edition, 20);
    return head;
  }
  const head = Buffer.alloc(source.edition > 0 ? headBytes.firstWithEdition : headBytes.first);
  head.writeUInt16BE(source.keyVersion);
  head.writeBigUInt64BE(BigInt(source.id), 2);
  if (source.edition > 0) head.writeUInt16BE(source.edition, headBytes.first);
  return head;
}

function readHead(head: Buffer): CarriedSource | null {
  if (head.length === headBytes.second) {
    const hex = head.toString('hex', 2, 18);
    const requestId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const [position, edition] = [head.readUInt16BE(18), head.readUInt32BE(20)];
    return { tokenVersion: 2, requestId, position, keyVersion: head.readUInt16BE(), edition };
  }
  if (head.length !== headBytes.first && head.length !== headBytes.firstWithEdition) return null;
  const id = Number(head.readBigUInt64BE(2));
  // No gift has a larger id, and it could not be written back.
  if (!Number.isSafeInteger(id)) return null;
  const edition = head.length > headBytes.first ? head.readUInt16BE(headBytes.first) : 0;
  return { tokenVersion: 1, id, keyVersion: head.readUInt16BE(), edition };
}

function longMac(keys: GiftTokenKeys, source: CarriedSource): Buffer {
  return derive(keys, 'long', source).subarray(0, longMacBytes);
}

/** The secret a person can type: 16 characters of Crockford's base 32, in groups of four. */
export function shortToken(keys: GiftTokenKeys, gift: TokenSource): string {
  return shortTokenOf(keys, carriedSource(gift));
}

function shortTokenOf(keys: GiftTokenKeys, source: CarriedSource): string {
  const mac = derive(keys, 'short', source).subarray(0, shortMacBytes);
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
  return hashOfSource(keys, carriedSource(gift));
}

/** The same for the source that a long token carries. */
export function hashOfSource(keys: GiftTokenKeys, source: CarriedSource): bigint {
  return findHash(keys, source.keyVersion, shortTokenOf(keys, source));
}

/** The hashes that a short token may have, one for each key. */
export function shortTokenHashes(keys: GiftTokenKeys, token: string): bigint[] {
  return [...keys.byVersion.keys()].map((version) => findHash(keys, version, token));
}

function findHash(keys: GiftTokenKeys, version: number, token: string): bigint {
  return createHmac('sha256', keyOf(keys, version)).update(`find:${token}`).digest().readBigInt64BE();
}

function derive(keys: GiftTokenKeys, purpose: string, source: CarriedSource): Buffer {
  return createHmac('sha256', keyOf(keys, source.keyVersion))
    .update(`${purpose}:${textOf(source)}`)
    .digest();
}

function textOf(source: CarriedSource): string {
  const { keyVersion, edition } = source;
  if (source.tokenVersion === 2) return `v2:${keyVersion}:${source.requestId}:${source.position}:${edition}`;
  return edition === 0 ? `${keyVersion}:${source.id}` : `${keyVersion}:${source.id}:${edition}`;
}
