import type { Retention } from '../../company/workspaces/retention.ts';
import { isOfOldOrder, stateOfGift } from '../gifts/log-retention.ts';
import { waitingStates } from './queue.ts';

/**
 * Emails that wait stay, and those of a gift that can be claimed: reminders and resends refer to them. While money is left on a gift, the address
 * that its sender has corrected stays, because emails about requests go there.
 */
export const mailRetention: Retention = {
  kind: 'emails',
  table: 'mails',
  key: [
    ['request_id', 'uuid'],
    ['position', 'int'],
    ['kind', 'text'],
    ['edition', 'int'],
    ['nth', 'int'],
  ],
  isReached: isOfOldOrder,
  isRemovable: `
    t.state not in ${waitingStates}
    and greatest(t.due_at, t.sent_at) < $2::timestamptz
    and ${stateOfGift} is distinct from 'ISSUED'
    and (t.address is null or ${stateOfGift} is null or ${stateOfGift} not in ('CLAIMED', 'PARTLY_REDEEMED'))`,
  usualDays: 730,
  leastDays: 30,
  what: 'emails about a gift that was claimed, has expired or was cancelled: when, to which address, what the mail server said',
};
