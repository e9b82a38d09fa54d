import { filterConditions } from '../../company/directory/filter.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { isHere, isPerson } from '../../company/directory/who.ts';
import type { LastRecognizedPage, LastRecognizedQuery } from '../../ground/contract/report.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';

export type LastRecognizedFilters = Omit<LastRecognizedQuery, 'page' | 'size' | 'bom'>;

interface Row {
  total: number;
  members: LastRecognizedPage['teamMembers'];
}

/** Members by the day of their last recognition, the latest first; or those who were never recognized. */
export async function readLastRecognized(
  database: Queryable,
  workspaceId: number,
  filters: LastRecognizedFilters,
  page: Page,
): Promise<LastRecognizedPage> {
  const values: unknown[] = [workspaceId, page.page * page.size, page.size];
  const conditions = await filterConditions(database, workspaceId, filters, values);
  const use = conditions.length > 0 ? 'once' : 'prepared';
  const [row] = await database.query<Row>(pageSql(selectionOf(filters), conditions), values, use);
  const { total, members } = row ?? { total: 0, members: [] };
  return { ...pageFields(page, total), teamMembers: members };
}

/** Which members a report lists, and in which order. */
export interface Selection {
  never: boolean;
  /** The number of selected members of a day, as an expression on `recognition_days`. */
  counted: string;
  conditions: string[];
  order: string;
}

export function selectionOf({ neverRecognized, includeInactive }: LastRecognizedFilters): Selection {
  const never = neverRecognized;
  const withLeavers = includeInactive;
  return {
    never,
    counted: withLeavers ? 'members + leavers' : 'members',
    conditions: [
      ...(never ? ['m.last_recognized_on is null', isPerson('m')] : ['m.last_recognized_on is not null']),
      ...(withLeavers ? [] : [isHere('m')]),
    ],
    order: never ? 'm.id' : 'm.last_recognized_on desc, m.id',
  };
}

const records = (order: string) => `
  coalesce(json_agg(json_build_object(
    'teamMember', json_build_object(
      'email', coalesce(m.email, ''), 'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}),
    'lastDate', m.last_recognized_on,
    'type', m.last_recognized_by) order by ${order}), '[]')`;

function pageSql(selection: Selection, filters: readonly string[]): string {
  if (filters.length === 0 && !selection.never) return byDaySql(selection);
  const { counted, conditions, order } = selection;
  const where = ['m.workspace_id = $1', ...conditions, ...filters].join(' and ');
  const total =
    filters.length > 0
      ? `select count(*) from members m where ${where}`
      : `select coalesce(sum(${counted}), 0)::bigint from recognition_days where workspace_id = $1 and day = '-infinity'`;
  // The subquery finds the page's ids by an index-only scan; only these members' rows are read.
  return `
    select (${total}) as total,
           (select ${records(order)}
              from (select m.id from members m where ${where} order by ${order} offset $2::bigint limit $3::bigint) page
              join members m on m.workspace_id = $1 and m.id = page.id
           ) as members`;
}

/** Skips whole days by their counts, then the remaining members within the day on which the page begins. */
function byDaySql({ counted, conditions, order }: Selection): string {
  return `
    with days as (
      select day, ${counted} as members, sum(${counted}) over (order by day desc) - (${counted}) as members_before
        from recognition_days
       where workspace_id = $1
         and isfinite(day)
         and ${counted} > 0
    ),
    start as (
      select day, $2::bigint - members_before as skipped
        from days
       where members_before + members > $2::bigint
       order by day desc
       limit 1
    )
    select (select coalesce(sum(members), 0) from days)::bigint as total,
           (select ${records(order)}
              from start
             cross join lateral (
                     select m.id
                       from members m
                      where m.workspace_id = $1
                        and m.last_recognized_on <= start.day
                        and ${conditions.join(' and ')}
                      order by ${order}
                     offset start.skipped
                      limit $3::bigint
                   ) page
              join members m on m.workspace_id = $1 and m.id = page.id
           ) as members`;
}
