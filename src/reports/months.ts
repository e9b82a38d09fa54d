import type { CoverageCounts } from '../contract/coverage.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import type { Page } from '../values/page.ts';
import { companySql, type Groups, groupCounts, receivedSql } from './received.ts';
import { endOf, isSeen, momentsOf, type Reader, type Span, wasHere } from './span.ts';

/**
 * Coverage month by month: of the people who were here at the end of a month, or on the last day of the span, how many were
 * recognized in it. The company's counts are those of the whole span.
 *
 * Each month is a statement: a year in one statement took as long as all of them, which is more than a statement may take on a
 * busy machine.
 */
export async function readMonths(on: Queryable, reader: Reader, span: Span, { page, size }: Page): Promise<Groups> {
  const { begin, end } = momentsOf(span);
  const months = monthsOf(begin, end);
  const company = await readCounts(on, reader, { begin, end, asOf: endOf(span.asOf) });
  const groups: Groups['groups'] = [];
  for (const { name, ...month } of months.slice(page * size, (page + 1) * size))
    groups.push({ id: null, name, ...(await readCounts(on, reader, { ...month, asOf: month.end })) });
  return { company, total: months.length, groups };
}

interface Moments {
  begin: string;
  end: string;
}

/** The months of a span, each with the moments at which it begins and ends: the first and the last one with the span. */
function monthsOf(begin: string, end: string): (Moments & { name: string })[] {
  const months: (Moments & { name: string })[] = [];
  for (let first = `${begin.slice(0, 7)}-01T00:00:00Z`; first < end; ) {
    const next = new Date(first);
    next.setUTCMonth(next.getUTCMonth() + 1);
    const ends = `${next.toISOString().slice(0, 10)}T00:00:00Z`;
    months.push({ name: first.slice(0, 7), begin: first < begin ? begin : first, end: ends < end ? ends : end });
    first = ends;
  }
  return months;
}

/** Of all people who were here at the moment `asOf`, how many were recognized from one moment to another. */
async function readCounts(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  { begin, end, asOf }: Moments & { asOf: string },
): Promise<CoverageCounts> {
  const values = [workspaceId, begin, end, asOf, onlyReportsOf];
  return (await queryOne<{ company: CoverageCounts }>(on, countsSql, values)).company;
}

const countsSql = `
  with ${receivedSql},
  whole as (
    select ${groupCounts}
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$5')}
  )
  select ${companySql('whole')} as company`;
