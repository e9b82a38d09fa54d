import type { WorkspaceGrant } from '../access/grants.ts';
import { type Page, pageFields } from '../contract/paging.ts';
import type { TeamActivityPage } from '../contract/report.ts';
import type { Queryable } from '../database/database.ts';

type Activity = TeamActivityPage['activities'][number];

interface Row {
  total: number;
  activities: Activity[];
}

/** Newest first. Numbers are dense, so that the last page is found as fast as the first. */
export async function readTeamActivity(
  database: Queryable,
  workspace: WorkspaceGrant,
  page: Page,
): Promise<TeamActivityPage> {
  const [row] = await database.query<Row>(activitySql, [
    workspace.workspaceId,
    page.page * page.size,
    page.size,
    workspace.memberId,
  ]);
  const { total, activities } = row ?? { total: 0, activities: [] };
  return { ...pageFields(page, total), activities };
}

const userSummary = (user: string) => `
  json_build_object(
    'id', ${user}.id,
    'email', coalesce(${user}.email, ''),
    'firstName', ${user}.first_name,
    'lastName', ${user}.last_name,
    'avatar', coalesce(${user}.picture_url, ''),
    'the service', coalesce(${user}.picture_url, ''),
    'self', ${user}.id = $4)`;

const activitySql = `
  select counter.total,
         coalesce(listed.activities, '[]') as activities
    from activity_counters counter
   cross join lateral (
           select json_agg(json_build_object(
                    'status', a.status,
                    'sender', ${userSummary('sender')},
                    'receiver', ${userSummary('receiver')},
                    'createdOn', to_char(a.created_on at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
                    'description', coalesce(a.description, c.message),
                    'reason', json_build_object('id', reason.id, 'description', reason.description),
                    'isPrivate', a.is_private,
                    'type', a.type,
                    'account', w.account_id,
                    'team', receiver.team_id) order by a.number desc) as activities
             from activities a
             join workspaces w     on w.id = a.workspace_id
             join members sender   on sender.workspace_id = a.workspace_id and sender.id = a.sender_id
             join members receiver on receiver.workspace_id = a.workspace_id and receiver.id = a.receiver_id
             join reasons reason   on reason.id = coalesce(a.reason_id, w.default_reason_id)
             left join certificates c
                    on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
            where a.workspace_id = $1
              and a.number <= counter.total - $2::bigint
              and a.number >  counter.total - $2::bigint - $3::bigint
         ) listed
   where counter.workspace_id = $1`;
