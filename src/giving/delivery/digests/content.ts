import { keptOutRecords } from '../../../company/directory/kept-out.ts';
import { shownName } from '../../../company/directory/names.ts';
import { isHere, isPerson, recordsOf } from '../../../company/directory/who.ts';
import { startOfDay, zoneOf } from '../../../company/workspaces/days.ts';
import type { FeedPost } from '../../../ground/contract/feed.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { addDays, firstOfMonth } from '../../../ground/values/calendar.ts';
import { dueAtOf } from '../../automations/due-at.ts';
import { readPostsByNumber, readPublicFeed } from '../../feed/read.ts';
import { isFirst, postOf } from '../../recognition/posts.ts';
import { type ActivityReader, visibleTo } from '../../recognition/visibility.ts';

/** How many posts an email shows of each kind. */
const [mostOwn, mostNewest] = [5, 5];
/** More people than this are counted. */
const mostNamed = 30;

/** The reader of a digest: a person, with no other rights than theirs. */
function readerIn(workspaceId: number): ActivityReader {
  return { workspaceId, memberId: null, role: 'EMPLOYEE', scopes: [] };
}

export interface WeekAsked {
  memberId: number;
  /** The Monday after the week. */
  period: string;
  timeZone: string;
}

/** What a person reads about a week. */
export interface Week {
  received: Posts;
  given: Posts;
  /** The newest of the feed that are not among the others. */
  newest: FeedPost[];
}

interface Posts {
  total: number;
  posts: FeedPost[];
}

interface OwnRow {
  memberId: number;
  direction: 'received' | 'given';
  number: number;
  /** How many there are. */
  total: number;
}

/** The weeks of a batch of people, by their ids, with three statements. People who have nothing to read are not in it. */
export async function readWeeks(
  on: Queryable,
  workspaceId: number,
  asked: readonly WeekAsked[],
): Promise<Map<number, Week>> {
  if (asked.length === 0) return new Map();
  const weeks = asked.map(({ memberId, period, timeZone }) => ({
    memberId,
    from: dueAtOf(addDays(period, -7), 0, timeZone),
    to: dueAtOf(period, 0, timeZone),
  }));
  const moments = (which: 'from' | 'to') => weeks.map((week) => new Date(week[which]).toISOString());
  const own = await on.query<OwnRow>(ownSql(readerIn(workspaceId)), [
    workspaceId,
    weeks.map(({ memberId }) => memberId),
    moments('from'),
    moments('to'),
    new Date(Math.min(...weeks.map(({ from }) => from))).toISOString(),
  ]);
  const posts = await readPostsByNumber(on, workspaceId, [...new Set(own.map(({ number }) => number))]);
  const newest = await readPublicFeed(on, workspaceId, mostNewest + 2 * mostOwn);
  const byMember = Map.groupBy(own, ({ memberId }) => memberId);
  const read = weeks.map(({ memberId, from }) => {
    const rows = byMember.get(memberId) ?? [];
    const of = (direction: OwnRow['direction']): Posts => {
      const some = rows.filter((row) => row.direction === direction);
      return { total: some[0]?.total ?? 0, posts: some.flatMap(({ number }) => posts.get(number) ?? []) };
    };
    const [received, given] = [of('received'), of('given')];
    const shown = new Set([...received.posts, ...given.posts].map(({ id }) => id));
    const others = newest.filter(({ id, createdAt }) => !shown.has(id) && Date.parse(createdAt) >= from);
    return [memberId, { received, given, newest: others.slice(0, mostNewest) }] as const;
  });
  return new Map(read.filter(([, { received, given, newest }]) => received.total + given.total + newest.length > 0));
}

// Numbers follow the times, so that the indexes of givers and receivers are read from the first number of the weeks on.
const ownSql = (reader: ActivityReader) => {
  const found = (direction: OwnRow['direction'], column: string, which: string) => `
    (select '${direction}' as direction, number, count(*) over ()::int as total
       from (select distinct ${postOf('a')} as number
               from activities a
              where a.workspace_id = $1
                and a.${column} in (${recordsOf('$1', 'week.member_id')})
                and a.type = 'SHOUTOUT'
                and a.status = 'APPROVED'
                and a.hidden_at is null
                and a.number >= first.number
                and a.created_on >= week.starts
                and a.created_on < week.ends
                and ${which}
                and ${visibleTo(reader, 'a', 'week.member_id')}) posts
      order by number desc
      limit ${mostOwn})`;
  return `
  with first as materialized (
    select a.number
      from activities a
     where a.workspace_id = $1
       and a.created_on >= $5::timestamptz
     order by a.created_on, a.number
     limit 1
  )
  select week.member_id as "memberId", own.direction, own.number, own.total
    from unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) as week (member_id, starts, ends)
   cross join first
   cross join lateral (${found('received', 'receiver_id', 'true')} union all ${found('given', 'sender_id', isFirst('a'))}) own
   order by own.number desc`;
};

/** The direct reports of a manager who were not recognized. */
export interface Forgotten {
  total: number;
  /** The first of them by name. */
  names: string[];
}

/**
 * Which direct reports of managers were not recognized in the month before `period`, in days of the workspace, by the ids of the managers. Left out are people who
 * are kept out of reports, who joined in that month or later, and who have been on leave since. Private shoutouts count if the manager may see them.
 */
export async function readForgotten(
  on: Queryable,
  workspaceId: number,
  period: string,
  managerIds: readonly number[],
): Promise<Map<number, Forgotten>> {
  const rows = await on.query<Forgotten & { managerId: number }>(forgottenSql(readerIn(workspaceId)), [
    workspaceId,
    managerIds,
    firstOfMonth(period, -1),
    period,
  ]);
  return new Map(rows.map(({ managerId, ...forgotten }) => [managerId, forgotten]));
}

// The month is read once for all managers of the batch, by its index. `is true` keeps the records a set that is looked up, instead of a
// join row by row.
const forgottenSql = (reader: ActivityReader) => `
  with reports as materialized (
    select m.id, m.manager_id, ${shownName('m')} as name
      from members m
     where m.workspace_id = $1
       and m.manager_id = any($2::bigint[])
       and ${isPerson('m')}
       and ${isHere('m')}
       and coalesce(m.hired_on, (m.created_at at time zone ${zoneOf('$1')})::date) < $3::date
       and not ((m.leave_starts_on is not null or m.leave_ends_on is not null)
                and coalesce(m.leave_starts_on, '-infinity') <= $4::date
                and coalesce(m.leave_ends_on, 'infinity') >= $3::date)
       and m.id not in (${keptOutRecords('$1')})
  ),
  records as materialized (
    select reports.id as report_id, reports.manager_id, r.id
      from reports
      join members r on r.workspace_id = $1 and (r.id = reports.id or r.merged_into = reports.id)
  ),
  month as materialized (
    select a.workspace_id, a.number, a.lead_number, a.sender_id, a.receiver_id, a.is_private
      from activities a
     where a.workspace_id = $1
       and a.created_on >= ${startOfDay('$3::date', zoneOf('$1'))}
       and a.created_on < ${startOfDay('$4::date', zoneOf('$1'))}
       and a.status = 'APPROVED'
       and (a.receiver_id in (select id from records)) is true
  ),
  recognized as materialized (
    select distinct records.report_id
      from month a
      join records on records.id = a.receiver_id
     where ${visibleTo(reader, 'a', 'records.manager_id')}
  )
  select manager_id as "managerId", count(*)::int as total,
         (array_agg(name order by name, id))[1:${mostNamed}] as names
    from reports
   where id not in (select report_id from recognized)
   group by manager_id`;
