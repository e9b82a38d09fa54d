import type { Queryable } from '../database/database.ts';
import { survivorOf } from '../directory/who.ts';

/**
 * Queues the mail about each gift of orders that are being completed, in their transaction. An order may say when: `deliverAt`.
 * The gift of somebody without an e-mail address gets a row too, so that people find it. Two statements for any number of gifts.
 */
export async function queueGiftMails(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  const [queued] = await tx.query<{ nextDue: Date | null }>(queueSql, [workspaceId, requestIds, moment]);
  if (queued?.nextDue) await announceDue(tx, workspaceId, queued.nextDue);
}

/** Says that a mail of the workspace is due then. The caller holds the workspace's lock. */
export async function announceDue(tx: Queryable, workspaceId: number, due: Date | string): Promise<void> {
  await tx.query(
    `insert into mail_queues as q (workspace_id, next_due) values ($1, $2)
         on conflict (workspace_id) do update set next_due = least(q.next_due, excluded.next_due)`,
    [workspaceId, due],
  );
}

const queueSql = `
  with queued as (
    insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
    select c.workspace_id, c.request_id, c.position, 'GIFT', 0, 0,
           case when m.email is null then 'NO_ADDRESS'
                when deliver_at > $3::timestamptz then 'SCHEDULED'
                else 'QUEUED' end,
           greatest(deliver_at, $3::timestamptz)
      from workspaces w
     cross join lateral (select request_id, (body ->> 'deliverAt')::timestamptz as deliver_at
                           from order_requests
                          where workspace_id = w.id
                            and request_id = any($2::uuid[])
                         offset 0) r
     cross join lateral (select *
                           from certificates
                          where workspace_id = w.id
                            and request_id = r.request_id
                         offset 0) c
      join members named on named.workspace_id = c.workspace_id and named.id = c.member_id
      join members m     on m.workspace_id = c.workspace_id and m.id = ${survivorOf('named')}
     where w.id = $1
       and w.mails_gifts
    returning state, due_at
  )
  select min(due_at) filter (where state <> 'NO_ADDRESS') as "nextDue" from queued`;
