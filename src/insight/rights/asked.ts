import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';

/** True for a person `alias` of `members` of the workspace $1 whose erasure was asked for. */
export function isToBeErased(alias: string): string {
  return `${alias}.id in (select e.member_id from erasures e where e.workspace_id = $1)`;
}

/**
 * Fails if the erasure of one of these people waits: their records are not merged, because the erasure would take along a record that it was not
 * asked for. The caller holds the workspace's lock.
 */
export async function checkNotToBeErased(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<void> {
  const [asked] = await tx.query<{ id: number }>(
    `select member_id as id
       from erasures
      where workspace_id = $1
        and member_id = any($2::bigint[])
        and state in ('REQUESTED', 'WAITING')
      order by 1
      limit 1`,
    [workspaceId, ids],
  );
  if (asked)
    throw new Failure(
      'conflict',
      `The erasure of member ${asked.id} was asked for: stop it before you merge the record.`,
    );
}
