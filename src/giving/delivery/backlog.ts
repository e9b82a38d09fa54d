import { timeOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { waitingStates } from './queue.ts';

/** A longer queue is as urgent, and counting it would take long. */
const mostCounted = 10_000;

export interface MailBacklog {
  /** Emails that are due, at most 10,000. */
  due: number;
  /** How long the email that is due longest has been waiting; 0 when none is due. */
  oldestDueSeconds: number;
}

export function readMailBacklog(on: Queryable): Promise<MailBacklog> {
  return queryOne<MailBacklog>(
    on,
    `select (select count(*)
               from (select
                       from mail_queues q
                       join activity_counters a on a.workspace_id = q.workspace_id
                       join mails m             on m.workspace_id = q.workspace_id
                                               and m.due_at <= ${timeOf('a')}
                                               and m.state in ${waitingStates}
                      where q.next_due <= ${timeOf('a')}
                      limit ${mostCounted}) counted) as due,
            (select coalesce(greatest(max(extract(epoch from ${timeOf('a')} - q.next_due)), 0), 0)::float8
               from mail_queues q
               join activity_counters a on a.workspace_id = q.workspace_id
              where q.next_due is not null) as "oldestDueSeconds"`,
  );
}
