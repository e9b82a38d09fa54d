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

/**
 * Where the page begins: at number `newest`, after passing over `skipped` activities. Blocks with gaps tell how many
 * activities lie before them; the page begins in the oldest of those that begin before it does, or below that block,
 * where there are no more gaps to mind.
 */
const startSql = `
  with blocks as (
    select greatest(g.block * 1000, 0)                 as bottom,
           least(g.block * 1000 + 1000, c.total)       as top,
           g.gaps,
           sum(g.gaps) over (order by g.block desc) - g.gaps as newer_gaps
      from activity_counters c
      join activity_gaps g using (workspace_id)
     where c.workspace_id = $1
  ),
  before_page as (
    select bottom, top,
           top - bottom - gaps                     as living,
           $2::bigint - (c.total - top - newer_gaps) as ahead
      from blocks, activity_counters c
     where c.workspace_id = $1
       and c.total - top - newer_gaps <= $2::bigint
     order by bottom
     limit 1
  )
  select c.total - c.declined as total,
         case when b.ahead is null then c.total - $2::bigint
              when b.ahead < b.living then b.top
              else b.bottom - (b.ahead - b.living) end as newest,
         case when b.ahead < b.living then b.ahead else 0 end as skipped
    from activity_counters c
    left join before_page b on true
   where c.workspace_id = $1`;

const pageSql = `
  select start.total,
         coalesce(listed.activities, '[]') as activities
    from (${startSql}) start
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
