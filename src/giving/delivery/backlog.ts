import { timeOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';

/** How long the email that is due longest has been waiting; 0 when none is due. */
export async function readOldestDue(on: Queryable): Promise<number> {
  const { seconds } = await queryOne<{ seconds: number }>(
    on,
    `select coalesce(greatest(max(extract(epoch from ${timeOf('a')} - q.next_due)), 0), 0)::float8 as seconds
       from mail_queues q
       join activity_counters a on a.workspace_id = q.workspace_id
      where q.next_due is not null`,
  );
  return seconds;
}
