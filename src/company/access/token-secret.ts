import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../ground/config/config.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBytesLength = 20;
const randomDigits = 27; // 160 bits
const checksumDigits = 6; // 32 bits

/** What a secret is for: a token of a program, the session of a browser, a sign-in link. */
export type SecretKind = 'token' | 'session' | 'link';

const prefixes: Record<SecretKind, Record<Environment, string>> = {
  token: { test: 'gw_test_', production: 'gw_live_' },
  session: { test: 'gws_test_', production: 'gws_live_' },
  link: { test: 'gwl_test_', production: 'gwl_live_' },
};

/** 160 random bits in base 62 and a checksum, so that a typing error or a made-up token costs no look-up. */
export function makeSecret(environment: Environment, kind: SecretKind = 'token'): string {
  const prefix = prefixes[kind][environment];
  const random = base62(BigInt(`0x${randomBytes(randomBytesLength).toString('hex')}`), randomDigits);
  return prefix + random + checksum(prefix, random);
}

export function isWellFormed(secret: string, environment: Environment, kind: SecretKind = 'token'): boolean {
  const prefix = prefixes[kind][environment];
  if (!secret.startsWith(prefix) || secret.length !== prefix.length + randomDigits + checksumDigits) return false;
  const random = secret.slice(prefix.length, prefix.length + randomDigits);
  return secret.slice(-checksumDigits) === checksum(prefix, random);
}

/** Why a text cannot be a token of this environment. Null: it can be one, and is unknown or revoked if it is not found. */
export function tokenProblem(text: string, environment: Environment): string | null {
  const prefix = prefixes.token[environment];
  const other = environment === 'test' ? 'production' : 'test';
  if (isWellFormed(text, environment)) return null;
  if (text.startsWith(prefixes.token[other]))
    return `The token is for the other environment: tokens for this one begin with ${prefix}.`;
  if (!text.startsWith(prefix)) return `This is not a token of Giftwire: tokens begin with ${prefix}.`;
  return 'The token is mistyped or not complete: copy it again.';
}

/** The hash that is stored and compared in place of the secret, so that the time of a comparison tells nothing about it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function checksum(prefix: string, random: string): string {
  return base62(BigInt(crc32(prefix + random)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
