import type { Actor } from '../../ground/contract/actor.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { audit } from '../workspaces/audit.ts';
import { inWorkspace } from '../workspaces/lock.ts';

/** Who changes users and groups, and where. */
export interface Writer {
  people: Database;
  workspaceId: number;
  actor: Actor;
}

type GroupAction = 'team.added' | 'team.changed' | 'team.deleted';

export interface WrittenGroup {
  id: number;
  name: string;
  isChanged: boolean;
}

/** Changes a group as the workspace's one writer, with the entry in the audit log if anything has changed. */
export function writeGroup(
  { people, workspaceId, actor }: Writer,
  action: GroupAction,
  work: (tx: Queryable) => Promise<WrittenGroup>,
): Promise<WrittenGroup> {
  return inWorkspace(people, workspaceId, async (tx) => {
    const written = await work(tx);
    const { id, name, isChanged } = written;
    if (isChanged) await audit(tx, { workspaceId, actor, action, subject: { id, name } });
    return written;
  });
}
