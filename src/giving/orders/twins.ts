import { recordsOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';

/** An earlier gift of the same amount to the same person. */
export interface Twin {
  id: number;
  issuedAt: Date;
}

const twinDays = 30;
const dayMs = 86_400_000;

/**
 * The latest twin of each gift that is about to be ordered, in the same order; null for a gift without a twin. A gift that was cancelled
 * is no twin: the next one may be its correction.
 */
export async function findTwins(
  on: Queryable,
  workspaceId: number,
  currency: string,
  gifts: readonly { memberId: number; amount: number }[],
): Promise<(Twin | null)[]> {
  if (gifts.length === 0) return [];
  const rows = await on.query<Twin & { nth: number }>(twinsSql, [
    workspaceId,
    gifts.map(({ memberId }) => memberId),
    gifts.map(({ amount }) => String(amount)),
    currency,
    firstUuidAt(Date.now() - twinDays * dayMs),
  ]);
  const byPosition = new Map(rows.map(({ nth, id, issuedAt }) => [nth - 1, { id, issuedAt }]));
  return gifts.map((_, position) => byPosition.get(position) ?? null);
}

// The index of certificates by member has their request ids, which begin with the time: only the last days are read.
const twinsSql = `
  select gift.nth, twin.id, twin."issuedAt"
    from unnest($2::bigint[], $3::numeric[]) with ordinality as gift (member_id, amount, nth)
   cross join lateral (
         select c.id, o.finished_at as "issuedAt"
           from (${recordsOf('$1::bigint', 'gift.member_id')}) as record
           join certificates c   on c.workspace_id = $1::bigint and c.member_id = record.id and c.request_id >= $5::uuid
           join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
           join orders o         on o.workspace_id = c.workspace_id and o.request_id = c.request_id
          where c.amount = gift.amount
            and c.state <> 'CANCELLED'
            and r.currency = $4
          order by c.request_id desc
          limit 1) as twin`;
