import type { Queryable } from './database.ts';

/**
 * Takes the next ids of a table, to be written by a later statement: a statement that changes rows gets its ids as
 * parameters, so that it does not depend on the server that runs it.
 */
export async function takeIds(on: Queryable, table: string, count: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2::int)`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}
