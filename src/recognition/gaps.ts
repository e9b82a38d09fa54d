import type { Queryable } from '../database/database.ts';

/** How many numbers the blocks have in which gaps are counted; `find_activities` in the database goes through both. */
const blockSizes = 'unnest(array[1000, 1000000]) as size';

/** Counts one more declined number. */
export async function addGap(tx: Queryable, workspaceId: number, number: number): Promise<void> {
  await tx.query(
    `with counted as (
       update activity_counters set declined = declined + 1 where workspace_id = $1
     )
     insert into activity_gaps as g (workspace_id, size, block, gaps)
     select $1, size, ($2::bigint - 1) / size, 1 from ${blockSizes}
     on conflict (workspace_id, size, block) do update set gaps = g.gaps + 1`,
    [workspaceId, number],
  );
}

/** The gaps of a history that was written at once. */
export const countGapsSql = `
  insert into activity_gaps (workspace_id, size, block, gaps)
  select workspace_id, size, (number - 1) / size, count(*)
    from activities, ${blockSizes}
   where workspace_id = $1
     and status = 'DECLINED'
   group by 1, 2, 3`;
