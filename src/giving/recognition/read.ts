import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import type { Shoutout, ShoutoutPage, ShoutoutQuery } from '../../ground/contract/shoutout.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { pageFields } from '../../ground/values/page.ts';
import { activityFields, activityJoins, activityMoment, momentText, userSummary } from './activity.ts';
import { waitsWithGifts } from './post-gifts.ts';
import { isFirst } from './posts.ts';
import { numberOfShoutout, shoutoutId } from './shoutout-ids.ts';
import { type ActivityReader, visibleTo } from './visibility.ts';

/** Reads shoutouts by their numbers, each as the member `self` sees it, in the order of `asked`. The caller says who may see them. */
export async function readShoutouts(
  database: Queryable,
  workspaceId: number,
  asked: readonly { number: number; self: number }[],
): Promise<Shoutout[]> {
  const rows = await database.query<{ record: Shoutout }>(recordsSql, [
    workspaceId,
    asked.map(({ number }) => number),
    asked.map(({ self }) => self),
  ]);
  return rows.map(({ record }) => record);
}

export async function findShoutout(
  database: Queryable,
  workspaceId: number,
  id: number,
  reader: ActivityReader & { memberId: number },
): Promise<Shoutout> {
  const { memberId: self } = reader;
  const number = await numberOfShoutout(database, workspaceId, id, reader);
  const [shoutout] = await readShoutouts(database, workspaceId, [{ number, self }]);
  return shoutout as Shoutout;
}

/** Reads a page of the shoutouts with one status, newest first. */
export async function listShoutouts(
  database: Queryable,
  reader: ActivityReader,
  { status, ...page }: ShoutoutQuery,
): Promise<ShoutoutPage> {
  const [row] = await database.query<{ total: number; shoutouts: Shoutout[] }>(
    pageSql(visibleTo(reader, 'a', '$5::bigint')),
    [reader.workspaceId, status, page.page * page.size, page.size, reader.memberId],
  );
  const { total, shoutouts } = row ?? { total: 0, shoutouts: [] };
  return { ...pageFields(page, total), shoutouts };
}

/**
 * The first shoutouts that wait for approval, the oldest first, with the number of all: those that the reader may decide, because
 * they neither gave nor received them (`onlyOthers`), or all that the reader may see.
 */
export function listWaitingShoutouts(
  database: Queryable,
  reader: ActivityReader,
  onlyOthers: boolean,
  most: number,
): Promise<{ total: number; keys: { number: number; since: string }[] }> {
  const values = [reader.workspaceId, reader.memberId, most, onlyOthers];
  return queryOne(database, waitingSql(visibleTo(reader, 'a', '$2::bigint')), values);
}

const waitingSql = (isVisible: string) => `
  with own as materialized (${recordsOf('$1', '$2')}),
  waiting as materialized (
    select number, created_on
      from activities a
     where workspace_id = $1
       and status = 'PENDING'
       and type = 'SHOUTOUT'
       and ${isVisible}
       and ${isFirst('a')}
       and not ${waitsWithGifts('a')}
       and (not $4::boolean or (sender_id not in (select id from own) and receiver_id not in (select id from own)
                                and not exists (select from activities beside
                                                 where beside.workspace_id = $1 and beside.lead_number = a.lead_number
                                                   and beside.receiver_id in (select id from own))))
  )
  select (select count(*) from waiting) as total,
         (select coalesce(json_agg(json_build_object('number', number, 'since', ${momentText('created_on')} || 'Z') order by created_on, number), '[]')
            from (select * from waiting order by created_on, number limit $3::bigint) first) as keys`;

const record = (self: string) => `
  json_build_object(
    'id', ${shoutoutId('a.number', 's')}, ${activityFields(self)},
    'otherReceivers', (select count(*) from activities beside
                        where beside.workspace_id = $1 and beside.lead_number = a.lead_number and beside.number <> a.number),
    'decidedBy', case when decider.id is not null then ${userSummary('decider', self)} end,
    'createdAt', ${activityMoment} || 'Z',
    'decidedAt', ${momentText('s.decided_at')} || 'Z',
    'decidedOn', ${momentText('s.decided_at')},
    'decisionReason', s.decision_reason)`;

const decisionJoins = `
    left join shoutouts s        on s.workspace_id = $1 and s.number = a.number
    left join members decided_as on decided_as.workspace_id = $1 and decided_as.id = s.decided_by
    left join members decider    on decider.workspace_id = $1
                                and decider.id = ${survivorOf('decided_as')}`;

const recordsSql = `
  select ${record('asked.self')} as record
    from unnest($2::bigint[], $3::bigint[]) with ordinality as asked (number, self, nth)
    join activities a on a.workspace_id = $1 and a.number = asked.number and a.type = 'SHOUTOUT'
    ${activityJoins}
    ${decisionJoins}
   order by asked.nth`;

const pageSql = (isVisible: string) => `
  select (select count(*) from activities a where a.workspace_id = $1 and a.status = $2 and a.type = 'SHOUTOUT' and ${isVisible}
             and ($2 <> 'PENDING' or ${isFirst('a')})) as total,
         (select coalesce(json_agg(${record('$5')} order by a.number desc), '[]')
            from (select *
                    from activities a
                   where workspace_id = $1
                     and status = $2
                     and type = 'SHOUTOUT'
                     and ${isVisible}
                     and ($2 <> 'PENDING' or ${isFirst('a')})
                   order by number desc
                  offset $3::bigint
                   limit $4::bigint) a
            ${activityJoins}
            ${decisionJoins}) as shoutouts`;
