import { inEachWorkspace } from '../../../company/workspaces/each.ts';
import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database } from '../../../ground/database/database.ts';
import { readWaiting } from '../../approvals/read.ts';
import { announceDue } from '../queue.ts';
import { queueFor, waitingApprovalMails, wantedMails } from './queue.ts';

/**
 * Emails people who have become approvers of orders that wait: a deputy whose days have begun, or owners after the last approver has left.
 * Also announces emails again that a node of the release before has left out of the queue.
 */
export async function emailNewApprovers(database: Database): Promise<void> {
  const waiting = await database.query<{ workspaceId: number }>(
    `select distinct workspace_id as "workspaceId" from order_approvals where state = 'WAITING' and is_announced`,
  );
  await inEachWorkspace(waiting, async ({ workspaceId }) => {
    for await (const rows of readWaiting(database, workspaceId)) {
      const wanted = await wantedMails(database, workspaceId, rows);
      if (wanted.length === 0) continue;
      const requestIds = [...new Set(wanted.map(({ requestId }) => requestId))];
      await inWorkspace(database, workspaceId, (tx, moment) => queueFor(tx, { workspaceId, moment, requestIds }));
    }
  });
  const forgotten = await database.query<{ workspaceId: number; due: string }>(forgottenSql);
  await inEachWorkspace(forgotten, ({ workspaceId, due }) =>
    inWorkspace(database, workspaceId, (tx) => announceDue(tx, workspaceId, due)),
  );
}

const forgottenSql = `
  select q.workspace_id as "workspaceId", min(q.due_at)::text as due
    from approval_mails q
    join mail_queues next on next.workspace_id = q.workspace_id
   where q.state in ${waitingApprovalMails}
     and (next.next_due is null or next.next_due > q.due_at)
   group by q.workspace_id`;
