import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { seal } from '../../src/company/workspaces/seals.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { sealedRecords } from '../../src/insight/books/sealed.ts';

/** Seals all records of a workspace as they are. A test that changes rows with SQL calls this if it verifies the ledger later. */
export async function sealAsIs(database: Database, workspaceId: number): Promise<void> {
  await inWorkspace(database, workspaceId, async (tx) => {
    for (const record of sealedRecords) {
      const { key, joins = '', where = 'true', tables } = record;
      const { table, alias } = tables[0];
      const rows = await tx.query<{ key: string }>(
        `select distinct ${key} as key from ${table} ${alias} ${joins} where ${alias}.workspace_id = $1 and ${where}`,
        [workspaceId],
      );
      await seal(tx, workspaceId, { record, keys: rows.map((row) => row.key) });
    }
  });
}
