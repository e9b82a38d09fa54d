import { dayIn, zoneOf } from '../workspaces/days.ts';
import { dayChange, moveDays } from './days.ts';

/**
 * The CTEs that count recognition for members, and move their last recognition and the counts by day. `recognized` is a
 * select of member_id, times, and of the latest one number, moment (at), day in UTC and type. The members are surviving records of the workspace
 * $1.
 *
 * A shoutout may be approved after others that were given later. The last recognition is the activity with the highest number.
 */
export function movingLastRecognition(recognized: string): string {
  return `moved as (
    update members m
       set recognition_count      = m.recognition_count + r.times,
           last_recognized_on     = case when latest.is_newer then r.day  else m.last_recognized_on end,
           last_recognized_at     = case when latest.is_newer then r.at   else m.last_recognized_at end,
           last_recognized_by     = case when latest.is_newer then r.type else m.last_recognized_by end,
           last_recognized_number = greatest(m.last_recognized_number, r.number)
      from (${recognized}) r
      join members before on before.workspace_id = $1::bigint and before.id = r.member_id
     cross join lateral (select r.number > coalesce(before.last_recognized_number, 0)) as latest (is_newer)
     where m.workspace_id = $1::bigint
       and m.id = before.id
    returning ${dayChange('before', 'm')}
  ),
  days as (${moveDays('moved')})`;
}

/** The day of the last recognition of a person of the workspace $1, in its time zone, as an SQL expression. `last_recognized_on` has it in UTC, for the report. */
export function lastRecognizedOn(alias: string): string {
  return dayIn(`${alias}.last_recognized_at`, zoneOf('$1::bigint'));
}
