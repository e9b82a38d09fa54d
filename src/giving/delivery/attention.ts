import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { isReportOf } from '../../company/directory/reporting-line.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';

type Undelivered = Pick<Attention, 'failedGifts' | 'latestFailure' | 'giftsWithoutAddress'>;

/** Gifts whose email did not reach the recipient, up to `most`; with a member, those of their direct and indirect reports. */
export async function countUndelivered(
  on: Queryable,
  workspaceId: number,
  onlyReportsOf: number | null,
  most: number,
): Promise<Undelivered> {
  const { latestFailure, ...counts } = await queryOne<Undelivered>(on, undeliveredSql, [
    workspaceId,
    most,
    onlyReportsOf,
  ]);
  return {
    ...counts,
    latestFailure: latestFailure && { ...latestFailure, at: new Date(latestFailure.at).toISOString() },
  };
}

/**
 * Gifts that wait because their email is in this state: those of the current edition that can still be claimed. The newest
 * order first. Such emails are few, so each gift is looked up; the planner would rather read all gifts that are not claimed.
 */
const unsent = (state: string) => `
  select c.id, c.member_id, mail.due_at
    from now_here
   cross join (select *
                 from mails
                where workspace_id = $1
                  and kind = 'GIFT'
                  and state = '${state}'
                order by request_id desc, position desc
               offset 0) mail
   cross join lateral (
           select *
             from certificates
            where workspace_id = $1
              and request_id = mail.request_id
              and position = mail.position
           offset 0) c
   where c.edition = mail.edition
     and c.state = 'ISSUED'
     and (c.expires_at is null or c.expires_at > now_here.moment)
     and ${isReportOf('$1::bigint', '$3', 'c.member_id')}
   order by mail.request_id desc, mail.position desc
   limit $2::int`;

const undeliveredSql = `
  with now_here as (
    select ${timeOf('a')} as moment from activity_counters a where workspace_id = $1
  ),
  failed as (${unsent('FAILED')}),
  without_address as (${unsent('NO_ADDRESS')})
  select (select count(*) from failed) as "failedGifts",
         (select json_build_object('id', f.id, 'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}, 'at', f.due_at)
            from (select * from failed order by due_at desc limit 1) f
            join members sent_to on sent_to.workspace_id = $1 and sent_to.id = f.member_id
            join members m       on m.workspace_id = $1 and m.id = ${survivorOf('sent_to')}) as "latestFailure",
         (select count(*) from without_address) as "giftsWithoutAddress"`;
