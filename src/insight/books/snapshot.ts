import type { Database, Queryable } from '../../ground/database/database.ts';

/** A part of a long read. */
export type Reading<T> = (on: Queryable) => Promise<T>;

/**
 * Begins the transaction of a long read. Everything that is read in it is of the moment of its first statement, or of the moment of
 * another transaction that has exported its snapshot.
 */
export async function beginReading(tx: Queryable, snapshot: string | null = null): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
  if (snapshot !== null) await tx.query(`set transaction snapshot '${snapshot}'`, [], 'once');
}

export async function exportSnapshot(tx: Queryable): Promise<string> {
  const [exported] = await tx.query<{ id: string }>('select pg_export_snapshot() as id');
  return exported?.id as string;
}

/**
 * Shares readings between connections: each takes the next one as soon as it is free. Returns the results in the sequence of the
 * readings. After an error no further one is begun, and all connections have finished when it is thrown: their transactions can end.
 */
export async function share<T>(
  readings: readonly Reading<T>[],
  connections: readonly ((work: (on: Queryable) => Promise<void>) => Promise<void>)[],
): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...readings.entries()];
  const work = async (on: Queryable) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await next[1](on);
  };
  const ends = await Promise.allSettled(
    connections.map((connection) =>
      connection(work).catch((error) => {
        waiting.length = 0;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** Whether a database has a connection to spare for a reader that has one already. */
export function hasSecondConnection({ pool }: Database): boolean {
  return (pool.options.max ?? 1) > 1;
}
