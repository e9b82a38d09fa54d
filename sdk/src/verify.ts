import { type GiftwireError, SignatureError } from './error.ts';
import type { GiftwireEvent } from './types.ts';

/** Headers as `fetch` has them, or as Node's servers and most frameworks do. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The types of Node have no name for it, those of browsers do. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const toleranceSeconds = 5 * 60;

/**
 * Checks that a webhook comes from Giftwire and is not older than five minutes, and returns its event. Throws a GiftwireError of
 * type `invalid_signature` otherwise.
 *
 * @param rawBody the body as it came, before anything has parsed it
 * @param secret the webhook's secret, `whsec_…`
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
): Promise<GiftwireEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  checkAge(timestamp);
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody);
  const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer();
  const key = await importSecret(secret);
  // After a rotation there is one signature for each of the two secrets.
  for (const signature of signatures) if (await isSignature(key, signature, signed)) return parse(body);
  throw invalid('The webhook is not signed with this secret.');
}

function checkAge(timestamp: string): void {
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp)) throw invalid('The header webhook-timestamp is not a number of seconds.');
  if (Math.abs(age) > toleranceSeconds)
    throw invalid('The webhook was signed more than five minutes ago or ahead: check the clock of this machine.');
}

async function isSignature(key: Key, text: string, signed: ArrayBuffer): Promise<boolean> {
  const [version, base64 = ''] = text.split(',');
  const signature = version === 'v1' ? bytesOf(base64) : null;
  // WebCrypto compares in constant time.
  return signature !== null && crypto.subtle.verify('HMAC', key, signature, signed);
}

async function importSecret(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0)
    throw new TypeError('The secret of a webhook is whsec_ and base64: take it from where the webhook was added.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name);
  if (typeof value !== 'string' || value === '') throw invalid(`The webhook has no header ${name}.`);
  return value;
}

function fieldOf(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(' ') : value;
}

function parse(body: Uint8Array): GiftwireEvent {
  return JSON.parse(new TextDecoder().decode(body));
}

function invalid(message: string): GiftwireError {
  return new SignatureError('invalid_signature', message);
}
