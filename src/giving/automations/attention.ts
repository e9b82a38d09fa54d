import { timeOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryCount } from '../../ground/database/database.ts';

/** What is in this state was not done as its automation says: nothing went out, or the message without the gift. */
export const incompleteStates = `('NOT_DONE', 'MESSAGE_ONLY')`;

/** What automations could not do in the last 30 days, up to `most`. */
export function countNotDone(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from occurrences
              where workspace_id = $1
                and state in ${incompleteStates}
                and due_at > (select ${timeOf('a')} from activity_counters a where a.workspace_id = $1) - interval '30 days'
              limit $2::int) undone`,
    [workspaceId, most],
  );
}
