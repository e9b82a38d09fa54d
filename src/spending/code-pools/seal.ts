import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type GiftTokenKeys, keyOf } from '../../giving/gifts/token-keys.ts';

/** What a recipient needs in the shop. */
export interface CodeSecret {
  code: string;
  pin: string | null;
}

/** Which row a secret belongs to. It is authenticated: a sealed text that is moved to another row cannot be opened. */
export interface SealedPlace {
  workspaceId: number;
  poolId: number;
  id: number;
}

export interface Sealed {
  keyVersion: number;
  sealed: Buffer;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts codes with the current key. The sealed text is a nonce, the tag of GCM, and the encrypted secret. */
export function createSealer(keys: GiftTokenKeys): (place: SealedPlace, secret: CodeSecret) => Sealed {
  const key = derive(keys, keys.current, 'encrypt');
  return (place, secret) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(placeText(place));
    const text = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()]);
    return { keyVersion: keys.current, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
  };
}

export function unseal(keys: GiftTokenKeys, place: SealedPlace, { keyVersion, sealed }: Sealed): CodeSecret {
  const key = derive(keys, keyVersion, 'encrypt');
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(placeText(place)).setAuthTag(tag);
  const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString('utf8'));
}

/**
 * Hashes codes with each key, the current one first, to find a code that is there already. Spaces, hyphens and case do not count, and
 * neither does the retailer: the same code under two spellings of a shop would be given to two people.
 */
export function createCodeHash(keys: GiftTokenKeys): (code: string) => Buffer[] {
  const versions = [keys.current, ...[...keys.byVersion.keys()].filter((version) => version !== keys.current)];
  const derived = versions.map((version) => derive(keys, version, 'find'));
  return (code) => derived.map((key) => createHmac('sha256', key).update(plainCode(code)).digest());
}

/** A code without what people write differently. */
export function plainCode(code: string): string {
  return code.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** Keys of their own for codes, so that no other use of the gift token key reveals anything about them. */
function derive(keys: GiftTokenKeys, version: number, purpose: 'encrypt' | 'find'): Buffer {
  return Buffer.from(hkdfSync('sha256', keyOf(keys, version), '', `giftwire pool codes: ${purpose}`, 32));
}

function placeText({ workspaceId, poolId, id }: SealedPlace): Buffer {
  return Buffer.from(`${workspaceId}:${poolId}:${id}`);
}
