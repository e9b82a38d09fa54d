import { momentOf } from '../../../company/workspaces/lock.ts';
import type { BulkFilter } from '../../../ground/contract/bulk-action.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { findGiftIds } from '../gift-list/list.ts';

/** How many gifts one transaction finds at most. */
const atOnce = 1_000;

/**
 * Finds the next gifts of a bulk action, as the list of gifts does, and stores them. So later changes of gifts do not change what the action is about,
 * and a search that was interrupted continues.
 */
export async function searchGifts(tx: Queryable, workspaceId: number, actionId: number): Promise<void> {
  const open = await queryOptional<{ filter: BulkFilter; searchedTo: number | null }>(
    tx,
    `select filter, searched_to as "searchedTo"
       from bulk_actions
      where workspace_id = $1
        and id = $2
        and found_at is null`,
    [workspaceId, actionId],
  );
  if (!open) return;
  const { ids, next } = await find(tx, workspaceId, open.filter, open.searchedTo);
  await tx.query(storeSql, [workspaceId, actionId, ids]);
  await tx.query(
    `update bulk_actions
        set searched_to = $3::bigint, found_at = case when $3::bigint is null then $4::timestamptz end
      where workspace_id = $1
        and id = $2`,
    [workspaceId, actionId, next, momentOf(tx, workspaceId)],
  );
}

async function find(tx: Queryable, workspaceId: number, { ids, ...filters }: BulkFilter, after: number | null) {
  if (ids) return { ids, next: null };
  return findGiftIds(tx, workspaceId, { ...filters, size: atOnce, ...(after !== null && { after }) });
}

const storeSql = `
  insert into bulk_action_gifts (workspace_id, action_id, gift_id)
  select c.workspace_id, b.id, c.id
    from bulk_actions b
    join certificates c on c.workspace_id = b.workspace_id
                       and c.id = any($3::bigint[])
                       and c.id <= b.last_gift_id
   where b.workspace_id = $1
     and b.id = $2
      on conflict do nothing`;
