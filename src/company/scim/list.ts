import type { Filter } from 'scim2-parse-filter';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type Filterable, filterSql } from './filter-sql.ts';
import { parseFilter } from './parse-filter.ts';

export interface ListQuery {
  filter: string | null;
  /** One-based. */
  startIndex: number;
  count: number;
}

export interface ListedRows<Row> {
  total: number;
  rows: Row[];
}

export interface Source {
  filterable: Filterable;
  /** `from … where …` with the workspace as $1; `id` is the column to order by. */
  from: string;
  id: string;
  /** Selects the rows of a page of ids, `page`. */
  select: string;
  /** A statement that counts all matches without reading them, with the workspace as $1; null: the matches of this filter have to be read. */
  count?: (filter: Filter | null) => string | null;
}

/** A page of the resources that match a filter, ordered by id, and the number of all matches. */
export async function readList<Row>(
  database: Queryable,
  workspaceId: number,
  { filterable, from, id, select, count: countAll }: Source,
  { filter, startIndex, count }: ListQuery,
): Promise<ListedRows<Row>> {
  const values: unknown[] = [workspaceId];
  const use = filter === null ? 'prepared' : 'once';
  const parsed = filter === null ? null : parseFilter(filter);
  const condition = parsed === null ? '' : ` and ${filterSql(parsed, filterable, (value) => `$${values.push(value)}`)}`;
  const chosen = `${from}${condition}`;
  const offset = startIndex - 1;
  const [skip, take] = [values.length + 1, values.length + 2];
  const rows =
    count === 0
      ? []
      : await database.query<Row>(
          `with page as materialized (
             select ${id} as id ${chosen} order by ${id} offset $${skip}::bigint limit $${take}::bigint
           )
           ${select}`,
          [...values, offset, count],
          use,
        );
  // A page that is not full is the last: its end is the total.
  if (rows.length < count && (rows.length > 0 || offset === 0)) return { total: offset + rows.length, rows };
  const counted = countAll?.(parsed) ?? null;
  const { total } =
    counted === null
      ? await queryOne<{ total: number }>(database, `select count(*) as total ${chosen}`, values, use)
      : await queryOne<{ total: number }>(database, counted, [workspaceId]);
  return { total, rows };
}
