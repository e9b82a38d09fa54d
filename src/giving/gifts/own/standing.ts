import { recordsOf } from '../../../company/directory/who.ts';
import { timeOf } from '../../../company/workspaces/lock.ts';
import { type GiftStanding, standings } from '../../../ground/contract/my-gift.ts';
import { type Gift, stateAt } from '../gift.ts';

/** Whose gifts are read, and whether the caller has proven that they read the email address of their record. */
export interface Claimant {
  workspaceId: number;
  memberId: number;
  provesEmail: boolean;
}

/** Where a gift stands for its recipient. A sealed one does not say what it is worth, as its page does not before it is opened. */
export function standingOf({ state, viewedAt }: Pick<Gift, 'state' | 'viewedAt'>): GiftStanding {
  if (state === 'ISSUED') return viewedAt === null ? 'SEALED' : 'OPEN';
  return state === 'CLAIMED' || state === 'PARTLY_REDEEMED' ? 'OPEN' : 'PAST';
}

/**
 * True for a gift `c` that is there for its recipient. One whose email is due later is not there until then, unless its link has been opened, and a
 * cancelled one only if it had been opened.
 */
export function isThere(c: string, moment: string): string {
  return `(${c}.viewed_at is not null or ${c}.claimed_at is not null
            or ${c}.state <> 'CANCELLED' and (${c}.gift_deliver_at is null or ${c}.gift_deliver_at <= ${moment}))`;
}

const moment = '(select moment from now)';
const state = stateAt('c', moment);

/** Later than any gift expires, in microseconds since 1970. */
const never = 8_000_000_000_000_000;

/**
 * The gifts of the member `$2` in the workspace `$1`, of all their records, as `mine`. `rank` is the place of the standing in `standings`, `ends` and
 * `nth` sort gifts of the same standing: what expires first, then the oldest; past ones newest first.
 */
export const ownGiftsSql = `
  with now as materialized (select ${timeOf('a')} as moment from activity_counters a where a.workspace_id = $1),
  mine as (
    select c.workspace_id, c.id, c.request_id, c.amount, c.amount - c.redeemed as left, ${state} as state, c.expires_at, ranked.rank,
           case when ranked.rank < ${standings.indexOf('PAST')} and c.claimed_at is null and c.expires_at is not null
                then (extract(epoch from c.expires_at) * 1000000)::bigint else ${never} end as ends,
           case ranked.rank when ${standings.indexOf('PAST')} then -c.id else c.id end as nth
      from certificates c
     cross join lateral (select case when ${state} = 'ISSUED' then case when c.viewed_at is null then ${standings.indexOf('SEALED')} else ${standings.indexOf('OPEN')} end
                                     when c.state in ('CLAIMED', 'PARTLY_REDEEMED') then ${standings.indexOf('OPEN')}
                                     else ${standings.indexOf('PAST')}
                                end as rank) ranked
     where c.workspace_id = $1
       and c.member_id in (${recordsOf('$1', '$2')})
       and ${isThere('c', moment)})`;

/** True for a gift of `mine` that is claimed only with an emailed code; the amount above which that is so is a parameter, null: never. */
export const needsCodeSql = (codeAbove: string) => `(mine.state = 'ISSUED' and mine.amount > ${codeAbove}::numeric)`;
