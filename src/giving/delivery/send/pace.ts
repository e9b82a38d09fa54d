import { type Queryable, queryOptional } from '../../../ground/database/database.ts';

/**
 * How fast all nodes together may send. Permits come back evenly, and at most those of a second are saved up. Both are chosen so that
 * no minute has more than `perMinute` of them.
 */
export interface Pace {
  most: number;
  perSecond: number;
}

/** Null: no limit. */
export function paceOf(perMinute: number): Pace | null {
  if (perMinute === 0) return null;
  const most = Math.max(1, Math.floor(perMinute / 60));
  return { most, perSecond: (perMinute - most + 1) / 60 };
}

/** The permits that there are now, as an SQL expression over `mail_pace p`. $1 is `most`, $2 `perSecond`; null: no limit. */
export const permitsNow = `
  least($1::float8, p.permits + $2::float8
                      * extract(epoch from clock_timestamp()
                                           - greatest(p.counted_at, clock_timestamp() - interval '1 minute')))`;

/** Takes at most `wanted` permits and returns the number taken. */
export async function takePermits(on: Queryable, pace: Pace | null, wanted: number): Promise<number> {
  if (pace === null || wanted === 0) return wanted;
  const taken = await queryOptional<{ granted: number }>(on, takeSql, [pace.most, pace.perSecond, wanted]);
  return taken?.granted ?? 0;
}

export async function returnPermits(on: Queryable, pace: Pace | null, unused: number): Promise<void> {
  if (pace === null || unused === 0) return;
  await on.query('update mail_pace set permits = least($1::float8, permits + $2)', [pace.most, unused]);
}

const takeSql = `
  with locked as (
    select ${permitsNow} as available
      from mail_pace p
       for update
  )
  update mail_pace
     set permits = l.available - least(floor(l.available), $3::int), counted_at = clock_timestamp()
    from locked l
  returning least(floor(l.available), $3::int)::int as granted`;

/** Until when nothing is sent because the mail server failed; null: emails are sent. */
export async function readPause(on: Queryable): Promise<Date | null> {
  const sql = 'select resume_at as until from mail_pace where failures > 0 and resume_at > clock_timestamp()';
  return (await queryOptional<{ until: Date }>(on, sql))?.until ?? null;
}

/** How often in a row the mail server could not be used. */
export async function readFailures(on: Queryable): Promise<number> {
  return (await queryOptional<{ failures: number }>(on, 'select failures from mail_pace'))?.failures ?? 0;
}

const longestProbeSeconds = 60;
const longestPauseSeconds = 300;

/**
 * After failures of the mail server one sender of all nodes tries it with one email, when the pause has ended. Returns whether the
 * caller is that sender. If the caller dies, another one tries after a minute.
 */
export async function beginProbe(on: Queryable): Promise<boolean> {
  const begun = await on.query(
    `update mail_pace
        set resume_at = clock_timestamp() + make_interval(secs => $1)
      where resume_at <= clock_timestamp()
     returning singleton`,
    [longestProbeSeconds],
  );
  return begun.length > 0;
}

/** The mail server failed: all senders pause. Failures during a pause count once. Returns when the pause ends. */
export async function noteFailure(on: Queryable, isProbe: boolean): Promise<Date | null> {
  const noted = await queryOptional<{ resumeAt: Date }>(on, failureSql, [
    isProbe,
    longestPauseSeconds,
    0.8 + 0.4 * Math.random(),
  ]);
  return noted?.resumeAt ?? null;
}

/** A second, two, four … Pauses differ by up to a fifth. */
const failureSql = `
  update mail_pace
     set failures = failures + 1,
         resume_at = clock_timestamp() + make_interval(secs => $3 * least($2, power(2, least(failures, 20))))
   where resume_at <= clock_timestamp()
      or $1
  returning resume_at as "resumeAt"`;

/** The sender that tried the mail server has heard from it, or had no email to try it with: then the next one tries. */
export async function endProbe(on: Queryable, hasAnswered: boolean): Promise<void> {
  await on.query(
    `update mail_pace
        set failures = case when $1 then 0 else failures end, resume_at = clock_timestamp()
      where failures > 0`,
    [hasAnswered],
  );
}
