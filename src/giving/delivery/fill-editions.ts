import type { Filled } from '../../company/workspaces/backfills.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { slowHistoryBases } from '../../ground/database/history.ts';
import { announceDue } from './queue.ts';

/**
 * Sends emails that were cancelled by mistake: gifts of orders that were accepted before a history began, or within the hour after, have another edition, and
 * their emails were queued for edition 0. These emails get the edition of their gift.
 */
export async function fillEditions(
  tx: Queryable,
  workspaceId: number,
  _after: string | null,
  most: number,
): Promise<Filled | null> {
  // Before the lock: without an index it takes a while where there are many gifts. Without a history it reads nothing.
  const found = await tx.query<{ requestId: string; position: number }>(
    `select m.request_id as "requestId", m.position ${wrong} limit $2`,
    [workspaceId, most],
  );
  if (found.length === 0) return null;
  const moment = await lockWorkspace(tx, workspaceId);
  await tx.query(moveSql, [
    workspaceId,
    found.map(({ requestId }) => requestId),
    found.map(({ position }) => position),
    moment,
  ]);
  await announceDue(tx, workspaceId, moment);
  return { rows: found.length, last: found.at(-1)?.requestId as string };
}

const wrong = `
    from certificates c
    join mails m on m.workspace_id = c.workspace_id and m.request_id = c.request_id and m.position = c.position
   where c.workspace_id = $1
     and c.edition in ${slowHistoryBases}
     and c.state = 'ISSUED'
     and m.kind = 'GIFT'
     and m.edition = 0
     and m.nth = 0
     and m.attempts = 0
     and m.state in ('CANCELLED', 'SCHEDULED', 'QUEUED', 'DEFERRED', 'NO_ADDRESS')
     and not exists (select from mails other
                      where other.workspace_id = m.workspace_id and other.request_id = m.request_id and other.position = m.position
                        and other.kind = 'GIFT' and other.edition = c.edition)`;

const moveSql = `
  update mails k
     set edition = n.edition,
         state   = case k.state when 'CANCELLED' then 'QUEUED' else k.state end,
         due_at  = case k.state when 'CANCELLED' then $4::timestamptz else k.due_at end
    from (select m.request_id, m.position, c.edition ${wrong}) n
    join unnest($2::uuid[], $3::int[]) as chosen (request_id, position) using (request_id, position)
   where k.workspace_id = $1
     and k.request_id = n.request_id
     and k.position = n.position
     and k.kind = 'GIFT'
     and k.edition = 0
     and k.nth = 0`;
