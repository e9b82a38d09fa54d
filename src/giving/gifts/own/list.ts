import { readGiftSettings } from '../../../company/workspaces/gift-settings.ts';
import {
  type GiftStanding,
  type MyGift,
  type MyGiftPage,
  type MyGiftQuery,
  type MyTotal,
  standings,
} from '../../../ground/contract/my-gift.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure, invalid } from '../../../ground/errors.ts';
import { currencyOf, type Gift, leftOf, readGiftsById } from '../gift.ts';
import { type Claimant, needsCodeSql, ownGiftsSql, standingOf } from './standing.ts';

/** The gifts of a person, what they can spend in each currency, and what expires first. Four statements, however many gifts there are. */
export async function listOwnGifts(on: Queryable, recipient: Claimant, query: MyGiftQuery): Promise<MyGiftPage> {
  const codeAbove = await readCodeLimit(on, recipient);
  const { totals, counts } = await readTotals(on, recipient, codeAbove);
  const keys = await readKeys(on, recipient, query);
  const shown = keys.slice(0, query.size);
  const found = await readGiftsById(
    on,
    recipient.workspaceId,
    shown.map(({ id }) => id),
  );
  const last = keys.length > query.size ? shown.at(-1) : undefined;
  return { totals, counts, gifts: found.map((gift) => ownGift(gift, codeAbove)), next: last ? placeText(last) : null };
}

/** The amount above which this caller needs an emailed code to claim a gift; null: they need none. */
export async function readCodeLimit(
  on: Queryable,
  { workspaceId, provesEmail }: Omit<Claimant, 'memberId'>,
): Promise<number | null> {
  return provesEmail ? null : (await readGiftSettings(on, workspaceId)).codeAbove;
}

/** A gift as its recipient sees it. */
export function ownGift(gift: Gift, codeAbove: number | null): MyGift {
  const { id, state, currency, amount, message, reason, senderId, senderName, thanks } = gift;
  const standing = standingOf(gift);
  const isHidden = standing === 'SEALED' || state === 'CANCELLED';
  return {
    id,
    standing,
    state,
    needsCode: state === 'ISSUED' && codeAbove !== null && amount > codeAbove,
    currency: isHidden ? null : currency,
    amount: isHidden ? null : amount,
    left: isHidden ? null : leftOf(gift),
    message: isHidden ? null : message,
    reason: isHidden ? null : reason,
    senderId,
    senderName,
    issuedAt: gift.issuedAt.toISOString(),
    expiresAt: gift.claimedAt === null ? (gift.expiresAt?.toISOString() ?? null) : null,
    claimedAt: gift.claimedAt?.toISOString() ?? null,
    thanks,
  };
}

interface SummaryRow {
  rank: number;
  currency: string | null;
  gifts: number;
  spendable: number;
  left: number;
  firstId: number | null;
  firstLeft: number;
  firstEnds: Date;
}

async function readTotals(
  on: Queryable,
  { workspaceId, memberId }: Claimant,
  codeAbove: number | null,
): Promise<Pick<MyGiftPage, 'totals' | 'counts'>> {
  const rows = await on.query<SummaryRow>(summarySql, [workspaceId, memberId, codeAbove]);
  const count = (standing: GiftStanding) =>
    rows.filter(({ rank }) => standings[rank] === standing).reduce((sum, { gifts }) => sum + gifts, 0);
  const totals = rows
    .filter(({ spendable }) => spendable > 0)
    .sort((one, other) => other.spendable - one.spendable || one.currency?.localeCompare(other.currency ?? '') || 0)
    .map(
      ({ currency, spendable, left, firstId, firstLeft, firstEnds }): MyTotal => ({
        currency: currency as string,
        left,
        gifts: spendable,
        first: firstId === null ? null : { giftId: firstId, left: firstLeft, expiresAt: firstEnds.toISOString() },
      }),
    );
  return { totals, counts: { sealed: count('SEALED'), open: count('OPEN'), past: count('PAST') } };
}

/** Only open gifts look up their currency, which their order has. */
const summarySql = `
  ${ownGiftsSql},
  told as (
    select mine.*, case mine.rank when ${standings.indexOf('OPEN')} then ${currencyOf('mine')} end as currency,
           mine.rank = ${standings.indexOf('OPEN')} and ${needsCodeSql('$3')} is not true as is_spendable,
           mine.state = 'ISSUED' and mine.expires_at is not null as ends_some_day
      from mine)
  select rank, currency, count(*)::int as gifts, count(*) filter (where is_spendable)::int as spendable,
         coalesce(sum("left") filter (where is_spendable), 0) as left,
         (array_agg(id order by ends, nth) filter (where is_spendable and ends_some_day))[1] as "firstId",
         (array_agg("left" order by ends, nth) filter (where is_spendable and ends_some_day))[1] as "firstLeft",
         (array_agg(expires_at order by ends, nth) filter (where is_spendable and ends_some_day))[1] as "firstEnds"
    from told
   group by rank, currency`;

interface Place {
  id: number;
  rank: number;
  ends: number;
  nth: number;
}

function readKeys(
  on: Queryable,
  { workspaceId, memberId }: Claimant,
  { standing, size, after }: MyGiftQuery,
): Promise<Place[]> {
  const { rank, ends, nth } = after === undefined ? beforeAll : readPlace(after);
  const wanted = standing === undefined ? null : standings.indexOf(standing);
  return on.query<Place>(pageSql, [workspaceId, memberId, wanted, rank, ends, nth, size + 1]);
}

const pageSql = `
  ${ownGiftsSql}
  select id, rank, ends, nth
    from mine
   where ($3::int is null or rank = $3::int)
     and (rank, ends, nth) > ($4::int, $5::bigint, $6::bigint)
   order by rank, ends, nth
   limit $7`;

const beforeAll = { rank: -1, ends: 0, nth: 0 };

function placeText({ rank, ends, nth }: Place): string {
  return `${rank}_${ends}_${nth}`;
}

function readPlace(text: string): Omit<Place, 'id'> {
  const [rank = -1, ends = 0, nth = 0] = /^\d_\d{1,16}_-?\d{1,16}$/.test(text) ? text.split('_').map(Number) : [];
  if (rank < 0 || !Number.isSafeInteger(ends) || !Number.isSafeInteger(nth))
    throw invalid([{ path: 'after', problem: 'must be the `next` of a page' }]);
  return { rank, ends, nth };
}

/** A gift of a person by its id, also if it was given to a record that was merged into theirs. */
export async function findOwnGift(on: Queryable, { workspaceId, memberId }: Claimant, id: number): Promise<Gift> {
  const keys = await on.query<{ id: number }>(`${ownGiftsSql} select id from mine where id = $3`, [
    workspaceId,
    memberId,
    id,
  ]);
  const [gift] = keys.length === 0 ? [] : await readGiftsById(on, workspaceId, [id]);
  if (!gift) throw new Failure('missing', 'You have no gift with this id.');
  return gift;
}
