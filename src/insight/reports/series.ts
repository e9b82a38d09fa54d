import { isReportOf } from '../../company/directory/reporting-line.ts';
import { dayIn, endOfDay, readToday, startOfDay, zoneOf } from '../../company/workspaces/days.ts';
import { seesAllShoutouts, visibleTo } from '../../giving/recognition/visibility.ts';
import type { Amount, Series, SeriesPoint, SeriesQuery } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { invalid } from '../../ground/errors.ts';
import { addDays, daysBetween } from '../../ground/values/calendar.ts';
import type { Reader, ReportSpan } from './span.ts';

/** The length of a span without `from`, in days. */
const usualDays = { day: 30, week: 12 * 7, month: 365 };
const mostPoints = 400;
/** What a manager sees is counted from every activity of the span. A year of whole months fits. */
const managersDays = 400;
const shortestDays = { day: 1, week: 7, month: 28 };

/** What was given, step by step. It reads the counts by day, so its time does not depend on how many activities there are, except for a manager. */
export async function readSeries(
  on: Queryable,
  reader: Reader,
  { by, bom: _, ...asked }: SeriesQuery,
): Promise<Series> {
  const asOf = asked.asOf ?? (await readToday(on, reader.workspaceId));
  const to = asked.to ?? asOf;
  const from = asked.from ?? firstOfStep(by, addDays(to, 1 - usualDays[by]));
  if (from > to) throw invalid([{ path: 'from', problem: 'must not be after `to`' }]);
  if (daysBetween(from, to) / shortestDays[by] >= mostPoints)
    throw invalid([{ path: 'from', problem: `and \`to\` make more than ${mostPoints} steps: ask for longer ones` }]);
  if (countsActivities(reader) && daysBetween(from, to) >= managersDays)
    throw invalid([
      { path: 'from', problem: `must be less than ${managersDays} days before \`to\` for a manager or an auditor` },
    ]);
  const points = await readPoints(on, reader, by, { from, to, asOf });
  return { by, from, to, asOf, points };
}

/** The first day of the step in which a day lies, so that a series begins with a whole step. */
function firstOfStep(by: SeriesQuery['by'], day: string): string {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 8)}01`;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

async function readPoints(on: Queryable, reader: Reader, by: SeriesQuery['by'], { from, to, asOf }: ReportSpan) {
  const { points } = await queryOne<{ points: SeriesPoint[] }>(
    on,
    pointsSql(daysOf(reader, '$3', '$4', ['$6', '$7'])),
    [reader.workspaceId, by, from, to, asOf, ...readerOf(reader)],
  );
  return points;
}

export interface Sum {
  gifts: number;
  shoutouts: number;
  amounts: Amount[];
}

/** What was given from one day to another, both included. */
export function readSum(on: Queryable, reader: Reader, from: string, to: string): Promise<Sum> {
  const sql = sumSql(daysOf(reader, '$2', '$3', ['$4', '$5']));
  return queryOne(on, sql, [reader.workspaceId, from, to, ...readerOf(reader)]);
}

/** The counts of rows with type, currency, activities and amount. */
const counts = `
  coalesce(sum(activities) filter (where type = 'GIFT'), 0)::bigint     as gifts,
  coalesce(sum(activities) filter (where type = 'SHOUTOUT'), 0)::bigint as shoutouts,
  coalesce(json_agg(json_build_object('currency', currency, 'amount', amount) order by activities desc, amount desc, currency)
           filter (where type = 'GIFT'), '[]') as amounts`;

/** The parameters of `daysOf`: the reader, and the manager whose reports they see. */
function readerOf(reader: Reader): (number | null)[] {
  return countsActivities(reader) ? [reader.memberId, reader.onlyReportsOf] : [];
}

/** Whether a reader sees less than activity_days counts: a manager, and a reader who may not see every private shoutout. */
function countsActivities(reader: Reader): boolean {
  return reader.onlyReportsOf !== null || !seesAllShoutouts(reader);
}

/** What was given by day, in the form of activity_days, which counts all people. What others see is counted from the activities. */
function daysOf(reader: Reader, from: string, to: string, [self, manager]: readonly [string, string]): string {
  if (!countsActivities(reader)) return 'activity_days';
  const zone = zoneOf('$1');
  return `(
    select a.workspace_id, ${dayIn('a.created_on', zone)} as day, a.type, coalesce(o.currency, '') as currency,
           count(*) as activities, coalesce(sum(c.amount), 0) as amount
      from activities a
      left join certificates c   on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
      left join order_requests o on o.workspace_id = a.workspace_id and o.request_id = a.request_id
     where a.workspace_id = $1
       and a.created_on >= ${startOfDay(`${from}::date`, zone)}
       and a.created_on < ${endOfDay(`${to}::date`, zone)}
       and a.status = 'APPROVED'
       and ${self}::bigint is not null
       and ${visibleTo(reader, 'a', `${self}::bigint`)}
       and ${isReportOf('$1::bigint', manager, 'a.receiver_id')}
     group by 1, 2, 3, 4)`;
}

const sumSql = (days: string) => `
  select ${counts}
    from (select type, currency, sum(activities) as activities, sum(amount) as amount
            from ${days} d
           where workspace_id = $1
             and day between $2::date and $3::date
           group by type, currency) sums`;

const pointsSql = (days: string) => `
  with steps as (
    select greatest(begins::date, $3::date) as first,
           least((begins + ('1 ' || $2)::interval)::date - 1, $4::date) as last
      from generate_series(date_trunc($2, $3::timestamp), $4::timestamp, ('1 ' || $2)::interval) as begins
  ),
  sums as (
    select s.first, s.last, d.type, d.currency, sum(d.activities) as activities, sum(d.amount) as amount
      from steps s
      left join ${days} d
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

/** A line of the CSV file. The amounts are one cell, for example `CAD 9640; USD 20`. */
export function seriesLine({ amounts, ...point }: SeriesPoint): Record<string, unknown> {
  return { ...point, amounts: amounts.map(({ currency, amount }) => `${currency} ${amount}`).join('; ') };
}
