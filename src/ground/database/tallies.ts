/**
 * Counts by period, as JSON in a column of the row that they are about: [[period, count, …], …]. A period is a whole number, for example of days since
 * 1970. Only the latest periods are kept, so that nothing has to be removed later.
 */
export interface Tallies {
  /** The column, with its table's name. */
  column: string;
  /** The SQL of the current period. */
  period: string;
  /** How many periods are kept, the current one included. */
  kept: number;
  /** The names of the counts. */
  counts: readonly string[];
}

/** The SQL of the column after the current period was raised: by one SQL expression for each count. */
export function raised({ column, period, kept, counts }: Tallies, by: readonly string[]): string {
  const each = (text: (name: string, nth: number) => string) => counts.map(text).join(', ');
  return `(
    select jsonb_agg(jsonb_build_array(p.period, ${each((name) => `p.${name}`)}) order by p.period)
      from (select t.period, ${each((name) => `sum(t.${name})::bigint as ${name}`)}
              from (select (entry ->> 0)::bigint as period, ${each((name, nth) => `(entry ->> ${nth + 1})::bigint as ${name}`)}
                      from jsonb_array_elements(${column}) entry
                     union all
                    select ${period}, ${by.map((amount) => `${amount}::bigint`).join(', ')}) t
             where t.period > ${period} - ${kept}
             group by t.period) p)`;
}

/** The SQL of a set with one row for each period, the current one last: `period` and the counts, which are 0 where nothing was counted. */
export function periods({ column, period, kept, counts }: Tallies): string {
  return `(
    select series.period, ${counts.map((name, nth) => `coalesce((entry ->> ${nth + 1})::bigint, 0) as ${name}`).join(', ')}
      from generate_series(${period} - ${kept - 1}, ${period}) as series (period)
      left join jsonb_array_elements(${column}) entry on (entry ->> 0)::bigint = series.period)`;
}
