import { timingSafeEqual } from 'node:crypto';
import type { Gift } from './gift.ts';
import { deriveSecret, type GiftTokenKeys } from './token-keys.ts';

const macBytes = 16;
/** With an edition of two bytes. Later editions, after a restore, take four bytes at the end. */
const headBytes = 18;
const wideHeadBytes = 22;
const lastNarrowEdition = 0xffff;

/** The gift whose reminders a token stops. */
export type QuietSource = Pick<Gift, 'workspaceId' | 'id' | 'keyVersion' | 'edition'>;

/** The secret in the address that stops the reminders of a gift. It can do nothing else, so programs may follow that address. */
export function quietToken(keys: GiftTokenKeys, gift: QuietSource): string {
  return Buffer.concat([headOf(gift), macOf(keys, gift)]).toString('base64url');
}

/** The gift that such a token is about; null if the token is not ours. */
export function readQuietToken(keys: GiftTokenKeys, token: string): QuietSource | null {
  const bytes = Buffer.from(token, 'base64url');
  const headLength = bytes.length - macBytes;
  const isWide = headLength === wideHeadBytes;
  if ((headLength !== headBytes && !isWide) || bytes.toString('base64url') !== token) return null;
  const gift = {
    keyVersion: bytes.readUInt16BE(),
    edition: isWide ? bytes.readUInt32BE(headBytes) : bytes.readUInt16BE(2),
    workspaceId: bytes.readUIntBE(4, 6),
    id: Number(bytes.readBigUInt64BE(10)),
  };
  // Larger ids are no gift's, and cannot be written back.
  if (!Number.isSafeInteger(gift.id) || !keys.byVersion.has(gift.keyVersion)) return null;
  if (!headOf(gift).equals(bytes.subarray(0, headLength))) return null;
  return timingSafeEqual(macOf(keys, gift), bytes.subarray(headLength)) ? gift : null;
}

function headOf({ keyVersion, edition, workspaceId, id }: QuietSource): Buffer {
  const isWide = edition > lastNarrowEdition;
  const head = Buffer.alloc(isWide ? wideHeadBytes : headBytes);
  head.writeUInt16BE(keyVersion);
  if (isWide) head.writeUInt32BE(edition, headBytes);
  else head.writeUInt16BE(edition, 2);
  head.writeUIntBE(workspaceId, 4, 6);
  head.writeBigUInt64BE(BigInt(id), 10);
  return head;
}

function macOf(keys: GiftTokenKeys, gift: QuietSource): Buffer {
  const purpose = `quiet:${headOf(gift).toString('hex')}`;
  return deriveSecret(keys)(purpose, gift.keyVersion).subarray(0, macBytes);
}
