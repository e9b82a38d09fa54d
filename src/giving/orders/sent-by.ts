import { recordsOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** Whether a person has sent an order: themselves, or a token in their name. */
export async function isSentBy(
  database: Queryable,
  workspaceId: number,
  requestId: string,
  { callerId, memberId }: { callerId: number; memberId: number },
): Promise<boolean> {
  const found = await database.query(
    `select
       from order_requests
      where workspace_id = $1
        and request_id = $2
        and (token_id = $3 or body ? 'sender' and sender_id in (${recordsOf('$1::bigint', '$4::bigint')}))`,
    [workspaceId, requestId, callerId, memberId],
  );
  return found.length > 0;
}
