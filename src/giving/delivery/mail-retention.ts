import { isHeld } from '../../company/directory/holds.ts';
import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';
import { isOfHeldGift, stateOfGift } from '../gifts/log-retention.ts';
import { waitingApprovalMails } from './approvals/queue.ts';
import { waitingDigests } from './digests/plan.ts';
import { waitingManagerMails } from './managers/queue.ts';
import { noReminders, waitingStates } from './queue.ts';

/**
 * Emails that wait stay, and those of a gift that can be claimed: reminders and resends refer to them. The address that a sender has corrected
 * stays while money is left on the gift or a request is open, because emails about requests go there. A gift that has expired can be extended at
 * any time: its address stays, what became of the email about the gift, which reminders and a late email depend on, and that its recipient wants
 * no reminders. Emails to people on legal hold stay. `hasOpenRequest` holds for rows `t` of gifts with an open request.
 */
export const mailRetention = (hasOpenRequest: string): RowRetention => ({
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
    and case when t.address is not null
             then coalesce(${stateOfGift}, '') not in ('CLAIMED', 'PARTLY_REDEEMED', 'EXPIRED') and not ${hasOpenRequest}
             when t.kind = 'GIFT' or t.kind = 'REMINDER' and t.nth = ${noReminders}
             then ${stateOfGift} is distinct from 'EXPIRED'
             else true end
    and not ${isOfHeldGift}`,
  usualDays: 730,
  leastDays: 30,
  what: 'emails about a gift that was claimed, has expired or was cancelled: time, email address, response of the mail server. While a gift can be extended, the email with the gift stays',
  why: 'the company finds out whether an email arrived',
});

/** An order that waits keeps its emails: their links work, and no approver is emailed twice. */
export const approvalMailRetention: RowRetention = {
  kind: 'approval-emails',
  table: 'approval_mails',
  key: [
    ['request_id', 'uuid'],
    ['since', 'timestamptz'],
    ['level', 'int'],
    ['kind', 'text'],
    ['member_id', 'bigint'],
    ['address', 'text'],
  ],
  isReached: isOfOldOrder,
  isRemovable: `
    t.state not in ${waitingApprovalMails}
    and greatest(t.due_at, t.sent_at) < $2::timestamptz
    and not exists (select
                      from order_approvals a
                     where a.workspace_id = $1
                       and a.request_id = t.request_id
                       and a.state = 'WAITING')
    and not ${isHeld('t.member_id')}`,
  usualDays: 730,
  leastDays: 30,
  what: 'emails about orders that were decided: time, email address',
  why: 'the company sees who was asked',
};

/** An occurrence that waits for its day keeps its emails: their links work, and no manager is emailed twice. */
export const managerMailRetention: RowRetention = {
  kind: 'manager-emails',
  table: 'manager_mails',
  key: [
    ['occurrence_id', 'bigint'],
    ['member_id', 'bigint'],
  ],
  isReached: 't.due_at < $2::timestamptz',
  isRemovable: `
    t.state not in ${waitingManagerMails}
    and greatest(t.due_at, t.sent_at) < $2::timestamptz
    and not exists (select
                      from occurrences o
                     where o.workspace_id = $1
                       and o.id = t.occurrence_id
                       and o.state = 'ASKED')
    and not ${isHeld('t.member_id')}`,
  usualDays: 730,
  leastDays: 30,
  what: 'emails to managers about automations: time, email address',
  why: 'the company sees who was asked',
};

/** A row that is older than its week or month stops nothing. */
export const digestMailRetention: RowRetention = {
  kind: 'digest-emails',
  table: 'digest_mails',
  key: [
    ['period', 'date'],
    ['kind', 'text'],
    ['member_id', 'bigint'],
  ],
  isReached: 't.period < $2::timestamptz::date',
  isRemovable: `
    t.state not in ${waitingDigests}
    and greatest(t.due_at, t.sent_at) < $2::timestamptz
    and not ${isHeld('t.member_id')}`,
  usualDays: 90,
  leastDays: 45,
  what: 'weekly emails to people, and monthly ones to managers: time, email address',
  why: 'no week and no month is sent twice, and people find out whether an email was sent',
};
