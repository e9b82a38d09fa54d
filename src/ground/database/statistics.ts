import type { Queryable } from './database.ts';

/**
 * Refreshes planner statistics of tables that have grown by half since the last refresh; autovacuum does the same a minute
 * or more later. A plan made for an empty table may use the wrong index, and is kept until the statistics change. Only the
 * owner of a table may refresh them, so a service that runs as another role leaves it to autovacuum.
 */
export async function refreshStatistics(database: Queryable): Promise<void> {
  const grown = await database.query<{ name: string }>(
    `select relid::regclass::text as name
       from pg_stat_user_tables
      where schemaname = current_schema()
        and pg_has_role((select relowner from pg_class where oid = relid), 'usage')
        and n_mod_since_analyze > greatest(250, n_live_tup / 2)`,
  );
  for (const { name } of grown) await database.query(`analyze (skip_locked) ${name}`);
}

/** Makes the server count this transaction's changes at its commit, and not up to a second later. */
export async function countChangesAtCommit(tx: Queryable): Promise<void> {
  await tx.query('select pg_stat_force_next_flush()');
}
