import type { Amount, Series, SeriesPoint, SeriesQuery } from '../contract/overview.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { invalid } from '../errors.ts';
import { addDays, daysBetween, readToday, type Span } from './span.ts';

/** The length of a span without `from`, in days. */
const usualDays = { day: 30, week: 12 * 7, month: 365 };
const mostPoints = 400;
const shortestDays = { day: 1, week: 7, month: 28 };

/** What was given, step by step. It reads the counts by day, so its time does not depend on how many activities there are. */
export async function readSeries(
  on: Queryable,
  workspaceId: number,
  { by, bom: _, ...asked }: SeriesQuery,
): Promise<Series> {
  const asOf = asked.asOf ?? (await readToday(on, workspaceId));
  const to = asked.to ?? asOf;
  const from = asked.from ?? firstOfStep(by, addDays(to, 1 - usualDays[by]));
  if (from > to) throw invalid([{ path: 'from', problem: 'must not be after `to`' }]);
  if (daysBetween(from, to) / shortestDays[by] >= mostPoints)
    throw invalid([{ path: 'from', problem: `and \`to\` make more than ${mostPoints} steps: ask for longer ones` }]);
  const points = await readPoints(on, workspaceId, by, { from, to, asOf });
  return { by, from, to, asOf, points };
}

/** The first day of the step in which a day lies, so that a series begins with a whole step. */
function firstOfStep(by: SeriesQuery['by'], day: string): string {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 8)}01`;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

async function readPoints(on: Queryable, workspaceId: number, by: SeriesQuery['by'], { from, to, asOf }: Span) {
  const { points } = await queryOne<{ points: SeriesPoint[] }>(on, pointsSql, [workspaceId, by, from, to, asOf]);
  return points;
}

export interface Sum {
  gifts: number;
  shoutouts: number;
  amounts: Amount[];
}

/** What was given from one day to another, both included. */
export function readSum(on: Queryable, workspaceId: number, from: string, to: string): Promise<Sum> {
  return queryOne(on, sumSql, [workspaceId, from, to]);
}

/** The counts of rows with type, currency, activities and amount. */
const counts = `
  coalesce(sum(activities) filter (where type = 'GIFT'), 0)::bigint     as gifts,
  coalesce(sum(activities) filter (where type = 'SHOUTOUT'), 0)::bigint as shoutouts,
  coalesce(json_agg(json_build_object('currency', currency, 'amount', amount) order by amount desc, currency)
           filter (where type = 'GIFT'), '[]') as amounts`;

const sumSql = `
  select ${counts}
    from (select type, currency, sum(activities) as activities, sum(amount) as amount
            from activity_days
           where workspace_id = $1
             and day between $2::date and $3::date
           group by type, currency) sums`;

const pointsSql = `
  with steps as (
    select greatest(begins::date, $3::date) as first,
           least((begins + ('1 ' || $2)::interval)::date - 1, $4::date) as last
      from generate_series(date_trunc($2, $3::timestamp), $4::timestamp, ('1 ' || $2)::interval) as begins
  ),
  sums as (
    select s.first, s.last, d.type, d.currency, sum(d.activities) as activities, sum(d.amount) as amount
      from steps s
      left join activity_days d
             on d.workspace_id = $1
            and d.day between s.first and least(s.last, $5::date)
     group by 1, 2, 3, 4
  )
  select coalesce(json_agg(json_build_object(
           'from', first,
           'to', last,
           'gifts', gifts,
           'shoutouts', shoutouts,
           'amounts', amounts) order by first), '[]') as points
    from (select first, last, ${counts}
            from sums
           group by first, last) points`;

export const seriesColumns = ['from', 'to', 'gifts', 'shoutouts', 'amounts'];

/** A line of the CSV file. The amounts are one cell, as `CAD 9640; USD 20`. */
export function seriesLine({ amounts, ...point }: SeriesPoint): Record<string, unknown> {
  return { ...point, amounts: amounts.map(({ currency, amount }) => `${currency} ${amount}`).join('; ') };
}
