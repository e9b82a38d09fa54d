import { type Queryable, queryOne } from '../database/database.ts';
import { isPerson } from '../directory/who.ts';
import type { Page } from '../values/page.ts';
import { companySql, countFields, countReceived, type Groups, groupCounts } from './received.ts';
import { endOf, isSeen, momentsOf, type Reader, type Span, wasHere } from './span.ts';

/**
 * Coverage month by month: of the people who were here at the end of a month, or on the last day of the span, how many were
 * recognized in it. The company's counts are those of the whole span.
 */
export function readMonths(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  span: Span,
  { page, size }: Page,
): Promise<Groups> {
  const { begin, end } = momentsOf(span);
  const months = monthsOf(begin, end);
  return queryOne(on, monthsSql, [
    ...[workspaceId, begin, end, endOf(span.asOf), page * size, size, onlyReportsOf],
    months.map(({ name }) => name),
    months.map(({ ends }) => ends),
  ]);
}

/** The months of a span, each with the moment at which it ends: the last one ends with the span. */
function monthsOf(begin: string, end: string): { name: string; ends: string }[] {
  const months: { name: string; ends: string }[] = [];
  for (let first = `${begin.slice(0, 7)}-01T00:00:00Z`; first < end; ) {
    const next = new Date(first);
    next.setUTCMonth(next.getUTCMonth() + 1);
    const ends = `${next.toISOString().slice(0, 10)}T00:00:00Z`;
    months.push({ name: first.slice(0, 7), ends: ends < end ? ends : end });
    first = ends;
  }
  return months;
}

/** How many of the months' ends are not after a moment: the first of the others is the nth + 1. */
const endsUntil = (moment: string) => `width_bucket(${moment}, $9::timestamptz[])`;

// The people of all months are counted in one pass: first by the months in which they came and left, of which there are few.
const monthsSql = `
  with months as materialized (
    select * from unnest($8::text[], $9::timestamptz[]) with ordinality as months (name, ends, nth)
  ),
  by_month as materialized (
    ${countReceived(`${endsUntil('a.created_on')} + 1 as nth, `)} group by 1, 2
  ),
  received as materialized (
    select member_id, sum(gifts)::bigint as gifts, sum(shoutouts)::bigint as shoutouts from by_month group by 1
  ),
  whole as (
    select ${groupCounts}
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$7')}
  ),
  stays as (
    select ${endsUntil('m.created_at')} as came, ${endsUntil('m.left_at')} as gone, count(*) as people
      from members m
     where m.workspace_id = $1
       and ${isPerson('m')}
       and ${isSeen('m', '$7')}
     group by 1, 2
  ),
  here as (
    select months.nth, coalesce(sum(stays.people), 0)::bigint as people
      from months
      left join stays on stays.came < months.nth and (stays.gone is null or stays.gone >= months.nth)
     group by 1
  ),
  thanked as (
    select b.nth, count(*) as recognized, sum(b.gifts)::bigint as gifts, sum(b.shoutouts)::bigint as shoutouts
      from by_month b
      join members m on m.workspace_id = $1 and m.id = b.member_id
     where ${wasHere('m', '($9::timestamptz[])[b.nth]')}
       and ${isSeen('m', '$7')}
     group by 1
  ),
  groups as (
    select months.name, here.people, coalesce(recognized, 0) as recognized, coalesce(gifts, 0) as gifts,
           coalesce(shoutouts, 0) as shoutouts
      from months
      join here using (nth)
      left join thanked using (nth)
  )
  select ${companySql('whole')} as company,
         (select count(*) from groups) as total,
         (select coalesce(json_agg(json_build_object('id', null, 'name', name, ${countFields}) order by name), '[]')
            from (select * from groups order by name offset $5::bigint limit $6::bigint) page) as groups`;
