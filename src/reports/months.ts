import { type Queryable, queryOne } from '../database/database.ts';
import { survivorOf } from '../directory/who.ts';
import type { Page } from '../values/page.ts';
import { companySql, countFields, type Groups, receivedSql } from './received.ts';
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

const monthsSql = `
  with ${receivedSql},
  whole as (
    select count(*) as people, count(received.member_id) as recognized, sum(received.gifts) as gifts,
           sum(received.shoutouts) as shoutouts
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$7')}
  ),
  months as (
    select month, least((month + interval '1 month') at time zone 'utc', $3::timestamptz) as ends
      from generate_series(${monthOf('$2::timestamptz')}, ${monthOf(`$3::timestamptz - interval '1 day'`)}, interval '1 month') as month
  ),
  received_by_month as (
    select a.month, ${survivorOf('r')} as member_id, sum(a.gifts) as gifts, sum(a.shoutouts) as shoutouts
      from (select ${monthOf('created_on')} as month, receiver_id,
                   count(*) filter (where type = 'GIFT')     as gifts,
                   count(*) filter (where type = 'SHOUTOUT') as shoutouts
              from activities
             where workspace_id = $1
               and created_on >= $2::timestamptz
               and created_on < $3::timestamptz
               and status = 'APPROVED'
             group by 1, 2) a
      join members r on r.workspace_id = $1 and r.id = a.receiver_id
     group by 1, 2
  ),
  groups as (
    select to_char(months.month, 'YYYY-MM') as name, count(m.id) as people, count(b.member_id) as recognized,
           coalesce(sum(b.gifts), 0)::bigint as gifts, coalesce(sum(b.shoutouts), 0)::bigint as shoutouts
      from months
      left join members m           on m.workspace_id = $1 and ${wasHere('m', 'months.ends')} and ${isSeen('m', '$7')}
      left join received_by_month b on b.month = months.month and b.member_id = m.id
     group by 1
  )
  select ${companySql('whole')} as company,
         (select count(*) from groups) as total,
         (select coalesce(json_agg(json_build_object('id', null, 'name', name, ${countFields}) order by name), '[]')
            from (select * from groups order by name offset $5::bigint limit $6::bigint) page) as groups`;
