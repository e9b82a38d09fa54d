import { isHere, isPerson } from '../../../company/directory/who.ts';
import { inWorkspace, timeOf } from '../../../company/workspaces/lock.ts';
import { type Database, queryOne, queryOptional } from '../../../ground/database/database.ts';
import { addDays, firstOfMonth, weekdayOf } from '../../../ground/values/calendar.ts';
import { readZones } from '../../automations/candidates.ts';
import { dayOfMoment, dueAtOf } from '../../automations/due-at.ts';
import { announceDue } from '../queue.ts';

/** WEEK: to a person who wants it. MONTH: to a manager, about direct reports who were not recognized. */
export type DigestKind = 'WEEK' | 'MONTH';

/** The states in which a digest waits to be sent, as SQL. The index digest_mails_due has these rows. */
export const waitingDigests = `('QUEUED', 'DEFERRED')`;

/** The hour at which digests go out, in the time zone of their reader. */
export const hour = 8;
/** A digest that is later than this is not sent: after a downtime, that week has none. */
export const longestLateMs = 86_400_000;
/** How many people one statement looks at. */
const mostAtOnce = 1_000;

/**
 * Queues the digests of the time zones whose hour has come since the last search. Returns how many. A search that is repeated, after a kill or by two
 * workers at once, queues nothing twice: the key of the row is the person and the week.
 */
export async function planDigests(database: Database, stopping?: AbortSignal): Promise<number> {
  await database.query(beginSql);
  const due = await database.query<{ workspaceId: number }>(dueSql);
  const errors: unknown[] = [];
  let queued = 0;
  for (const { workspaceId } of due) {
    if (stopping?.aborted) break;
    await planIn(database, workspaceId, stopping).then(
      (count) => {
        queued += count;
      },
      (error) => errors.push(error),
    );
  }
  if (errors.length > 0) throw errors[0];
  return queued;
}

// Nothing is sent about the time before a workspace was searched first.
const beginSql = `
  insert into digest_turns (workspace_id, looked_until)
  select c.workspace_id, ${timeOf('c')}
    from activity_counters c
   where not exists (select from digest_turns t where t.workspace_id = c.workspace_id)
      on conflict do nothing`;

/** Hours begin at a quarter in every time zone. */
const isDue = `date_bin('15 minutes', ${timeOf('c')}, 'epoch') > t.looked_until
     and (t.taken_until is null or t.taken_until <= clock_timestamp())`;

const dueSql = `
  select t.workspace_id as "workspaceId"
    from digest_turns t
    join activity_counters c using (workspace_id)
   where ${isDue}`;

/** A search, in milliseconds; `until` also as PostgreSQL writes it. */
interface Search {
  from: number;
  until: number;
  untilText: string;
}

async function planIn(database: Database, workspaceId: number, stopping?: AbortSignal): Promise<number> {
  const search = await queryOptional<Search>(database, takeSql, [workspaceId]);
  if (!search) return 0;
  const { timeZone } = await queryOne<{ timeZone: string }>(
    database,
    'select time_zone as "timeZone" from workspaces where id = $1',
    [workspaceId],
  );
  let queued = 0;
  for (const zone of await readZones(database, workspaceId))
    for (const kind of kinds) {
      const today = dayOfMoment(search.until, zone || timeZone);
      const period = firstDays[kind](today);
      const dueAt = dueAtOf(period, hour, zone || timeZone);
      if (dueAt > search.until || dueAt <= Math.max(search.from, search.until - longestLateMs)) continue;
      queued += await queueZone(database, { workspaceId, kind, zone, period, dueAt, stopping });
    }
  if (!stopping?.aborted) await database.query(doneSql, [workspaceId, search.untilText]);
  return queued;
}

const kinds: readonly DigestKind[] = ['WEEK', 'MONTH'];

