import type { Queryable } from './database.ts';

/**
 * Tells the planner about tables that have grown by half since it last heard of them, as the server's autovacuum does a
 * minute or more later. A plan that was made for an empty table takes every index for as good as the next, and is kept
 * until there is news: people would be looked for one by one among thousands. Only the owner of a table may do so; a
 * role that runs on tables of another leaves it to autovacuum.
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

/** Has the server count what this transaction changes at its commit, and not up to a second later. */
export async function countChangesAtCommit(tx: Queryable): Promise<void> {
  await tx.query('select pg_stat_force_next_flush()');
}
