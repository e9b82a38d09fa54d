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
    return rows[0].isOurs ? await work() : null;
  } finally {
    // The lock ends with the session.
    client.release(true);
  }
}
