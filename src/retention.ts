import { webhookAttemptRetention } from './company/events/webhooks/attempts.ts';
import { auditRetention } from './company/workspaces/audit-retention.ts';
import type { Retention } from './company/workspaces/retention.ts';
import { partyRetention } from './giving/approvals/party-retention.ts';
import { senderMonthOrderRetention, senderMonthRetention } from './giving/approvals/sender-month-retention.ts';
import { approvalMailRetention, mailRetention, managerMailRetention } from './giving/delivery/mail-retention.ts';
import { giftLogRetention } from './giving/gifts/log-retention.ts';
import { hasOpenRequest } from './spending/redemptions/open-request.ts';

/**
 * What workers remove when it is old, if its workspace keeps it no longer. Not in this list: what the ledger and its verification, reports, gifts
 * or Idempotency-Keys of orders need, which is kept; and what is removed for all workspaces alike (recurring.ts).
 */
export const retentions: readonly Retention[] = [
  mailRetention(hasOpenRequest),
  approvalMailRetention,
  managerMailRetention,
  giftLogRetention,
  webhookAttemptRetention,
  auditRetention,
  partyRetention,
  senderMonthRetention,
  senderMonthOrderRetention,
];
