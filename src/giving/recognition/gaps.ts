import type { Queryable } from '../../ground/database/database.ts';

/** Counts declined numbers, in blocks of both sizes that the database's function `find_activities` reads. */
export async function addGaps(tx: Queryable, workspaceId: number, numbers: readonly number[]): Promise<void> {
  await tx.query(
    `with counted as (
       update activity_counters set declined = declined + cardinality($2::bigint[]) where workspace_id = $1
     )
     insert into activity_gaps as g (workspace_id, size, block, gaps)
     select $1, size, (number - 1) / size, count(*)
       from unnest($2::bigint[]) as number
      cross join unnest(array[1000, 1000000]) as size
      group by 1, 2, 3
      order by 2, 3
     on conflict (workspace_id, size, block) do update set gaps = g.gaps + excluded.gaps`,
    [workspaceId, numbers],
  );
}
