import { createHmac } from 'node:crypto';
import { type GiftTokenKeys, keyOf } from './token-keys.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const longMacBytes = 22; // 176 bits
const shortMacBytes = 10; // 80 bits, 16 characters

/** The secret in a gift link. It carries the version and the certificate's id, so that it is verified without a look-up. */
export function longToken(keys: GiftTokenKeys, version: number, certificateId: number): string {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(version);
  head.writeBigUInt64BE(BigInt(certificateId), 2);
  const mac = derive(keys, version, 'long', certificateId).subarray(0, longMacBytes);
  return Buffer.concat([head, mac]).toString('base64url');
}

/** The secret a person can type: 16 characters of Crockford's base 32, in groups of four. */
export function shortToken(keys: GiftTokenKeys, version: number, certificateId: number): string {
  const mac = derive(keys, version, 'short', certificateId).subarray(0, shortMacBytes);
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

/** What is stored to find a certificate by its short token: 64 bits that only the key's holder can compute. */
export function shortTokenHash(keys: GiftTokenKeys, version: number, certificateId: number): bigint {
  const token = shortToken(keys, version, certificateId);
  return createHmac('sha256', keyOf(keys, version)).update(`find:${token}`).digest().readBigInt64BE();
}

function derive(keys: GiftTokenKeys, version: number, purpose: string, certificateId: number): Buffer {
  return createHmac('sha256', keyOf(keys, version)).update(`${purpose}:${version}:${certificateId}`).digest();
}
