import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { scopes } from '../../src/company/access/scopes.ts';
import { addIntegration } from '../../src/company/directory/members.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { createWorkspace, type NewWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { Database } from '../../src/ground/database/database.ts';

/** Creates a workspace and returns the grant that functions get when they are called without HTTP. */
export function createGrant(database: Database, settings: Partial<NewWorkspace> = {}): Promise<WorkspaceGrant> {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false, ...settings };
  return database.transaction(async (tx) => {
    const created = await createWorkspace(tx, theService, workspace);
    const memberId = await addIntegration(tx, created.id, workspace.name);
    return {
      ...created,
      workspaceId: created.id,
      scopes,
      role: null,
      firstTokenId: null,
      memberId,
      onlyReportsOf: null,
      hasLeft: false,
      provesEmail: false,
      senderName: workspace.name,
      timeZone: 'UTC',
      hasBudgets: false,
      recipientCaps: [],
      rules: [],
    };
  });
}
