/** What a statement can run on: a pool, or a transaction. */
export interface Queryable {
  query<Row = unknown>(sql: string, values?: readonly unknown[], use?: StatementUse): Promise<Row[]>;
}

/**
 * A statement of constant text is prepared: each connection parses it once, then only executes it. A statement that is
 * built from filters has many texts and is used once: preparing each would take memory on every connection until it closes.
 */
export type StatementUse = 'prepared' | 'once';
