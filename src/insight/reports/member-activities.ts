import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { recordsOf } from '../../company/directory/who.ts';
import { activityFields, activityJoins } from '../../giving/recognition/activity.ts';
import { shoutoutId } from '../../giving/recognition/shoutout-ids.ts';
import { visibleTo } from '../../giving/recognition/visibility.ts';
import type { MemberActivity, MemberActivityPage, MemberActivityQuery } from '../../ground/contract/member-activity.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';

/** The place of an activity: gifts have a key, shoutouts and given recognition have a number. */
interface Place {
  requestId: string;
  position: number;
  number: number;
}

interface Row extends Place {
  record: MemberActivity;
}

const beforeAll: Place = {
  requestId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  position: 0,
  number: Number.MAX_SAFE_INTEGER,
};

/**
 * The recognition that a member received or gave, the newest first, with that of records merged into theirs. The time depends on the
 * size of the page, not on how much there is: gifts received are in the sequence of their orders, by which there is an index, also if an
 * order was tried again and has finished later.
 */
export async function listMemberActivities(
  on: Queryable,
  reader: WorkspaceGrant,
  id: number,
  { direction, size, after }: MemberActivityQuery,
): Promise<MemberActivityPage> {
  const { workspaceId, memberId } = reader;
  const records = await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id]);
  if (records.length === 0) throw new Failure('missing', 'There is no member with this id in this workspace.');
  const place = after === undefined ? beforeAll : readPlace(after);
  const rows = await on.query<Row>(direction === 'given' ? givenSql(reader) : receivedSql(reader), [
    workspaceId,
    records.map((one) => one.id),
    place.requestId,
    place.position,
    place.number,
    size + 1,
    memberId,
  ]);
  const merged = direction === 'given' ? rows : mergeByTime(rows);
  const page = merged.slice(0, size);
  const activities = page.map(({ record }) => record);
  return { activities, next: merged.length > size ? placeText(page, place) : null };
}

/** Gifts and shoutouts are two sequences, each in the order of its keys. Of the two that come next, the later one comes first. */
function mergeByTime(rows: readonly Row[]): Row[] {
  const gifts = rows.filter(({ record }) => record.type === 'GIFT');
  const shoutouts = rows.filter(({ record }) => record.type === 'SHOUTOUT');
  const merged: Row[] = [];
  for (;;) {
    const [gift] = gifts;
    const [shoutout] = shoutouts;
    if (!gift && !shoutout) return merged;
    const isGift = gift && (!shoutout || gift.record.createdOn >= shoutout.record.createdOn);
    merged.push((isGift ? gifts : shoutouts).shift() as Row);
  }
}

/** Where the next page begins in both sequences, as text. */
function placeText(page: readonly Row[], before: Place): string {
  const gift = page.findLast(({ record }) => record.type === 'GIFT') ?? before;
  const numbered = page.findLast(({ number }) => number !== null) ?? before;
  return `${gift.requestId ?? before.requestId}.${gift.position ?? before.position}.${numbered.number}`;
}

const placeForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.(\d{1,16})$/;

function readPlace(text: string): Place {
  const [, requestId, position, number] = placeForm.exec(text) ?? [];
  if (requestId === undefined) throw invalid([{ path: 'after', problem: 'must be the `next` of a page' }]);
  return { requestId, position: Number(position), number: Number(number) };
}

const columns = `a.request_id as "requestId", a.position, a.number,
         json_build_object('giftId', c.id, 'shoutoutId', case when a.type = 'SHOUTOUT' then ${shoutoutId('a.number', 's')} end,
                           ${activityFields('$7')}) as record`;

/** Each record's activities are read from an index in their sequence, so that a page never sorts all of them. */
const numbered = (reader: WorkspaceGrant, column: 'sender_id' | 'receiver_id', condition: string) => `
  select newest.*
    from unnest($2::bigint[]) as member (id)
   cross join lateral (
           select workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private, description, request_id, position,
                  created_on
             from activities a
            where workspace_id = $1
              and ${column} = member.id
              and number < $5::bigint
              and status <> 'DECLINED'
              and ${visibleTo(reader, 'a', '$7::bigint')}
              and ${condition}
            order by number desc
            limit $6::bigint) newest`;

const givenSql = (reader: WorkspaceGrant) => `
  select ${columns}
    from (select * from (${numbered(reader, 'sender_id', '($3::uuid, $4::int) is not null')}) given order by number desc limit $6::bigint) a
    ${activityJoins}
    left join shoutouts s on s.workspace_id = $1 and s.number = a.number
   order by a.number desc`;

/** The activities of gifts, by the index of certificates: activities have none by receiver (migration 0013). */
const giftsSql = `
  select gift.*
    from unnest($2::bigint[]) as member (id)
   cross join lateral (
           select c.workspace_id, null::bigint as number, 'GIFT' as type, 'APPROVED' as status, r.sender_id,
                  c.member_id as receiver_id, c.reason_id, false as is_private, null::text as description, c.request_id, c.position,
                  o.finished_at as created_on
             from certificates c
             join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
             join orders o         on o.workspace_id = c.workspace_id and o.request_id = c.request_id
            where c.workspace_id = $1
              and c.member_id = member.id
              and (c.request_id, c.position) < ($3::uuid, $4::int)
            order by c.request_id desc, c.position desc
            limit $6::bigint) gift`;

const receivedSql = (reader: WorkspaceGrant) => `
  select ${columns}
    from (${giftsSql} union all ${numbered(reader, 'receiver_id', `type = 'SHOUTOUT'`)}) a
    ${activityJoins}
    left join shoutouts s on s.workspace_id = $1 and s.number = a.number
   order by a.number desc nulls last, a.request_id desc, a.position desc`;
