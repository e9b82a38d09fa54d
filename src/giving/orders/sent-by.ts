import type { Queryable } from '../../ground/database/database.ts';

/** Whether a caller has sent an order: a token or a person, by its id. */
export async function isSentBy(
  database: Queryable,
  workspaceId: number,
  requestId: string,
  callerId: number,
): Promise<boolean> {
  const found = await database.query(
    'select from order_requests where workspace_id = $1 and request_id = $2 and token_id = $3',
    [workspaceId, requestId, callerId],
  );
  return found.length > 0;
}
