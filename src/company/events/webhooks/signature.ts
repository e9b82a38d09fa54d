import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The secrets of an endpoint derive from the server's key, so the database holds none. */
export type DeriveSecret = (purpose: string, keyVersion: number) => Buffer;

export interface SecretOf {
  workspaceId: number;
  id: number;
  keyVersion: number;
  secretVersion: number;
  /** Random values, so that a secret that was rotated away never returns. Null: a secret from before them. */
  secretSalt: string | null;
  previousSalt: string | null;
}

/** After a rotation both secrets sign for this long, so that a receiver can change over without losing an event. */
const overlapMs = 24 * 60 * 60 * 1_000;

/** A secret in the form that Standard Webhooks gives it: `whsec_` and base64. */
export function webhookSecret(derive: DeriveSecret, endpoint: SecretOf): string {
  return `whsec_${secretBytes(derive, endpoint).toString('base64')}`;
}

/** The secrets that sign a delivery now: the current one, and the one before it for a day after a rotation. */
export function signingSecrets(
  derive: DeriveSecret,
  endpoint: SecretOf & { rotatedAt: Date | null },
  now: Date,
): KeyObject[] {
  const { rotatedAt, secretVersion } = endpoint;
  const isAlone = rotatedAt === null || now.getTime() - rotatedAt.getTime() >= overlapMs;
  const before = { ...endpoint, secretVersion: secretVersion - 1, secretSalt: endpoint.previousSalt };
  const versions = isAlone ? [endpoint] : [endpoint, before];
  // Key objects, because Node takes several times as long to sign with a key that is given as bytes each time.
  return versions.map((version) => createSecretKey(secretBytes(derive, version)));
}

/** The headers of Standard Webhooks 1.0.0. */
export function signedHeaders(
  secrets: readonly KeyObject[],
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function sign(secret: KeyObject, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

function secretBytes(derive: DeriveSecret, endpoint: SecretOf): Buffer {
  const { workspaceId, id, keyVersion, secretVersion, secretSalt } = endpoint;
  const salt = secretSalt === null ? '' : `:${secretSalt}`;
  return derive(`webhook:${workspaceId}:${id}:${secretVersion}${salt}`, keyVersion);
}
