import { isHeld } from '../../company/directory/holds.ts';
import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';
import { neutral, neutralText } from '../../ground/values/personal.ts';

/** What a workspace sets one number of days for: the messages of gifts wherever they are. */
export const giftTexts = {
  kind: 'gift-texts',
  usualDays: null,
  leastDays: 30,
  what: `messages and thank-you notes of gifts that are spent, have expired or were cancelled; “${neutralText}” takes their place`,
  why: 'people read again why they were thanked',
} as const;

/** Whether a gift `c` can still be opened as its sender meant it. */
export const isOpenGift = "c.state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED')";

/** Amount, state and links stay, so the ledger and its seals agree. */
export const giftTextRetention: RowRetention = {
  ...giftTexts,
  table: 'certificates',
  key: [
    ['request_id', 'uuid'],
    ['position', 'int'],
  ],
  isReached: isOfOldOrder,
  isRemovable: `(t.message <> ${neutral} or t.thanks is not null) and not ${isOpenGift.replace('c.', 't.')} and not ${isHeld('t.member_id')}`,
  becomes: `message = ${neutral}, thanks = null`,
};
