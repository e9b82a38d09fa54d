import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';

/** Notes the order of the gifts that come with a post. The caller stores both in one transaction. */
export async function notePostGifts(
  tx: Queryable,
  workspaceId: number,
  { number, requestId, isShown }: { number: number; requestId: string; isShown: boolean },
): Promise<void> {
  await tx.query('insert into post_gifts (workspace_id, number, request_id, is_shown) values ($1, $2, $3, $4)', [
    workspaceId,
    number,
    requestId,
    isShown,
  ]);
}

/** True for the first shoutout of a post that waits until its gifts have an outcome. */
export function waitsWithGifts(alias: string): string {
  return `exists (select from post_gifts g
                   where g.workspace_id = ${alias}.workspace_id and g.number = ${alias}.number and g.settled_at is null)`;
}

/** A post that waits with its gifts is decided and changed with them alone. */
export async function refuseWithGifts(tx: Queryable, workspaceId: number, number: number): Promise<void> {
  const found = await tx.query(
    `select
       from activities a
       join post_gifts g on g.workspace_id = a.workspace_id and g.number = coalesce(a.lead_number, a.number) and g.settled_at is null
      where a.workspace_id = $1
        and a.number = $2`,
    [workspaceId, number],
  );
  if (found.length > 0)
    throw new Failure('conflict', 'This post waits with its gifts: what is decided about them decides about it.');
}

export async function hasGifts(on: Queryable, workspaceId: number, number: number): Promise<boolean> {
  const found = await on.query('select from post_gifts where workspace_id = $1 and number = $2', [workspaceId, number]);
  return found.length > 0;
}

/** A failed order whose post was declined with it is not tried again: the gifts would come without their post. */
export async function refuseRetryOfPost(tx: Queryable, workspaceId: number, requestId: string): Promise<void> {
  const found = await tx.query('select from post_gifts where workspace_id = $1 and request_id = $2', [
    workspaceId,
    requestId,
  ]);
  if (found.length > 0)
    throw new Failure('conflict', 'The gifts of this order came with a shoutout: its sender gives both again.');
}
