import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Database } from '../../ground/database/database.ts';
import { settlePosts } from '../recognition/settle-posts.ts';
import type { ShoutoutStep } from '../recognition/shoutout-steps.ts';

/**
 * Settles posts whose orders have an outcome that the posts lack, in every workspace: a node of the release before, which knows no posts, has fulfilled or declined
 * them.
 */
export async function settleLatePosts(database: Database, steps: readonly ShoutoutStep[]): Promise<void> {
  const workspaces = await database.query<{ workspaceId: number }>(workspacesSql);
  await inEachWorkspace(workspaces, ({ workspaceId }) =>
    inWorkspace(database, workspaceId, async (tx, moment) => {
      const late = await tx.query<{ requestId: string; failure: string | null }>(lateSql, [workspaceId]);
      const completed = late.filter(({ failure }) => failure === null);
      const failed = late.flatMap(({ requestId, failure }) =>
        failure === null ? [] : [{ requestId, reason: failure }],
      );
      await settlePosts(tx, steps, { workspaceId, moment, completed, failed });
    }),
  );
}

const hasOutcome = 'o.workspace_id = g.workspace_id and o.request_id = g.request_id and g.settled_at is null';

const workspacesSql = `
  select w.id as "workspaceId"
    from workspaces w
   where exists (select from post_gifts g join orders o on ${hasOutcome} where g.workspace_id = w.id)`;

const lateSql = `
  select g.request_id as "requestId", o.failure
    from post_gifts g
    join orders o on ${hasOutcome}
   where g.workspace_id = $1
   limit 200`;
