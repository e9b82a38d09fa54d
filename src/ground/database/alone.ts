import type { Database } from './database.ts';

/** Runs work that one session of the whole installation may do at a time. Null: another one does it now. */
export async function runAlone<T>(
  { pool }: Pick<Database, 'pool'>,
  lockKey: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [lockKey]);
    if (!rows[0].isOurs) return null;
    const result = await work();
    // The session ends a moment after the connection is closed here, and its lock with it.
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
    return result;
  } finally {
    client.release(true);
  }
}
