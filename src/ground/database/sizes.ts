import { type Queryable, queryOne } from './database.ts';

export interface TableSize {
  table: string;
  /** About how many, as PostgreSQL knows. */
  rows: number;
  /** With everything that does not fit into a row. */
  bytes: number;
  indexBytes: number;
}

/** The tables of the service by size, the largest first. */
export function readTableSizes(on: Queryable): Promise<TableSize[]> {
  return on.query<TableSize>(
    `select c.relname                                                   as table,
            greatest(c.reltuples, s.n_live_tup, 0)::float8              as rows,
            pg_table_size(c.oid)::float8                                as bytes,
            pg_indexes_size(c.oid)::float8                              as "indexBytes"
       from pg_class c
       left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind = 'r'
        and c.relnamespace = current_schema()::regnamespace
      order by pg_total_relation_size(c.oid) desc, c.relname`,
  );
}

export function readDatabaseSize(on: Queryable): Promise<{ bytes: number }> {
  return queryOne<{ bytes: number }>(on, 'select pg_database_size(current_database())::float8 as bytes');
}
