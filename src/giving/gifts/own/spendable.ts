import { standings } from '../../../ground/contract/my-gift.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { type GiftState, orderOf } from '../gift.ts';
import { type Claimant, needsCodeSql, ownGiftsSql } from './standing.ts';

/** A gift that its recipient can spend. */
export interface SpendableGift {
  id: number;
  left: number;
  /** ISSUED: spending it claims it. */
  state: GiftState;
  /** Null: no expiry date, or it is claimed. */
  expiresAt: Date | null;
  senderId: number;
  senderName: string;
}

/** The gifts of a person that they can spend in a currency, in the sequence in which they are used: what expires first, then the oldest. */
export function readSpendable(
  on: Queryable,
  { workspaceId, memberId }: Claimant,
  currency: string,
  codeAbove: number | null,
): Promise<SpendableGift[]> {
  return on.query<SpendableGift>(spendableSql, [workspaceId, memberId, codeAbove, currency]);
}

const spendableSql = `
  ${ownGiftsSql}
  select mine.id, mine.left, mine.state, case mine.state when 'ISSUED' then mine.expires_at end as "expiresAt",
         r.sender_id as "senderId", r.sender_name as "senderName"
    from mine
    ${orderOf('mine')}
   where mine.rank = ${standings.indexOf('OPEN')}
     and ${needsCodeSql('$3')} is not true
     and r.currency = $4
   order by mine.ends, mine.nth`;
