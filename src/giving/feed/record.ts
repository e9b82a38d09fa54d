import { keptOutRecords } from '../../company/directory/kept-out.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { momentText } from '../recognition/activity.ts';

import { shoutoutId } from '../recognition/shoutout-ids.ts';

/** How many receivers a record names. */
const mostNamed = 6;

/** The records of the reader $2 in the workspace $1, as a CTE. */
export const own = `own as materialized (${recordsOf('$1', '$2')})`;

/** A member `m` as colleagues see them. */
export const personRecord = (m: string) => `
  json_build_object(
    'id', ${m}.id, 'firstName', ${shownFirstName(m)}, 'lastName', ${shownLastName(m)}, 'avatar', coalesce(${m}.picture_url, ''),
    'self', ${m}.id in (select id from own))`;

/** The people whom the post `a` thanks, each once, as a statement that returns their ids. */
export const receiversOf = `
  select distinct ${survivorOf('named')} as id
    from activities r
    join members named on named.workspace_id = $1 and named.id = r.receiver_id
   where r.workspace_id = $1
     and (r.number = a.number or r.lead_number = a.number)`;

/** The record of a post, of an activity `a` that is its first shoutout. It reads the CTE `own`. The caller says who may see it. */
export const postRecord = `
  json_build_object(
    'id', ${shoutoutId('a.number', 's')},
    'createdAt', ${momentText('a.created_on')} || 'Z',
    'status', a.status,
    'sender', ${personRecord('sender')},
    'receivers', (select coalesce(json_agg(${personRecord('m')} order by m.id in (select id from own) desc, m.id), '[]')
                    from (select id from (${receiversOf}) all_of
                           where id in (select id from own) or id not in (${keptOutRecords('$1')}) order by id in (select id from own) desc, id limit ${mostNamed}) first
                    join members m on m.workspace_id = $1 and m.id = first.id),
    'receiverCount', (select count(*) from (${receiversOf}) all_of),
    'team', case when team.id is not null then json_build_object('id', team.id, 'name', team.name) end,
    'reason', json_build_object('id', reason.id, 'description', reason.description),
    'message', a.description,
    'isPrivate', a.is_private,
    'isMine', sender.id in (select id from own),
    'isForMe', exists (select from (${receiversOf}) all_of where all_of.id in (select id from own)),
    'editedAt', ${momentText('p.edited_at')} || 'Z',
    'reactions', ${reactionCounts('p')},
    'myReactions', ${ownReactions('a.number')},
    'commentCount', coalesce(p.comments, 0),
    'thankedAt', (select ${momentText('max(t.at)')} || 'Z'
                    from feed_thanks t
                   where t.workspace_id = $1 and t.number = a.number and t.member_id in (select id from own)),
    'gift', ${giftRecord()})`;

/** Gifts that come with the post: its people see that, and others what its sender and the workspace show. */
function giftRecord(): string {
  return `
  case when pg.number is not null
        and ((pg.is_shown and w.feed_post_gifts) or sender.id in (select id from own)
             or exists (select from (${receiversOf}) all_of where all_of.id in (select id from own)))
       then json_build_object(
              'state', case when a.status = 'APPROVED' then 'SENT' when a.status = 'DECLINED' then 'NOT_SENT'
                            when exists (select from held_orders h
                                          where h.workspace_id = $1 and h.request_id = pg.request_id) then 'WAITING'
                            else 'PREPARING' end,
              'myGiftId', (select min(c.id)
                             from certificates c
                            where c.workspace_id = $1 and c.request_id = pg.request_id and c.member_id in (select id from own)))
       end`;
}

export function reactionCounts(p: string): string {
  const count = (column: string) => `coalesce(${p}.${column}, 0)`;
  return `json_build_object('WARM', ${count('warm')}, 'WELL_DONE', ${count('well_done')}, 'WOW', ${count('wow')}, 'SMILE', ${count('smile')})`;
}

export function ownReactions(number: string): string {
  return `(select coalesce(json_agg(distinct mine.kind), '[]')
             from feed_reactions mine
            where mine.workspace_id = $1 and mine.number = ${number} and mine.member_id in (select id from own))`;
}

/** What `postRecord` reads, of the activity `a`. The looked-up sender is kept apart from the other joins, as in recognition/activity.ts. */
export const postJoins = `
  join members sent_as     on sent_as.workspace_id = $1 and sent_as.id = a.sender_id
  cross join lateral (
         select * from members m where m.workspace_id = $1 and m.id = ${survivorOf('sent_as')} offset 0) sender
  join workspaces w        on w.id = a.workspace_id
  join reasons reason      on reason.workspace_id = $1 and reason.id = coalesce(a.reason_id, w.default_reason_id)
  left join shoutouts s    on s.workspace_id = $1 and s.number = a.number
  left join feed_posts p   on p.workspace_id = $1 and p.number = a.number
  left join post_gifts pg  on pg.workspace_id = $1 and pg.number = a.number
  left join teams team     on team.workspace_id = $1 and team.id = p.team_id`;

/** The posts of a CTE `page` with their numbers, the newest first, as JSON. */
export const postsOfPage = `
  (select coalesce(json_agg(${postRecord} order by a.number desc), '[]')
     from page
     join activities a on a.workspace_id = $1 and a.number = page.number
     ${postJoins})`;
