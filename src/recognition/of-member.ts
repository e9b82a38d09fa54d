import type { WorkspaceGrant } from '../access/grants.ts';
import type { MemberActivity, MemberActivityPage, MemberActivityQuery } from '../contract/member-activity.ts';
import type { Queryable } from '../database/database.ts';
import { recordsOf } from '../directory/who.ts';
import { Failure } from '../errors.ts';
import { activityFields, activityJoins } from './activity.ts';

/**
 * The recognition that a member received or gave, the newest first, with that of records merged into theirs. The time depends on the
 * size of the page, not on how much there is.
 */
export async function listMemberActivities(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  id: number,
  { direction, size, after }: MemberActivityQuery,
): Promise<MemberActivityPage> {
  const records = await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id]);
  if (records.length === 0) throw new Failure('missing', 'There is no member with this id in this workspace.');
  const rows = await on.query<{ record: MemberActivity }>(direction === 'given' ? givenSql : receivedSql, [
    workspaceId,
    records.map((one) => one.id),
    after ?? Number.MAX_SAFE_INTEGER,
    size + 1,
    memberId,
  ]);
  const activities = rows.slice(0, size).map(({ record }) => record);
  return { activities, next: rows.length > size ? (activities.at(-1)?.id ?? null) : null };
}

/** Each record's activities are read from the index in their sequence, so that a page never sorts all of them. */
const pageSql = (column: 'sender_id' | 'receiver_id') => `
  select json_build_object('id', a.number, 'giftId', c.id, ${activityFields('$5')}) as record
    from (select newest.*
            from unnest($2::bigint[]) as member (id)
           cross join lateral (
                   select *
                     from activities
                    where workspace_id = $1
                      and ${column} = member.id
                      and number < $3::bigint
                      and status <> 'DECLINED'
                    order by number desc
                    limit $4::bigint) newest
           order by newest.number desc
           limit $4::bigint) a
    ${activityJoins}
   order by a.number desc`;

const receivedSql = pageSql('receiver_id');
const givenSql = pageSql('sender_id');
