import type { Answer, CallOptions } from './transport.ts';

/**
 * For what is done at most once for a key. Without `idempotencyKey`, each call has a random one, which makes its own retries safe.
 */
export type KeyOptions = CallOptions;

export interface Replayed {
  /** Whether the service knew your key already: from an earlier call, or from an attempt of this one whose answer was lost. */
  replayed: boolean;
}

/** No crypto.randomUUID: browsers have it on https alone. */
export function keyOf({ idempotencyKey }: KeyOptions): string {
  if (idempotencyKey !== undefined) return idempotencyKey;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The record, and whether it is that of an earlier call. A random key was known only if an answer of this call was lost. */
export function withReplayed<Body>({ body, headers }: Answer<Body>, { idempotencyKey }: KeyOptions): Body & Replayed {
  const isKnown = headers.get('Idempotent-Replayed') === 'true';
  return { ...body, replayed: isKnown && idempotencyKey !== undefined };
}
