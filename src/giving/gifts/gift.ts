import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { giftStates } from '../../ground/contract/gift.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { GiftOccasion } from '../../ground/values/gift-occasion.ts';
import { sumOf } from '../../ground/values/money.ts';
import type { GiftTokenKeys } from './token-keys.ts';
import {
  hashOfSource,
  isSourceOf,
  readLongToken,
  readShortToken,
  shortToken,
  shortTokenHashes,
  type TokenSource,
} from './tokens.ts';

export type GiftState = (typeof giftStates)[number];

/** Where a gift stands in its workspace: the key of certificates. */
export interface GiftKey {
  requestId: string;
  position: number;
}

/** A gift as mail, page, print and API need it. Merges are followed: the recipient is the member whose record counts. */
export interface Gift extends GiftKey, TokenSource {
  workspaceId: number;
  /** EXPIRED from the moment on which it expires, also before that is written down. */
  state: GiftState;
  amount: number;
  /** How much of it is spent. */
  redeemed: number;
  currency: string;
  message: string;
  /** The workspace's default reason when the gift was issued. */
  reason: string;
  /** What it is for, if it is for a day of the recipient. */
  occasion: GiftOccasion | null;
  /** That of the gift, else of its order, for example FR_CA. */
  language: string;
  customerRequestId: string | null;
  senderId: number;
  senderName: string;
  memberId: number;
  firstName: string;
  lastName: string;
  email: string | null;
  employeeNumber: string | null;
  issuedAt: Date;
  expiresAt: Date | null;
  viewedAt: Date | null;
  claimedAt: Date | null;
  thanks: string | null;
}

/** The state of a gift at a moment: EXPIRED from then on, also before that is written down. `c` is an alias of certificates. */
export function stateAt(c: string, moment: string): string {
  return `(case when ${c}.state = 'ISSUED' and ${c}.expires_at <= ${moment} then 'EXPIRED' else ${c}.state end)`;
}

/** What is left of a gift. */
export function leftOf({ amount, redeemed }: Pick<Gift, 'amount' | 'redeemed'>): number {
  return sumOf([amount, -redeemed]);
}

/** The columns of a Gift, of the tables in `giftTables`. */
export const giftColumns = `
  c.workspace_id as "workspaceId", c.request_id as "requestId", c.position, c.id, c.key_version as "keyVersion", c.edition,
  c.token_version as "tokenVersion",
  ${stateAt('c', timeOf('a'))} as state,
  c.amount, c.redeemed, r.currency, c.message, coalesce(reason.description, '') as reason,
  r.occasion, coalesce(c.gift_language, r.language) as language,
  r.customer_request_id as "customerRequestId", r.sender_id as "senderId", r.sender_name as "senderName",
  m.id as "memberId", ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName", m.email,
  m.employee_number as "employeeNumber",
  o.finished_at as "issuedAt", c.expires_at as "expiresAt", c.viewed_at as "viewedAt", c.claimed_at as "claimedAt",
  c.thanks`;

/** Joins the order of a gift as `r`: its currency and its sender. `c` is an alias of certificates, or of rows with their key. */
export function orderOf(c: string): string {
  return `join order_requests r on r.workspace_id = ${c}.workspace_id and r.request_id = ${c}.request_id`;
}

/** What joins to `certificates c`. */
export const giftTables = `
  ${orderOf('c')}
  join orders o            on o.workspace_id = c.workspace_id and o.request_id = c.request_id
  join members named       on named.workspace_id = c.workspace_id and named.id = c.member_id
  join members m           on m.workspace_id = c.workspace_id and m.id = ${survivorOf('named')}
  join activity_counters a on a.workspace_id = c.workspace_id
  join workspaces w        on w.id = c.workspace_id
  left join reasons reason on reason.workspace_id = c.workspace_id
                          and reason.id = coalesce(c.reason_id, w.default_reason_id)`;

/** The currency of a gift of the workspace that the expression names, as an SQL expression: that of its order. `c` is an alias of certificates. */
export function currencyOf(c: string, workspaceId = '$1::bigint'): string {
  return `(select r.currency from order_requests r where r.workspace_id = ${workspaceId} and r.request_id = ${c}.request_id)`;
}

/** Reads gifts of a workspace by their ids, in that sequence. */
export function readGiftsById(on: Queryable, workspaceId: number, ids: readonly number[]): Promise<Gift[]> {
  return on.query<Gift>(
    `select ${giftColumns}
       from unnest($2::bigint[]) with ordinality as asked (id, nth)
       join certificates c on c.workspace_id = $1 and c.id = asked.id
       ${giftTables}
      order by asked.nth`,
    [workspaceId, ids],
  );
}

/** Reads the gifts of an order, in its sequence. */
export function readGiftsOfOrder(on: Queryable, workspaceId: number, requestId: string): Promise<Gift[]> {
  return on.query<Gift>(
    `select ${giftColumns}
       from certificates c
       ${giftTables}
      where c.workspace_id = $1
        and c.request_id = $2
      order by c.position`,
    [workspaceId, requestId],
  );
}

/** The gift of a link. Null where we have not issued the token, or it is an earlier edition's. */
export async function findByLongToken(on: Queryable, keys: GiftTokenKeys, token: string): Promise<Gift | null> {
  const source = readLongToken(keys, token);
  if (source === null) return null;
  const found = await findByHashes(on, [hashOfSource(keys, source)]);
  return found.find((gift) => isSourceOf(source, gift)) ?? null;
}

/** The gift of a short token as a person typed it. Null where no gift has it. */
export async function findByShortToken(on: Queryable, keys: GiftTokenKeys, typed: string): Promise<Gift | null> {
  const token = readShortToken(typed);
  if (token === null) return null;
  const found = await findByHashes(on, shortTokenHashes(keys, token));
  return found.find((gift) => shortToken(keys, gift) === token) ?? null;
}

/** Hashes have fewer bits than tokens: the caller compares. */
function findByHashes(on: Queryable, hashes: readonly bigint[]): Promise<Gift[]> {
  return on.query<Gift>(
    `select ${giftColumns}
       from certificates c
       ${giftTables}
      where c.short_token_hash = any($1::bigint[])`,
    [hashes.map(String)],
  );
}
