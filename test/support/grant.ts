import type { WorkspaceGrant } from '../../src/access/grants.ts';
import { scopes } from '../../src/access/scopes.ts';
import type { Database } from '../../src/database/database.ts';
import { addIntegration } from '../../src/directory/members.ts';
import { createWorkspace, type NewWorkspace } from '../../src/workspaces/workspaces.ts';

/** Creates a workspace and returns the grant that functions get when they are called without HTTP. */
export function createGrant(database: Database, settings: Partial<NewWorkspace> = {}): Promise<WorkspaceGrant> {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false, ...settings };
  return database.transaction(async (tx) => {
    const created = await createWorkspace(tx, workspace);
    const memberId = await addIntegration(tx, created.id, workspace.name);
    return {
      ...created,
      workspaceId: created.id,
      scopes,
      role: null,
      memberId,
      onlyReportsOf: null,
      senderName: workspace.name,
      timeZone: 'UTC',
      hasBudgets: false,
    };
  });
}
