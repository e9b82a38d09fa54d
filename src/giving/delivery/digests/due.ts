import { shownName } from '../../../company/directory/names.ts';
import { isHere, isPerson } from '../../../company/directory/who.ts';
import { timeOf } from '../../../company/workspaces/lock.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import type { MailRecord } from '../send/personal.ts';
import type { Forgotten, Week } from './content.ts';
import { type DigestKind, hour, longestLateMs, waitingDigests, wasSentToMerged } from './plan.ts';

/** A digest that is due, with its reader as they are now. */
export interface DueDigest {
  workspaceId: number;
  kind: DigestKind;
  period: string;
  memberId: number;
  attempts: number;
  waitedSeconds: number;
  /** The workspace's time when it was read. */
  now: string;
  name: string;
  address: string | null;
  /** The reader's own; null: the workspace's counts. */
  language: string | null;
  /** The reader's own, else the workspace's. */
  timeZone: string;
  /** Whether the reader is here, wants it, has not had it under a record that was merged, and it is not too late, also after many attempts. */
  isWanted: boolean;
}

/** A digest that has something to say. */
export interface ReadyDigest extends DueDigest {
  address: string;
  about: { week: Week } | { forgotten: Forgotten };
  /** Whether the reader opens the employees' app. */
  hasApp: boolean;
}

/** The digests of a workspace that are due, the earliest first. */
export function readDueDigests(on: Queryable, workspaceId: number, most: number): Promise<DueDigest[]> {
  return on.query<DueDigest>(dueSql, [workspaceId, most]);
}

const isWanted = `
  ${isPerson('m')} and ${isHere('m')} and coalesce(m.email, '') <> ''
  and case q.kind when 'WEEK' then coalesce(p.digest, false) else w.manager_digest and coalesce(p.manager_digest, true) end
  and (${timeOf('a')} at time zone coalesce(m.own_time_zone, w.time_zone)) < q.period + interval '${hour} hours ${longestLateMs} milliseconds'
  and not ${wasSentToMerged('q.period', 'q.kind')}`;

// Many are due at the same moment: only the first are read with their people.
const dueSql = `
  with due as materialized (
    select q.*
      from activity_counters a
      join digest_mails q on q.workspace_id = a.workspace_id and q.state in ${waitingDigests} and q.due_at <= ${timeOf('a')}
     where a.workspace_id = $1
     order by q.due_at, q.member_id
     limit $2
  )
  select q.workspace_id as "workspaceId", q.kind, q.period::text as period, q.member_id as "memberId", q.attempts,
         extract(epoch from ${timeOf('a')} - q.due_at)::float8 as "waitedSeconds", ${timeOf('a')}::text as now,
         coalesce(${shownName('m')}, '') as name, m.email as address, m.own_language as language,
         coalesce(m.own_time_zone, w.time_zone) as "timeZone", (${isWanted}) as "isWanted"
    from activity_counters a
    join workspaces w   on w.id = a.workspace_id
    join due q          on q.workspace_id = a.workspace_id
    join members m      on m.workspace_id = q.workspace_id and m.id = q.member_id
    left join member_preferences p on p.workspace_id = m.workspace_id and p.member_id = m.id
   where a.workspace_id = $1
   order by q.due_at, q.member_id`;

/**
 * Takes digests to hand them over: from now on they are never sent again unless the mail server has not taken them, so that a kill costs an email and never
 * repeats one. Returns those that no other sender has taken.
 */
export async function takeDigests<Digest extends DueDigest>(
  on: Queryable,
  workspaceId: number,
  digests: readonly Digest[],
): Promise<Digest[]> {
  if (digests.length === 0) return [];
  const taken = await on.query<Pick<DueDigest, 'kind' | 'period' | 'memberId'>>(takeSql, keysOf(workspaceId, digests));
  const keys = new Set(taken.map(digestKey));
  return digests.filter((digest) => keys.has(digestKey(digest)));
}

/** Names a digest in its workspace. */
export function digestKey({ kind, period, memberId }: Pick<DueDigest, 'kind' | 'period' | 'memberId'>): string {
  return `${kind} ${period} ${memberId}`;
}

function keysOf(workspaceId: number, digests: readonly DueDigest[]) {
  const all = <Key extends keyof DueDigest>(key: Key) => digests.map((digest) => digest[key]);
  return [workspaceId, all('kind'), all('period'), all('memberId')];
}

const isAsked = `q.workspace_id = $1 and q.kind = asked.kind and q.period = asked.period and q.member_id = asked.member_id`;

const takeSql = `
  update digest_mails q
     set state = 'SENDING'
    from unnest($2::text[], $3::date[], $4::bigint[]) as asked (kind, period, member_id)
   where ${isAsked}
     and q.state in ${waitingDigests}
  returning q.kind, q.period::text as period, q.member_id as "memberId"`;

/** Those that have nothing to say, or whose reader does not want them any longer. */
export async function cancelDigests(on: Queryable, workspaceId: number, digests: readonly DueDigest[]): Promise<void> {
  if (digests.length > 0) await on.query(cancelSql, keysOf(workspaceId, digests));
}

const cancelSql = `
  update digest_mails q
     set state = 'CANCELLED'
    from unnest($2::text[], $3::date[], $4::bigint[]) as asked (kind, period, member_id)
   where ${isAsked}
     and q.state in ${waitingDigests}`;

/** Writes down what became of digests that were taken. */
export async function saveDigests(
  on: Queryable,
  workspaceId: number,
  results: readonly { mail: DueDigest; record: MailRecord }[],
): Promise<void> {
  if (results.length === 0) return;
  const digests = results.map(({ mail }) => mail);
  await on.query(saveSql, [
    ...keysOf(workspaceId, digests),
    results.map(({ record }) => record.state),
    results.map(({ record }) => record.attempts),
    results.map(({ mail, record }) => new Date(Date.parse(mail.now) + record.pauseMs).toISOString()),
    results.map(({ mail, record }) => (record.state === 'SENT' ? mail.address : null)),
    results.map(({ mail, record }) => (record.state === 'SENT' ? mail.now : null)),
  ]);
}

const saveSql = `
  update digest_mails q
     set state    = asked.state,
         attempts = asked.attempts,
         due_at   = case when asked.state in ${waitingDigests} then asked.due_at else q.due_at end,
         address  = asked.address,
         sent_at  = asked.sent_at
    from unnest($2::text[], $3::date[], $4::bigint[], $5::text[], $6::int[], $7::timestamptz[], $8::text[], $9::timestamptz[])
           as asked (kind, period, member_id, state, attempts, due_at, address, sent_at)
   where ${isAsked}
     and q.state = 'SENDING'`;
