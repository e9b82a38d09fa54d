import type { WorkspaceGrant } from '../access/grants.ts';
import { type Page, pageFields } from '../contract/paging.ts';
import type { TeamActivityPage } from '../contract/report.ts';
import type { Database, Queryable } from '../database/database.ts';
import { activityFields, activityJoins, activityMoment, activityText } from '../recognition/activity.ts';

interface Row {
  total: number;
  activities: TeamActivityPage['activities'];
}

/** Newest first. Numbers are dense but for counted gaps, so that the last page is found as fast as the first. */
export async function readTeamActivity(
  database: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  page: Page,
): Promise<TeamActivityPage> {
  const [row] = await database.query<Row>(pageSql, [workspaceId, page.page * page.size, page.size, memberId]);
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

/** Everything, newest first, a value for each of the columns. */
export function streamTeamActivity(
  database: Database,
  { workspaceId }: WorkspaceGrant,
): AsyncIterable<Record<string, unknown>[]> {
  return database.stream(streamSql, [workspaceId]);
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

const streamSql = `
  select a.status, a.type, ${activityMoment} as "createdOn",
         sender.id as "senderId", sender.email as "senderEmail",
         sender.first_name as "senderFirstName", sender.last_name as "senderLastName",
         receiver.id as "receiverId", receiver.email as "receiverEmail",
         receiver.first_name as "receiverFirstName", receiver.last_name as "receiverLastName",
         ${activityText} as description, reason.description as reason, a.is_private as "isPrivate",
         (select name from teams where id = receiver.team_id) as team
    from activities a
         ${activityJoins}
   where a.workspace_id = $1
     and a.status <> 'DECLINED'
   order by a.number desc`;
