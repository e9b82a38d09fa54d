import { isReportOf } from '../../company/directory/reporting-line.ts';
import { endOfDay, readToday, startOfDay, zoneOf } from '../../company/workspaces/days.ts';
import type { Overview, OverviewQuery, OverviewSpan } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { addDays } from '../../ground/values/calendar.ts';
import type { Answers } from './answers.ts';
import { readAttention } from './attention.ts';
import { readFirstSteps } from './first-steps.ts';
import type { Companies } from './memory/companies.ts';
import { countAll } from './memory/count.ts';
import { readSum } from './series.ts';
import type { Reader } from './span.ts';

/** What needs attention, and this month beside the same days of the month before. */
export async function readOverview(
  on: { reports: Queryable; lookUps: Queryable },
  { answers, companies }: { answers: Answers; companies: Companies },
  reader: Reader,
  { asOf: asked, areEmailsSent }: OverviewQuery & { areEmailsSent: boolean },
): Promise<Overview> {
  const asOf = asked ?? (await readToday(on.lookUps, reader.workspaceId));
  const [current, before] = monthsOf(asOf);
  const [now, ...spans] = await Promise.all([
    readNow(on.lookUps, reader, areEmailsSent),
    ...[current, before].map((days) =>
      answers.read(reader, { report: 'month', ...days }, () => readMonth(on.reports, companies, reader, days)),
    ),
  ]);
  return { asOf, ...now, current: spans[0] as OverviewSpan, before: spans[1] as OverviewSpan };
}

/** One statement after the other, so that a page takes one connection. */
async function readNow(on: Queryable, reader: Reader, areEmailsSent: boolean) {
  const attention = await readAttention(on, reader);
  return { attention, firstSteps: await readFirstSteps(on, reader, areEmailsSent) };
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

async function readMonth(on: Queryable, companies: Companies, reader: Reader, days: Days): Promise<OverviewSpan> {
  const { workspaceId, onlyReportsOf } = reader;
  const { from, to } = days;
  const [sum, { people, recognized }, { claimed }] = await Promise.all([
    readSum(on, reader, from, to),
    companies.ask(workspaceId, (company) => countAll(company, reader, { from, to, asOf: to })),
    queryOne<{ claimed: number }>(on, claimedSql, [workspaceId, from, to, onlyReportsOf]),
  ]);
  return { from, to, ...sum, people, recognized, claimed };
}

const claimedSql = `
  select count(*) as claimed
    from certificates c
   where c.workspace_id = $1
     and c.claimed_at >= ${startOfDay('$2::date', zoneOf('$1'))}
     and c.claimed_at < ${endOfDay('$3::date', zoneOf('$1'))}
     and ${isReportOf('$1::bigint', '$4', 'c.member_id')}`;
