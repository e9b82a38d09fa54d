import { isHeld } from '../../company/directory/holds.ts';
import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';

const ofGift = (column: string) => `
  (select c.${column}
     from certificates c
    where c.workspace_id = $1
      and c.request_id = t.request_id
      and c.position = t.position)`;

/** The state of the gift of a row `t`. */
export const stateOfGift = ofGift('state');

/** Holds for rows `t` of gifts whose recipients are on legal hold. */
export const isOfHeldGift = isHeld(ofGift('member_id'));

/** What a gift is now stays with the gift, and what was spent of it in the ledger. The whole log of a gift that can be claimed stays, and of one whose recipient is on legal hold. */
export const giftLogRetention: RowRetention = {
  kind: 'gift-log',
  table: 'gift_log',
  key: [
    ['request_id', 'uuid'],
    ['position', 'int'],
    ['id', 'bigint'],
  ],
  isReached: isOfOldOrder,
  isRemovable: `t.at < $2::timestamptz and ${stateOfGift} is distinct from 'ISSUED' and not ${isOfHeldGift}`,
  usualDays: 730,
  leastDays: 30,
  what: 'what happened to a gift that was claimed, has expired or was cancelled',
  why: 'the company finds out what became of a gift',
};
