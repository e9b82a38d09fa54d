import { takeNotes } from '../directory/events.ts';
import { type InUse, restorePeople } from '../directory/restore-people.ts';
import { deleteEmptyTeams } from '../directory/teams.ts';
import { appendEvents } from '../events/log.ts';
import type { UndoKind } from '../undo/undo.ts';
import { momentOf } from '../workspaces/lock.ts';
import { movements } from './open-imports.ts';

interface ImportDetail {
  /** The teams that it added. */
  teams?: number[];
}

/**
 * Undoes an import completely: people are as they were before, and those whom it added are removed, with the teams that it added, unless these have
 * other members. `inUse` says which people cannot be removed.
 */
export function importUndo(inUse: readonly InUse[]): UndoKind<ImportDetail> {
  return {
    kind: 'MEMBER_IMPORT',
    action: 'members.import_undone',
    scopesOf: () => ['directory:write'],
    readNames: async () => [],
    async undo(tx, change) {
      const { workspaceId, id: importId, detail } = change;
      const removed = await restorePeople(tx, change, inUse);
      if (detail.teams) await deleteEmptyTeams(tx, workspaceId, detail.teams);
      const notes = takeNotes(tx, workspaceId);
      const data = { importId, removed: removed.length, changed: notes.length, ...movements(notes) };
      await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), [{ type: 'members.import_undone', data }]);
    },
  };
}
