import { randomUUID } from 'node:crypto';
import { isHere, survivorOf } from '../../../company/directory/who.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import type { AskedManagers, EmailManagers } from '../../automations/managers.ts';
import { announceDue } from '../queue.ts';

/** The states in which an email to a manager waits to be sent, as SQL. The index manager_mails_due has these rows. */
export const waitingManagerMails = `('QUEUED', 'DEFERRED')`;

/** Automations write the occurrences of a day one batch after the other. An email about them waits this long for the next one. */
const gatherSeconds = 600;
/** More people than this are a second email. */
const mostInMail = 30;

/**
 * Queues the emails to the managers of occurrences. Those of one manager that go out on the same day share an email. An email that was queued
 * before is not queued again, unless it was cancelled because another person was the manager for a while.
 */
export const queueManagerMails: EmailManagers = async (tx, asked) => {
  const { workspaceId, moment, kind, occurrenceIds } = asked;
  const wanted = await tx.query<Wanted>(wantedSql, [workspaceId, occurrenceIds]);
  if (wanted.length === 0) return;
  const bundles = await readOpen(tx, asked, wanted);
  const queued = wanted.map((one) => {
    const known = bundles.get(bundleOf(one));
    const bundle = known && known.occurrences < mostInMail ? known : { mailId: randomUUID(), occurrences: 0 };
    bundle.occurrences += 1;
    bundles.set(bundleOf(one), bundle);
    return { ...one, mailId: bundle.mailId };
  });
  const [row] = await tx.query<{ nextDue: string | null }>(queueSql, [
    workspaceId,
    JSON.stringify(queued),
    moment,
    gatherSeconds,
    kind,
  ]);
  if (row?.nextDue) await announceDue(tx, workspaceId, row.nextDue);
};

interface Wanted {
  occurrenceId: number;
  memberId: number;
  forDay: string;
}

interface Bundle {
  mailId: string;
  occurrences: number;
}

function bundleOf({ memberId, forDay }: Pick<Wanted, 'memberId' | 'forDay'>): string {
  return `${memberId} ${forDay}`;
}

async function readOpen(
  tx: Queryable,
  { workspaceId, moment, kind }: AskedManagers,
  wanted: readonly Wanted[],
): Promise<Map<string, Bundle>> {
  const memberIds = [...new Set(wanted.map(({ memberId }) => memberId))];
  const open = await tx.query<Bundle & Wanted>(openSql, [workspaceId, moment, kind, memberIds]);
  return new Map(open.map(({ mailId, occurrences, ...one }) => [bundleOf(one), { mailId, occurrences }]));
}

const wantedSql = `
  select o.id as "occurrenceId", boss.id as "memberId",
         (o.due_at at time zone coalesce(boss.own_time_zone, w.time_zone))::date::text as "forDay"
    from occurrences o
    join workspaces w  on w.id = o.workspace_id
    join members named on named.workspace_id = $1 and named.id = o.asked_member_id
    join members boss  on boss.workspace_id = $1 and boss.id = ${survivorOf('named')} and ${isHere('boss')}
   where o.workspace_id = $1
     and o.id = any($2::bigint[])
     and coalesce(boss.email, '') <> ''
     and not exists (select
                       from manager_mails q
                      where q.workspace_id = $1
                        and q.occurrence_id = o.id
                        and q.member_id = boss.id
                        and q.state <> 'CANCELLED')
   order by o.due_at, o.id`;

/** Emails that still wait for further occurrences. One that is due may be on its way. */
const openSql = `
  select member_id as "memberId", for_day::text as "forDay", mail_id as "mailId", count(*)::int as occurrences
    from manager_mails
   where workspace_id = $1
     and state = 'QUEUED'
     and attempts = 0
     and due_at > $2::timestamptz
     and kind = $3
     and member_id = any($4::bigint[])
   group by member_id, for_day, mail_id
   order by count(*) desc`;

// All rows of an email are due together: when the first of them is.
const queueSql = `
  with new as (
    select one.*, coalesce((select min(q.due_at)
                              from manager_mails q
                             where q.workspace_id = $1
                               and q.mail_id = one."mailId"
                               and q.state = 'QUEUED'),
                           $3::timestamptz + make_interval(secs => $4)) as due_at
      from jsonb_to_recordset($2::jsonb) as one ("occurrenceId" bigint, "memberId" bigint, "forDay" date, "mailId" uuid)
  ),
  queued as (
    insert into manager_mails as q (workspace_id, occurrence_id, member_id, kind, mail_id, for_day, state, due_at)
    select $1, "occurrenceId", "memberId", $5, "mailId", "forDay", 'QUEUED', due_at from new
        on conflict (workspace_id, occurrence_id, member_id) do update
       set mail_id = excluded.mail_id, for_day = excluded.for_day, state = excluded.state, due_at = excluded.due_at, attempts = 0
     where q.state = 'CANCELLED'
    returning q.due_at
  )
  select min(due_at)::text as "nextDue" from queued`;
