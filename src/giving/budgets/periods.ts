/**
 * The beginning of the period after the one that begins at a moment, in the time zone of the workspace `w`, as an SQL expression. A workspace may have moved since
 * the moment was computed: a beginning in one time zone is up to 26 hours away from the same beginning in another, and still means that period.
 */
export function nextPeriod(moment: string, every: string): string {
  return `(date_trunc(lower(${every}), (${moment} at time zone w.time_zone) + interval '26 hours') + ('1 ' || ${every})::interval)`;
}

/** A period for people, 2026-11 or 2026, as an SQL expression. */
export function periodName(beginning: string, every: string): string {
  return `to_char(${beginning}, case ${every} when 'MONTH' then 'YYYY-MM' else 'YYYY' end)`;
}
