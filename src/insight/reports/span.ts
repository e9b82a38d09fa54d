import { readToday } from '../../company/workspaces/days.ts';
import type { ActivityReader } from '../../giving/recognition/visibility.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { invalid } from '../../ground/errors.ts';
import { addDays, daysBetween } from '../../ground/values/calendar.ts';

/** Who reads a report: a caller who sees the whole workspace, or a manager. */
export interface Reader extends ActivityReader {
  /** The manager whose direct and indirect reports the reader sees; null: all people. */
  onlyReportsOf: number | null;
  /** The ids of the people that a filter has chosen; absent or null: all whom the reader sees. */
  chosen?: readonly number[] | null;
}

/** The days that a report is about, in the workspace's time zone. The last one is part of the span. */
export interface ReportSpan {
  from: string;
  to: string;
  /** The report shows what was so at the end of this day. */
  asOf: string;
}

const usualDays = 90;
/** A report counts every activity of its span, so the span has an end. */
const mostDays = 366;

export async function readReportSpan(
  on: Queryable,
  workspaceId: number,
  asked: Partial<ReportSpan>,
): Promise<ReportSpan> {
  const asOf = asked.asOf ?? (await readToday(on, workspaceId));
  const to = asked.to ?? asOf;
  const from = asked.from ?? addDays(to, 1 - usualDays);
  if (from > to) throw invalid([{ path: 'from', problem: 'must not be after `to`' }]);
  if (daysBetween(from, to) >= mostDays)
    throw invalid([{ path: 'from', problem: `must be less than ${mostDays} days before \`to\`` }]);
  return { from, to, asOf };
}

/** One column as the text of a PostgreSQL array, which is quicker to make than the driver's. For numbers, days and single words. */
export function arrayOf<Row>(rows: readonly Row[], column: keyof Row): string {
  return `{${rows.map((row) => row[column] ?? 'null').join(',')}}`;
}
