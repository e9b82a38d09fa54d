import type { Database, Queryable } from '../../ground/database/database.ts';
import { inEachWorkspace } from '../workspaces/each.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import { isInUse } from './custom-fields.ts';

/** The number of people whose values are removed in one transaction: orders of the workspace are fulfilled in between. */
const batchSize = 1_000;

/**
 * Removes the values of removed custom fields, then the fields, in every workspace. A node that is stopped meanwhile leaves the rest to the
 * next one. Returns how many values there were.
 */
export async function removeCustomValues(database: Database): Promise<number> {
  let removed = 0;
  await inEachWorkspace(await readRemoved(database), async ({ workspaceId, key }) => {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const ids = await inWorkspace(database, workspaceId, (tx) => removeSome(tx, workspaceId, key, from));
      removed += ids.length;
      after = ids.at(-1) ?? null;
    }
  });
  return removed;
}

/** Removes the values of the next people by id, and returns them. Without any, the field is deleted. */
async function removeSome(tx: Queryable, workspaceId: number, key: string, after: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(removeSql, [workspaceId, key, after, batchSize]);
  if (rows.length === 0)
    await tx.query(`delete from custom_fields f where f.workspace_id = $1 and f.key = $2 and not ${isInUse('f')}`, [
      workspaceId,
      key,
    ]);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

function readRemoved(on: Queryable): Promise<{ workspaceId: number; key: string }[]> {
  return on.query(`
    select f.workspace_id as "workspaceId", f.key
      from custom_fields f
     where not ${isInUse('f')}
     order by f.workspace_id, f.removed_at`);
}

const removeSql = `
  update members m
     set custom = nullif(m.custom - $2, '{}'), changed_at = now()
    from (select o.id
            from members o
           where o.workspace_id = $1
             and o.id > $3
             and o.custom is not null
             and o.custom ? $2
           order by o.id
           limit $4) batch
   where m.workspace_id = $1
     and m.id = batch.id
  returning m.id`;
