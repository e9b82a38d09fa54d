import { type Queryable, queryOne } from '../../ground/database/database.ts';

const isDay = /^[^T]+$/;

/** The moments between which a list's filters ask, as text. A day, as 2026-11-02, begins and ends in the workspace's time zone. */
export function readMoments(
  on: Queryable,
  workspaceId: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<{ from: string; to: string }> {
  const day = (text: string | undefined) => (text !== undefined && isDay.test(text) ? text : null);
  const moment = (text: string | undefined) => (text !== undefined && !isDay.test(text) ? text : null);
  return queryOne<{ from: string; to: string }>(
    on,
    `select coalesce($3::timestamptz, $2::date::timestamp at time zone time_zone, '-infinity')::text      as "from",
            coalesce($5::timestamptz, ($4::date + 1)::timestamp at time zone time_zone, 'infinity')::text as "to"
       from workspaces
      where id = $1`,
    [workspaceId, day(from), moment(from), day(to), moment(to)],
  );
}
