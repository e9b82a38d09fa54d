import { readMember } from '../../company/directory/read.ts';
import type { RecordReader } from '../../company/directory/readers.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { dayIn, zoneOf } from '../../company/workspaces/days.ts';
import { type ActivityReader, seesAllShoutouts, visibleTo } from '../../giving/recognition/visibility.ts';
import type { Member } from '../../ground/contract/member.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** What records of people say about recognition. */
interface Recognized {
  id: number;
  recognitions?: number;
  lastRecognizedOn: string | null;
  lastRecognizedBy?: 'GIFT' | 'SHOUTOUT' | null;
}

interface Seen {
  id: number;
  hidden: number;
  day: string | null;
  type: 'GIFT' | 'SHOUTOUT' | null;
}

/**
 * Records of people as this reader may see them: without private shoutouts that the reader may not see, which the columns of members count. Few people have
 * one, and an index has them alone. Each response with records of members passes here.
 */
export async function asSeenBy<One extends Recognized>(
  on: Queryable,
  reader: ActivityReader,
  members: readonly One[],
): Promise<One[]> {
  if (seesAllShoutouts(reader) || members.length === 0) return [...members];
  const rows = await on.query<Seen>(seenSql(reader), [
    reader.workspaceId,
    members.map(({ id }) => id),
    reader.memberId,
  ]);
  const seen = new Map(rows.map((row) => [row.id, row]));
  return members.map((member) => {
    const found = seen.get(member.id);
    if (!found) return member;
    return {
      ...member,
      ...(member.recognitions !== undefined && { recognitions: member.recognitions - found.hidden }),
      lastRecognizedOn: found.day,
      ...(member.lastRecognizedBy !== undefined && { lastRecognizedBy: found.type }),
    };
  });
}

/** One member, as this reader may see them. */
export async function readSeenMember(
  on: Queryable,
  reader: ActivityReader & RecordReader,
  id: number,
): Promise<Member | null> {
  const member = await readMember(on, reader.workspaceId, id, reader);
  return member && ((await asSeenBy(on, reader, [member]))[0] as Member);
}

// A gift counts at the time at which its order was finished, which is when it was recorded.
const seenSql = (reader: ActivityReader) => `
  with records as materialized (
    select r.id, ${survivorOf('r')} as member_id
      from unnest($2::bigint[]) as asked (id)
      join members r on r.workspace_id = $1 and (r.id = asked.id or r.merged_into = asked.id)
  ),
  hidden as materialized (
    select r.member_id, count(*) as hidden
      from records r
      join activities a on a.workspace_id = $1 and a.receiver_id = r.id and a.is_private
     where a.status = 'APPROVED'
       and not ${visibleTo(reader, 'a', '$3::bigint')}
     group by r.member_id
  )
  select h.member_id as id, h.hidden, ${dayIn('last.at', zoneOf('$1'))}::text as day, last.type
    from hidden h
    left join lateral (
      select given.at, given.type
        from records r
       cross join lateral (
               (select a.created_on as at, a.type
                  from activities a
                 where a.workspace_id = $1
                   and a.receiver_id = r.id
                   and a.type = 'SHOUTOUT'
                   and a.status = 'APPROVED'
                   and ${visibleTo(reader, 'a', '$3::bigint')}
                 order by a.number desc
                 limit 1)
               union all
               (select o.finished_at, 'GIFT'
                  from certificates c
                  join orders o on o.workspace_id = c.workspace_id and o.request_id = c.request_id
                 where c.workspace_id = $1
                   and c.member_id = r.id
                 order by o.finished_at desc
                 limit 1)) given
       where r.member_id = h.member_id
       order by given.at desc
       limit 1) last on true`;