const firstDays: Record<DigestKind, (today: string) => string> = {
  WEEK: (today) => addDays(today, -((weekdayOf(today) + 6) % 7)),
  MONTH: (today) => firstOfMonth(today),
};

interface ZoneDigest {
  workspaceId: number;
  kind: DigestKind;
  /** Empty for people without one: they have the one of the workspace. */
  zone: string;
  period: string;
  /** In milliseconds. */
  dueAt: number;
  stopping: AbortSignal | undefined;
}

async function queueZone(database: Database, digest: ZoneDigest): Promise<number> {
  const { workspaceId, kind, zone, period, dueAt, stopping } = digest;
  const due = new Date(dueAt).toISOString();
  let [after, queued]: [number | null, number] = [0, 0];
  while (after !== null && !stopping?.aborted) {
    const page: { last: number | null; queued: number } = await queryOne(database, queueSql[kind], [
      workspaceId,
      after,
      zone,
      period,
      due,
    ]);
    // After the rows are there: a sender that gives the workspace back meanwhile has seen them, or is told here.
    if (page.queued > 0) await inWorkspace(database, workspaceId, (tx) => announceDue(tx, workspaceId, due));
    queued += page.queued;
    after = page.last;
  }
  return queued;
}

/** Another worker searches after this time if the one that has begun was killed. */
const takeSql = `
  update digest_turns t
     set taken_until = clock_timestamp() + interval '1 minute'
    from activity_counters c
   where t.workspace_id = $1
     and c.workspace_id = t.workspace_id
     and ${isDue}
  returning (extract(epoch from t.looked_until) * 1000)::float8 as "from",
            (extract(epoch from ${timeOf('c')}) * 1000)::float8 as until,
            ${timeOf('c')}::text as "untilText"`;

const doneSql = `
  update digest_turns
     set looked_until = greatest(looked_until, $2::timestamptz), taken_until = null
   where workspace_id = $1`;

/** The people of a page who get a digest, of those after $2 whom `page` selects in the order of their ids. */
function queueing(kind: DigestKind, page: string, isAsked: string): string {
  return `
  with page as materialized (${page} limit ${mostAtOnce}),
  queued as (
    insert into digest_mails (workspace_id, kind, period, member_id, state, due_at)
    select $1, '${kind}', $4::date, m.id, 'QUEUED', $5::timestamptz
      from page
      join members m on m.workspace_id = $1 and m.id = page.id
     where ${isPerson('m')}
       and ${isHere('m')}
       and coalesce(m.email, '') <> ''
       and coalesce(m.own_time_zone, '') = $3
       and ${isAsked}
       and not ${wasSentToMerged('$4::date', `'${kind}'`)}
        on conflict do nothing
    returning 1
  )
  select (select max(id) from page) as last, (select count(*)::int from queued) as queued`;
}

/** True if a record that was merged into `m` has had the digest of a period. */
export function wasSentToMerged(period: string, kind: string): string {
  return `exists (select
                 from members before
                 join digest_mails had on had.workspace_id = before.workspace_id
                                      and had.member_id = before.id
                                      and had.period = ${period}
                                      and had.kind = ${kind}
                                      and had.state in ('SENDING', 'SENT', 'FAILED')
                where before.workspace_id = $1
                  and before.merged_into = m.id)`;
}

const queueSql: Record<DigestKind, string> = {
  WEEK: queueing(
    'WEEK',
    `select p.member_id as id
       from member_preferences p
      where p.workspace_id = $1 and p.digest and p.member_id > $2
      order by p.member_id`,
    'true',
  ),
  MONTH: queueing(
    'MONTH',
    `select report.manager_id as id
       from members report
      where report.workspace_id = $1 and report.manager_id > $2
        and (select manager_digest from workspaces where id = $1)
      group by report.manager_id
      order by report.manager_id`,
    `coalesce((select p.manager_digest from member_preferences p where p.workspace_id = $1 and p.member_id = m.id), true)`,
  ),
};
