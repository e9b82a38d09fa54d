import { timingSafeEqual } from 'node:crypto';
import { momentOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { slowHistoryBase } from '../../ground/database/history.ts';
import type { Gift } from './gift.ts';
import { deriveSecret, type GiftTokenKeys } from './token-keys.ts';
import type { TokenSource } from './tokens.ts';

/** What a person may do with emailed codes. Together they leave a guesser 50 tries a day at a million codes. */
const minutesGood = 15;
const maxWrongTries = 5;
const maxCodesPerDay = 10;

/** The nth verification code of a gift: six digits. It is stored nowhere, because it derives from the server's key. */
export function claimCode(keys: GiftTokenKeys, gift: TokenSource, nth: number): string {
  const { requestId, position, keyVersion, edition } = gift;
  const secret = deriveSecret(keys)(`code:${keyVersion}:${requestId}:${position}:${edition}:${nth}`, keyVersion);
  return String(secret.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

interface LatestCode {
  nth: number;
  wrongTries: number;
  isGood: boolean;
  /** Whether it is so young that no other one is made yet. */
  isFresh: boolean;
  madeToday: number;
}

/**
 * Makes the next code of a gift, which the caller mails. Makes none where one is `fresh`: made less than a minute ago; nor where
 * there were ten in a day. The caller holds the workspace's lock.
 */
export async function makeCode(tx: Queryable, gift: Gift): Promise<{ nth: number } | 'fresh' | 'too many'> {
  const latest = await readLatest(tx, gift);
  if (latest?.isFresh) return 'fresh';
  if (latest && latest.madeToday >= maxCodesPerDay) return 'too many';
  const nth = latest?.nth ?? 0;
  return queryOne<{ nth: number }>(
    tx,
    `insert into claim_codes (workspace_id, request_id, position, edition, nth, ends_at)
     values ($1, $2, $3, $4, greatest($5::int, ${slowHistoryBase}) + 1, $6::timestamptz + make_interval(mins => $7))
     returning nth`,
    [...keyOf(gift), nth, momentOf(tx, gift.workspaceId), minutesGood],
  );
}

export type CodeAnswer = 'right' | 'wrong' | 'over';

/**
 * Compares what a person typed with the latest code of a gift, and counts what is wrong. `over`: there is no code any more that
 * could be right. The caller holds the workspace's lock, so that tries at the same time are counted one by one.
 */
export async function checkCode(tx: Queryable, keys: GiftTokenKeys, gift: Gift, typed: string): Promise<CodeAnswer> {
  const latest = await readLatest(tx, gift);
  if (!latest?.isGood) return 'over';
  if (isEqual(typed, claimCode(keys, gift, latest.nth))) return 'right';
  await tx.query(
    `update claim_codes
        set wrong_tries = wrong_tries + 1
      where workspace_id = $1 and request_id = $2 and position = $3 and edition = $4 and nth = $5`,
    [...keyOf(gift), latest.nth],
  );
  return latest.wrongTries + 1 < maxWrongTries ? 'wrong' : 'over';
}

function readLatest(tx: Queryable, gift: Gift): Promise<LatestCode | null> {
  return queryOptional<LatestCode>(
    tx,
    `select nth, wrong_tries as "wrongTries",
            ends_at > $5::timestamptz and wrong_tries < $6 as "isGood",
            ends_at > $5::timestamptz + make_interval(mins => $7 - 1) as "isFresh",
            count(*) filter (where ends_at > $5::timestamptz - interval '1 day') over ()::int as "madeToday"
       from claim_codes
      where workspace_id = $1
        and request_id = $2
        and position = $3
        and edition = $4
      order by nth desc
      limit 1`,
    [...keyOf(gift), momentOf(tx, gift.workspaceId), maxWrongTries, minutesGood],
  );
}

function keyOf({ workspaceId, requestId, position, edition }: Gift): (string | number)[] {
  return [workspaceId, requestId, position, edition];
}

/** Spaces are allowed: some mail programs show a code in two groups. */
function isEqual(typed: string, code: string): boolean {
  const digits = Buffer.from(typed.replace(/\s/g, ''));
  return digits.length === code.length && timingSafeEqual(digits, Buffer.from(code));
}
