import { theService } from '../../company/workspaces/audit.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { tellSteps } from '../../ground/database/run-steps.ts';
import type { FinishedOrders } from '../orders/order-steps.ts';
import { type ApprovalStep, announceWaiting, runApprovalSteps } from './announce.ts';
import { declineOrders } from './outcomes.ts';
import { readApprovalRows } from './read.ts';
import { isAsked, wholeRequests } from './requests.ts';

/** The number of orders of a workspace that are declined in one transaction. */
const batchSize = 100;

/** Declines orders on which no decision came in time, in every workspace. Returns how many there were. */
export async function declineOverdue(database: Database, steps: readonly ApprovalStep[]): Promise<number> {
  let declined = 0;
  await inEachWorkspace(await database.query<{ workspaceId: number }>(workspacesSql), async ({ workspaceId }) => {
    let finished: FinishedOrders | null;
    do {
      finished = await inWorkspace(database, workspaceId, (tx, moment) => declineSome(tx, steps, workspaceId, moment));
      if (finished) tellSteps(steps, finished);
      declined += finished?.failed.length ?? 0;
    } while (finished?.failed.length === batchSize);
  });
  return declined;
}

async function declineSome(
  tx: Queryable,
  steps: readonly ApprovalStep[],
  workspaceId: number,
  moment: string,
): Promise<FinishedOrders | null> {
  await announceWaiting(tx, steps, workspaceId, moment);
  const due = await tx.query<{ requestId: string }>(
    `select request_id as "requestId"
       from order_approvals a
      where workspace_id = $1
        and state = 'WAITING'
        and due_at <= $2::timestamptz
        and ${isAsked('a')}
      order by due_at
      limit $3`,
    [workspaceId, moment, batchSize],
  );
  const overdue = due.map(({ requestId }) => requestId);
  const rows = await readApprovalRows(tx, workspaceId, await wholeRequests(tx, workspaceId, overdue));
  const by = { workspaceId, moment, actor: theService, memberId: null, userId: null, comment: null };
  const finished = await declineOrders(tx, steps, by, rows);
  await runApprovalSteps(tx, steps, workspaceId, moment, rows);
  return finished;
}

const workspacesSql = `
  select c.workspace_id as "workspaceId"
    from activity_counters c
   where exists (select from order_approvals a
                  where a.workspace_id = c.workspace_id and a.state = 'WAITING' and a.due_at <= ${timeOf('c')}
                     and ${isAsked('a', 'a.workspace_id')})`;
