import { takeInEntries } from './company/workspaces/audit-chain.ts';
import type { Backfill } from './company/workspaces/backfills.ts';
import { fillSenders } from './giving/approvals/fill-senders.ts';
import { fillEditions } from './giving/delivery/fill-editions.ts';

/**
 * What workers fill in the background for the schema of this version, in this sequence. A backfill stays here until a later release drops what
 * it filled from. docs/upgrades.md says how to write one.
 */
export const backfills: readonly Backfill[] = [
  {
    name: 'chain of the audit log',
    table: 'audit_log',
    // Entries that are taken in have a number, so the next ones are found without the key of the last.
    fill: (tx, workspaceId, _after, most) => takeInEntries(tx, workspaceId, most),
  },
  { name: 'senders of orders that waited', table: 'order_approvals', fill: fillSenders },
  { name: 'emails of gifts after a history', table: 'mails', fill: fillEditions },
];
