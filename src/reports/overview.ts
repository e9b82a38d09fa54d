import type { Overview, OverviewQuery, OverviewSpan } from '../contract/overview.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { isReportOf } from '../directory/reporting-line.ts';
import type { Answers } from './answers.ts';
import { readAttention } from './attention.ts';
import { receivedSql } from './received.ts';
import { readSum } from './series.ts';
import { addDays, endOf, isSeen, momentsOf, type Reader, readToday, wasHere } from './span.ts';

/** What needs attention, and this month beside the same days of the month before. */
export async function readOverview(
  on: { reports: Queryable; lookUps: Queryable },
  answers: Answers,
  reader: Reader,
  { asOf: asked }: OverviewQuery,
): Promise<Overview> {
  const asOf = asked ?? (await readToday(on.lookUps, reader.workspaceId));
  const [current, before] = monthsOf(asOf);
  const [attention, ...spans] = await Promise.all([
    readAttention(on.lookUps, reader),
    ...[current, before].map((days) =>
      answers.read(reader, { report: 'month', ...days }, () => readMonth(on.reports, reader, days)),
    ),
  ]);
  return { asOf, attention, current: spans[0] as OverviewSpan, before: spans[1] as OverviewSpan };
}

interface Days {
  from: string;
  to: string;
}

/** The days of a month until a day, and as many of the month before. A shorter month before ends with its last day. */
function monthsOf(day: string): [Days, Days] {
  const from = `${day.slice(0, 8)}01`;
  const lastBefore = addDays(from, -1);
  const fromBefore = `${lastBefore.slice(0, 8)}01`;
  const sameDay = `${lastBefore.slice(0, 8)}${day.slice(8)}`;
  return [
    { from, to: day },
    { from: fromBefore, to: sameDay < lastBefore ? sameDay : lastBefore },
  ];
}

async function readMonth(on: Queryable, reader: Reader, { from, to }: Days): Promise<OverviewSpan> {
  const { begin, end } = momentsOf({ from, to, asOf: to });
  const [sum, people] = await Promise.all([
    readSum(on, reader, from, to),
    queryOne<Pick<OverviewSpan, 'people' | 'recognized' | 'claimed'>>(on, peopleSql, [
      reader.workspaceId,
      begin,
      end,
      endOf(to),
      reader.onlyReportsOf,
    ]),
  ]);
  return { from, to, ...sum, ...people };
}

const peopleSql = `
  with ${receivedSql}
  select count(*) as people, count(received.member_id) as recognized,
         (select count(*)
            from certificates c
           where c.workspace_id = $1
             and c.claimed_at >= $2::timestamptz
             and c.claimed_at < $3::timestamptz
             and ${isReportOf('$1::bigint', '$5', 'c.member_id')}) as claimed
    from members m
    left join received on received.member_id = m.id
   where m.workspace_id = $1
     and ${wasHere('m', '$4::timestamptz')}
     and ${isSeen('m', '$5')}`;
