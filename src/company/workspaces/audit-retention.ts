import type { Retention } from './retention.ts';

/** Kept unless the workspace says otherwise: it is the proof of who did what. The verification of the ledger reads who closed payroll exports. */
export const auditRetention: Retention = {
  kind: 'audit-log',
  table: 'audit_log',
  key: [
    ['at', 'timestamptz'],
    ['id', 'bigint'],
  ],
  isReached: 't.at < $2::timestamptz',
  isRemovable: `t.action <> 'payroll.exported'`,
  usualDays: null,
  leastDays: 365,
  what: 'entries of the audit log, without those about payroll exports, which the verification of the ledger reads',
};
