import { auditRemovedNames } from '../../company/workspaces/audit.ts';
import { seal } from '../../company/workspaces/seals.ts';
import { orderRecord } from '../../giving/orders/sealed.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** Tables whose rows are compared with hashes of their texts: what is noted after texts of some rows were erased, by the first column of their keys. */
export const provable: Readonly<
  Record<string, (tx: Queryable, workspaceId: number, keys: readonly string[]) => Promise<void>>
> = {
  orders: (tx, workspaceId, keys) => seal(tx, workspaceId, { record: orderRecord, keys }),
  audit_log: (tx, workspaceId, keys) => auditRemovedNames(tx, workspaceId, keys.map(Number)),
};
