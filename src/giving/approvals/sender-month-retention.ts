import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';
import { monthNow } from './sender-months.ts';

/** Totals of the current month alone are read. With two months, another time zone of the workspace changes nothing either. */
const ofPastMonths = {
  isRemovable: `t.month < ${monthNow('$1')}`,
  usualDays: 62,
  leastDays: 62,
  why: 'rules measure what a sender has sent in the current month',
};

export const senderMonthRetention: RowRetention = {
  kind: 'sender-months',
  table: 'sender_months',
  key: [
    ['month', 'date'],
    ['member_id', 'bigint'],
    ['currency', 'text'],
    ['round', 'int'],
  ],
  isReached: 't.month < $2::timestamptz::date',
  ...ofPastMonths,
  what: 'what each sender sent in a past month, for rules by that total',
};

export const senderMonthOrderRetention: RowRetention = {
  kind: 'sender-month-orders',
  table: 'sender_month_orders',
  key: [['request_id', 'uuid']],
  isReached: isOfOldOrder,
  ...ofPastMonths,
  what: 'what an order of a past month added to that total',
};
