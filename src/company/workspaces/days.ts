import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { timeOf } from './lock.ts';
import { noWorkspace } from './workspaces.ts';

/** The time zone of a workspace, as an SQL expression. PostgreSQL reads it once for a statement if the id does not depend on the row. */
export function zoneOf(workspaceId: string): string {
  return `(select zone.time_zone from workspaces zone where zone.id = ${workspaceId})`;
}

/** The day of a moment in a time zone, as an SQL expression. */
export function dayIn(moment: string, zone: string): string {
  return `(${moment} at time zone ${zone})::date`;
}

/** The day that it is in the workspace. */
export async function readToday(on: Queryable, workspaceId: number): Promise<string> {
  const row = await queryOptional<{ today: string }>(
    on,
    `select ${dayIn(timeOf('a'), zoneOf('$1'))} as today from activity_counters a where workspace_id = $1`,
    [workspaceId],
  );
  if (!row) throw noWorkspace(workspaceId);
  return row.today;
}

/**
 * The first moment of a day in a time zone, as an SQL expression. Where clocks go back at one o'clock, midnight comes twice, and
 * PostgreSQL takes the second one: a day begins with the first.
 */
export function startOfDay(day: string, zone: string): string {
  const midnight = `(${day})::timestamp`;
  const moment = `(${midnight} at time zone ${zone})`;
  const anHourBefore = `(${moment} - interval '1 hour')`;
  return `(case when ${anHourBefore} at time zone ${zone} = ${midnight} then ${anHourBefore} else ${moment} end)`;
}

/** The moment at which a day has ended in a time zone, as an SQL expression. */
export function endOfDay(day: string, zone: string): string {
  return startOfDay(`${day} + 1`, zone);
}

/** What a list's filters name: days, for example 2026-11-02, or moments. */
export interface Filters {
  from?: string | undefined;
  to?: string | undefined;
}

/** The moments between which filters ask, as text. A day begins and ends in the workspace's time zone. */
export function readMoments(
  on: Queryable,
  workspaceId: number,
  { from, to }: Filters,
): Promise<{ from: string; to: string }> {
  const moment = (text: string | undefined) => (dayOf(text) === null ? text || null : null);
  return queryOne<{ from: string; to: string }>(on, momentsSql, [
    workspaceId,
    dayOf(from),
    moment(from),
    dayOf(to),
    moment(to),
  ]);
}

/** The text of a filter if it names a day. */
export function dayOf(text: string | undefined): string | null {
  return text !== undefined && isDay.test(text) ? text : null;
}

const isDay = /^[^T]+$/;

const momentsSql = `
  select coalesce($3::timestamptz, ${startOfDay('$2::date', 'time_zone')}, '-infinity')::text as "from",
         coalesce($5::timestamptz, ${endOfDay('$4::date', 'time_zone')}, 'infinity')::text    as "to"
    from workspaces
   where id = $1`;
