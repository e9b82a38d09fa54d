import { timeOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryCount } from '../../ground/database/database.ts';

/** What automations could not do in the last 30 days, up to `most`. */
export function countNotDone(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from occurrences
              where workspace_id = $1
                and state = 'NOT_DONE'
                and due_at > (select ${timeOf('a')} from activity_counters a where a.workspace_id = $1) - interval '30 days'
              limit $2::int) undone`,
    [workspaceId, most],
  );
}
