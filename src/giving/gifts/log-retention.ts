import { isOfOldOrder, type Retention } from '../../company/workspaces/retention.ts';

/** The state of the gift of a row `t`. */
export const stateOfGift = `
  (select c.state
     from certificates c
    where c.workspace_id = t.workspace_id
      and c.request_id = t.request_id
      and c.position = t.position)`;

/** What a gift is now stays with the gift, and what was spent of it in the ledger. The whole log of a gift that can be claimed stays. */
export const giftLogRetention: Retention = {
  kind: 'gift-log',
  table: 'gift_log',
  key: [
    ['request_id', 'uuid'],
    ['position', 'int'],
    ['id', 'bigint'],
  ],
  isReached: isOfOldOrder,
  isRemovable: `t.at < $2::timestamptz and ${stateOfGift} is distinct from 'ISSUED'`,
  usualDays: 730,
  leastDays: 30,
  what: 'what happened to a gift that was claimed, has expired or was cancelled',
};
