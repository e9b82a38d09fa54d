import type { WorkspaceGrant } from '../access/grants.ts';
import type { TeamActivityPage } from '../contract/report.ts';
import type { Queryable } from '../database/database.ts';
import { isReportOf } from '../directory/reporting-line.ts';
import {
  activityFields,
  activityJoins,
  activityMoment,
  activityText,
  manyActivityJoins,
  personOf,
} from '../recognition/activity.ts';
import { type Page, pageFields } from '../values/page.ts';
import { readLines, textStatement } from './lines.ts';
import { piecesAhead, readPieces } from './pieces.ts';

interface Row {
  total: number;
  activities: TeamActivityPage['activities'];
}

/** A page of activities, newest first. Numbers are dense except for counted gaps, so the last page is as fast as the first. */
export async function readTeamActivity(
  database: Queryable,
  { workspaceId, memberId, onlyReportsOf }: WorkspaceGrant,
  page: Page,
): Promise<TeamActivityPage> {
  const values = [workspaceId, page.page * page.size, page.size, memberId];
  const [row] =
    onlyReportsOf === null
      ? await database.query<Row>(pageSql, values)
      : await database.query<Row>(managersPageSql, [...values, onlyReportsOf]);
  const { total, activities } = row ?? { total: 0, activities: [] };
  return { ...pageFields(page, total), activities };
}

export const teamActivityColumns = [
  'status',
  'type',
  'createdOn',
  'senderId',
  'senderEmail',
  'senderFirstName',
  'senderLastName',
  'receiverId',
  'receiverEmail',
  'receiverFirstName',
  'receiverLastName',
  'description',
  'reason',
  'isPrivate',
  'team',
];

/**
 * The whole report as rows: each activity that exists at the beginning, once, newest first. A shoutout that is approved
 * meanwhile has either status; one that is declined meanwhile may be missing. Names are those of the moment of reading.
 */
export async function* streamTeamActivity(
  database: Queryable,
  { workspaceId }: WorkspaceGrant,
): AsyncGenerator<Buffer> {
  const [counter] = await database.query<{ total: number }>(
    'select total from activity_counters where workspace_id = $1',
    [workspaceId],
  );
  const read = ({ above, upTo }: Range) => readLines(database, pieceText, [workspaceId, above, upTo]);
  yield* readPieces(rangesDown(counter?.total ?? 0), read, piecesAhead);
}

// Few enough that turning them into text does not block the event loop for long.
const numbersAtOnce = 500;

interface Range {
  above: number;
  upTo: number;
}

/** Ranges of activity numbers, the newest first. Without activities there is one empty range. */
function* rangesDown(total: number): Generator<Range> {
  for (let upTo = Math.max(total, 1); upTo > 0; upTo -= numbersAtOnce) yield { above: upTo - numbersAtOnce, upTo };
}

const pageSql = `
  select start.total,
         coalesce(listed.activities, '[]') as activities
    from find_activities($1, $2::bigint) start
   cross join lateral (
           select json_agg(json_build_object(${activityFields('$4')}) order by a.number desc) as activities
             from (select *
                     from activities
                    where workspace_id = $1
                      and number <= start.newest
                      and status <> 'DECLINED'
                    order by number desc
                   offset start.skipped
                    limit $3::bigint) a
             ${activityJoins}
         ) listed`;

// What a manager's reports received. It is found by receiver, so it takes as long as their own history is.
const managersPageSql = `
  with seen as materialized (
    select a.number
      from members r
      join activities a on a.workspace_id = $1 and a.receiver_id = r.id and a.status <> 'DECLINED'
     where r.workspace_id = $1
       and ${isReportOf('$1::bigint', '$5', 'r.id')}
  )
  select (select count(*) from seen) as total,
         (select coalesce(json_agg(json_build_object(${activityFields('$4')}) order by a.number desc), '[]')
            from (select number from seen order by number desc offset $2::bigint limit $3::bigint) page
            join activities a on a.workspace_id = $1 and a.number = page.number
            ${activityJoins}) as activities`;

const personColumns = ['id', 'email', 'first_name', 'last_name'];

const pieceText = textStatement(
  [
    'a.status',
    'a.type',
    activityMoment,
    ...personColumns.map((column) => personOf('sender', column)),
    ...personColumns.map((column) => personOf('receiver', column)),
    activityText,
    'reason.description',
    'a.is_private',
    't.name',
  ],
  {
    rest: `from activities a
         ${manyActivityJoins}
    left join teams t on t.workspace_id = a.workspace_id and t.id = ${personOf('receiver', 'team_id')}
   where a.workspace_id = $1
     and a.number > $2::bigint
     and a.number <= $3::bigint
     and a.status <> 'DECLINED'`,
    order: 'a.number desc',
    parameters: 3,
  },
);
