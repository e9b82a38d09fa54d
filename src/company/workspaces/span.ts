import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import { dayOf, endOfDay, type Filters, startOfDay } from './days.ts';
import { timeOf } from './lock.ts';

/** The orders between two times, by their ids, which begin with the time. */
export interface Span {
  /** The workspace's time now, as text. */
  moment: string;
  /** The smallest id that belongs to it. */
  first: string;
  /** The smallest id behind it. */
  end: string;
}

export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Reads the span of a list's filters. A day, for example 2026-11-02, begins and ends in the workspace's time zone. */
export async function readSpan(on: Queryable, workspaceId: number, { from, to }: Filters): Promise<Span> {
  const { moment, fromMs, toMs } = await queryOne<{ moment: string; fromMs: number | null; toMs: number | null }>(
    on,
    spanSql,
    [workspaceId, dayOf(from), dayOf(to)],
  );
  return {
    moment,
    first: from === undefined ? firstUuidAt(0) : firstUuidAt(fromMs ?? Date.parse(from)),
    end: to === undefined ? lastUuid : firstUuidAt(toMs ?? Date.parse(to)),
  };
}

const spanSql = `
  select ${timeOf('a')}::text as moment,
         extract(epoch from ${startOfDay('$2::date', 'w.time_zone')}) * 1000 as "fromMs",
         extract(epoch from ${endOfDay('$3::date', 'w.time_zone')}) * 1000   as "toMs"
    from activity_counters a
    join workspaces w on w.id = a.workspace_id
   where a.workspace_id = $1`;
