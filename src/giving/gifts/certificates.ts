import { dayIn, endOfDay } from '../../company/workspaces/days.ts';
import type { GiftTokenKeys } from './token-keys.ts';
import { currentTokenVersion, shortTokenHash } from './tokens.ts';

/**
 * The CTE that issues certificates for the rows of `gifts`, another CTE of the same statement, in the workspace $1. Their columns:
 * request_id, position, certificate_id, receiver_id, amount, message, key_version, edition, short_token_hash, created_on, deliver_at and
 * language. The days of a gift that is emailed later count from then.
 */
export function issuingCertificates(gifts: string): string {
  return `issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version,
                              token_version, edition, short_token_hash, expires_at, reason_id, gift_deliver_at, gift_language)
    select $1::bigint, request_id, position, certificate_id, receiver_id, amount, message, key_version,
           ${currentTokenVersion}, edition, short_token_hash,
           ${endOfClaim('greatest(created_on, deliver_at)', 'w')}, coalesce(reason_id, w.default_reason_id),
           deliver_at, ${gifts}.language
      from ${gifts}, workspaces w
     where w.id = $1::bigint
  )`;
}

/**
 * The end of the last day on which a gift can be claimed that is issued or extended at `moment`, as an SQL expression. The day
 * ends where the workspace is. `w` is an alias of its row in workspaces. Null where gifts do not expire.
 */
export function endOfClaim(moment: string, w: string): string {
  return endOfDay(`${dayIn(moment, `${w}.time_zone`)} + ${w}.gift_days`, `${w}.time_zone`);
}

/** A gift that is about to be issued. */
export interface NewGift {
  id: number;
  requestId: string;
  position: number;
  edition: number;
}

/** The hashes by which new certificates are found from their short tokens, as texts: they exceed a JavaScript number. */
export function newShortTokenHashes(keys: GiftTokenKeys, gifts: readonly NewGift[]): string[] {
  const versions = { tokenVersion: currentTokenVersion, keyVersion: keys.current };
  return gifts.map((gift) => shortTokenHash(keys, { ...gift, ...versions }).toString());
}
