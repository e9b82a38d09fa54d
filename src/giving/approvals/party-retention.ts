import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';

/** An order that waits, or that has failed and can be tried again, keeps who may not decide about it. Of a completed one it is only history. */
export const partyRetention: RowRetention = {
  kind: 'order-parties',
  table: 'order_parties',
  key: [['request_id', 'uuid']],
  isReached: isOfOldOrder,
  isRemovable: `exists (select from orders o
                         where o.workspace_id = $1 and o.request_id = t.request_id and o.failure is null)`,
  usualDays: 90,
  leastDays: 1,
  what: 'the addresses and employee numbers of people who could not decide about an order that was completed',
  why: 'the company sees why someone could not decide',
};
