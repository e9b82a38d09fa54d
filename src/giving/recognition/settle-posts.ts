import type { Queryable } from '../../ground/database/database.ts';
import { runSteps } from '../../ground/database/run-steps.ts';
import { writeDecisions } from './decide.ts';
import { shoutoutsOfPost } from './posts.ts';
import type { ShoutoutStep } from './shoutout-steps.ts';

/** Orders of a workspace that have got their outcome. */
interface Outcomes {
  workspaceId: number;
  moment: string;
  completed: readonly { requestId: string }[];
  failed: readonly { requestId: string; reason: string }[];
}

interface OpenPost {
  number: number;
  requestId: string;
  senderId: number;
}

/**
 * Approves the posts whose gifts are issued, and declines those whose gifts are not sent, in the transaction that writes the outcome of their orders. The post alone
 * was not decided by a person, so its sender is named. The caller holds the workspace's lock.
 */
export async function settlePosts(
  tx: Queryable,
  steps: readonly ShoutoutStep[],
  { workspaceId, moment, completed, failed }: Outcomes,
): Promise<void> {
  const reasons = new Map<string, string | null>([
    ...completed.map(({ requestId }): [string, null] => [requestId, null]),
    ...failed.map(({ requestId, reason }): [string, string] => [requestId, reason]),
  ]);
  const posts = await tx.query<OpenPost>(settleSql, [workspaceId, [...reasons.keys()], moment]);
  for (const { number, requestId, senderId } of posts) {
    const reason = reasons.get(requestId) ?? null;
    const decision = reason === null ? ('APPROVED' as const) : ('DECLINED' as const);
    const all = await shoutoutsOfPost(tx, workspaceId, number);
    const numbers = await writeDecisions(
      tx,
      workspaceId,
      all.map((one) => ({ number: one.number, moment })),
      { decision, decidedBy: senderId, reason },
    );
    const decided = all
      .filter((one) => numbers.includes(one.number))
      .map(({ id }) => ({ id, decision, decidedBy: senderId }));
    if (decided.length > 0) await runSteps(steps, tx, { workspaceId, moment, given: [], decided });
  }
}

const settleSql = `
  update post_gifts g
     set settled_at = $3::timestamptz
    from activities a
   where g.workspace_id = $1
     and g.request_id = any($2::uuid[])
     and g.settled_at is null
     and a.workspace_id = $1
     and a.number = g.number
  returning g.number, g.request_id as "requestId", a.sender_id as "senderId"`;
