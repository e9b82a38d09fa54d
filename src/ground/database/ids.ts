import type { Queryable } from './database.ts';

/**
 * Takes the next ids of a table, to be written by a later statement: a statement that changes rows gets its ids as
 * parameters, so that it does not depend on the server that runs it.
 */
export function takeIds(on: Queryable, table: string, count: number): Promise<number[]> {
  return takeNext(on, `pg_get_serial_sequence($1, 'id')`, table, count);
}

/** The same for a table whose ids come from a sequence with a name of its own. */
export function takeFromSequence(on: Queryable, sequence: string, count: number): Promise<number[]> {
  return takeNext(on, '$1', sequence, count);
}

async function takeNext(on: Queryable, sequenceSql: string, name: string, count: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `with sequence as materialized (select ${sequenceSql}::regclass as name)
     select nextval(sequence.name) as id from sequence, generate_series(1, $2::int)`,
    [name, count],
  );
  return rows.map(({ id }) => id);
}
