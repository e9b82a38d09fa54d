import type { Database } from '../../ground/database/database.ts';
import { takeUnnoted } from '../../ground/database/history.ts';
import { audit, theService } from '../workspaces/audit.ts';

/** Writes new histories of the database to the audit log of every workspace. Returns the histories that no process had noted before. */
export function noteHistories(database: Database) {
  return database.transaction(async (tx) => {
    const histories = await takeUnnoted(tx);
    if (histories.length === 0) return [];
    const workspaces = await tx.query<{ id: number }>('select id from workspaces order by id');
    for (const { id, base, reason } of histories)
      await audit(
        tx,
        ...workspaces.map((workspace) => ({
          workspaceId: workspace.id,
          actor: theService,
          action: 'history.started' as const,
          subject: { id, name: null },
          detail: { reason, numbersAbove: base },
        })),
      );
    return histories;
  });
}
