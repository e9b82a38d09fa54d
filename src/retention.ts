import { sessionRetention } from './company/access/session-retention.ts';
import { webhookAttemptRetention } from './company/events/webhooks/attempts.ts';
import { auditRetention } from './company/workspaces/audit-retention.ts';
import type { Retention } from './company/workspaces/retention.ts';
import { partyRetention } from './giving/approvals/party-retention.ts';
import { senderMonthOrderRetention, senderMonthRetention } from './giving/approvals/sender-month-retention.ts';
import { occurrenceTextRetention } from './giving/automations/text-retention.ts';
import {
  approvalMailRetention,
  digestMailRetention,
  mailRetention,
  managerMailRetention,
} from './giving/delivery/mail-retention.ts';
import {
  caseNoteRetention,
  commentRetention,
  reportedRetention,
  thanksRetention,
} from './giving/feed/text-retention.ts';
import { giftLogRetention } from './giving/gifts/log-retention.ts';
import { giftTextRetention, giftTexts } from './giving/gifts/text-retention.ts';
import { orderTextRetention } from './giving/orders/text-retention.ts';
import { shoutoutBodyRetention, shoutoutTextRetention } from './giving/recognition/text-retention.ts';
import { leaverRetention } from './insight/rights/leaver-retention.ts';
import { hasOpenRequest } from './spending/redemptions/open-request.ts';

/**
 * What workers remove when it is old, if its workspace keeps it no longer: all kinds that a workspace can set. Not in this list: what the ledger and
 * its verification, reports, gifts or Idempotency-Keys of orders need, which is kept; and what is removed for all workspaces alike (recurring.ts).
 */
export const retentions: readonly Retention[] = [
  giftTextRetention,
  orderTextRetention,
  occurrenceTextRetention(giftTexts),
  shoutoutTextRetention,
  shoutoutBodyRetention,
  commentRetention,
  thanksRetention,
  reportedRetention,
  caseNoteRetention,
  mailRetention(hasOpenRequest),
  approvalMailRetention,
  managerMailRetention,
  digestMailRetention,
  giftLogRetention,
  webhookAttemptRetention,
  auditRetention,
  sessionRetention,
  leaverRetention,
  partyRetention,
  senderMonthRetention,
  senderMonthOrderRetention,
];
