import { audit, theService } from './audit.ts';
import { moveCheckpoint } from './audit-chain.ts';
import type { RowRetention } from './retention.ts';

/** Verification of the ledger reads who closed payroll exports, and that of the audit log what an erasure has left of entries. */
const alwaysKept = `t.action in ('payroll.exported', 'audit.names_removed')`;

/** Kept unless the workspace says otherwise: it is the proof of who did what. The verification of the ledger reads who closed payroll exports. */
export const auditRetention: RowRetention = {
  kind: 'audit-log',
  // The release before would remove entries without moving the beginning of the chain.
  runsAs: 'audit-entries',
  table: 'audit_log',
  key: [
    ['at', 'timestamptz'],
    ['id', 'bigint'],
  ],
  isReached: 't.at < $2::timestamptz',
  // An entry says first up to where the chain loses its beginning.
  isRemovable: `not ${alwaysKept} and t.number <= (select c.checkpoint_number from audit_chains c where c.workspace_id = $1)`,
  isExpected: `not ${alwaysKept}`,
  async afterPass(tx, workspaceId, before) {
    const moved = await moveCheckpoint(tx, workspaceId, before);
    if (moved === null) return false;
    await audit(tx, { workspaceId, actor: theService, action: 'audit.entries_removed', detail: { ...moved } });
    return true;
  },
  usualDays: null,
  leastDays: 365,
  what: 'entries of the audit log, without those about payroll exports and erased names, which verifications read',
  why: 'it proves who did what',
};
