import { type Queryable, queryOne } from '../database/database.ts';
import { isPerson } from '../directory/who.ts';
import type { Page } from '../values/page.ts';
import { companySql, countFields, countReceived, type Groups } from './received.ts';
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
  return queryOne(on, monthsSql, [workspaceId, begin, end, endOf(span.asOf), page * size, size, onlyReportsOf]);
}

const monthOf = (moment: string) => `date_trunc('month', (${moment}) at time zone 'utc')`;
/** The end of a month, or of the span if that is earlier. */
const endOfMonth = (month: string) => `least((${month} + interval '1 month') at time zone 'utc', $3::timestamptz)`;
/** How many of the months' ends are not after a moment: the first of the others is the nth + 1. */
const endsUntil = (moment: string) => `width_bucket(${moment}, (select array_agg(ends order by nth) from months))`;

// The people of all months are counted in one pass: first by the months in which they came and left, of which there are few.
const monthsSql = `
  with by_month as materialized (
    ${countReceived({ by: `${monthOf('a.created_on')} as month, ` })} group by 1, 2
  ),
  received as materialized (
    select member_id, sum(gifts)::bigint as gifts, sum(shoutouts)::bigint as shoutouts from by_month group by 1
  ),
  whole as (
    select count(*) as people, count(received.member_id) as recognized, sum(received.gifts) as gifts,
           sum(received.shoutouts) as shoutouts
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$7')}
  ),
  months as materialized (
    select month, nth, ${endOfMonth('month')} as ends
      from generate_series(${monthOf('$2::timestamptz')}, ${monthOf(`$3::timestamptz - interval '1 day'`)}, interval '1 month')
           with ordinality as months (month, nth)
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
    select b.month, count(*) as recognized, sum(b.gifts)::bigint as gifts, sum(b.shoutouts)::bigint as shoutouts
      from by_month b
      join members m on m.workspace_id = $1 and m.id = b.member_id
     where ${wasHere('m', endOfMonth('b.month'))}
       and ${isSeen('m', '$7')}
     group by 1
  ),
  groups as (
    select to_char(months.month, 'YYYY-MM') as name, here.people, coalesce(recognized, 0) as recognized,
           coalesce(gifts, 0) as gifts, coalesce(shoutouts, 0) as shoutouts
      from months
      join here using (nth)
      left join thanked using (month)
  )
  select ${companySql('whole')} as company,
         (select count(*) from groups) as total,
         (select coalesce(json_agg(json_build_object('id', null, 'name', name, ${countFields}) order by name), '[]')
            from (select * from groups order by name offset $5::bigint limit $6::bigint) page) as groups`;
