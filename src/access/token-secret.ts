import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../config.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBytesLength = 20;
const randomDigits = 27; // 160 bits
const checksumDigits = 6; // 32 bits

const tokenPrefix: Record<Environment, string> = { test: 'gw_test_', production: 'gw_live_' };

/** 160 random bits in base 62 and a checksum, so that a typing error or a made-up token costs no look-up. */
export function makeSecret(environment: Environment): string {
  const random = base62(BigInt(`0x${randomBytes(randomBytesLength).toString('hex')}`), randomDigits);
  return tokenPrefix[environment] + random + checksum(environment, random);
}

export function isWellFormed(secret: string, environment: Environment): boolean {
  const prefix = tokenPrefix[environment];
  if (!secret.startsWith(prefix) || secret.length !== prefix.length + randomDigits + checksumDigits) return false;
  const random = secret.slice(prefix.length, prefix.length + randomDigits);
  return secret.slice(-checksumDigits) === checksum(environment, random);
}

/** The hash that is stored and compared in place of the secret, so that the time of a comparison tells nothing about it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function checksum(environment: Environment, random: string): string {
  return base62(BigInt(crc32(tokenPrefix[environment] + random)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
