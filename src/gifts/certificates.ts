import type { GiftTokenKeys } from './token-keys.ts';
import { shortTokenHash } from './tokens.ts';

/**
 * The CTE that issues certificates for the rows of `gifts`, another CTE of the same statement, in the workspace $1. Their columns:
 * request_id, position, certificate_id, receiver_id, amount, message, key_version and short_token_hash.
 */
export function issuingCertificates(gifts: string): string {
  return `issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version,
                              short_token_hash)
    select $1::bigint, request_id, position, certificate_id, receiver_id, amount, message, key_version, short_token_hash
      from ${gifts}
  )`;
}

/** The hashes by which new certificates are found from their short tokens, as texts: they exceed a JavaScript number. */
export function newShortTokenHashes(keys: GiftTokenKeys, certificateIds: readonly number[]): string[] {
  return certificateIds.map((id) => shortTokenHash(keys, keys.current, id).toString());
}
