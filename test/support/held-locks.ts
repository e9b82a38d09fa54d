import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { openDatabase, type Queryable } from '../../src/ground/database/database.ts';

/** Runs `work` while a transaction holds the locks of these workspaces, as an import or a large group of SCIM does. */
export async function whileLocked<T>(url: string, workspaces: readonly number[], work: () => Promise<T>): Promise<T> {
  // Without a limit on how long a transaction may do nothing.
  const database = openDatabase({ url, name: 'test', maxConnections: 1, statementTimeoutMs: null });
  try {
    return await database.transaction(async (tx) => {
      for (const id of workspaces) await lockWorkspace(tx, id);
      return work();
    });
  } finally {
    await database.close();
  }
}

/** How many statements of a pool of the service wait for a lock. */
export async function countWaiting(database: Queryable, pool: string): Promise<number> {
  const waiting = await database.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
    [`giftwire ${pool}`],
  );
  return waiting.length;
}
