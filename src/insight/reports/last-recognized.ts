import { filterConditions } from '../../company/directory/filter.ts';
import { keptOutRecords, readKeptOut } from '../../company/directory/kept-out.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { isHere, isPerson, survivorOf } from '../../company/directory/who.ts';
import { type ActivityReader, seesAllShoutouts, visibleTo } from '../../giving/recognition/visibility.ts';
import type { LastRecognizedPage, LastRecognizedQuery } from '../../ground/contract/report.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';

export type LastRecognizedFilters = Omit<LastRecognizedQuery, 'page' | 'size' | 'bom'>;

interface Row {
  total: number;
  members: LastRecognizedPage['teamMembers'];
}

/** Members by the day of their last recognition that the reader may see, the latest first; or those who were never recognized. */
export async function readLastRecognized(
  database: Queryable,
  reader: ActivityReader,
  filters: LastRecognizedFilters,
  page: Page,
): Promise<LastRecognizedPage> {
  const { workspaceId } = reader;
  const values: unknown[] = [workspaceId, page.page * page.size, page.size];
  const conditions = await individualConditions(database, workspaceId, filters, values);
  const use = conditions.length > 0 ? 'once' : 'prepared';
  const sql = seesAllShoutouts(reader)
    ? pageSql(selectionOf(filters), conditions)
    : seenPageSql(seenMembers(reader, filters, conditions, `$${values.push(reader.memberId)}::bigint`));
  const [row] = await database.query<Row>(sql, values, use);
  const { total, members } = row ?? { total: 0, members: [] };
  return { ...pageFields(page, total), teamMembers: members };
}

/** The conditions of the filters, and that a person is not kept out of reports about individuals: only if someone is, because a report without conditions is faster. */
export async function individualConditions(
  on: Queryable,
  workspaceId: number,
  filters: LastRecognizedFilters,
  values: unknown[],
): Promise<string[]> {
  const conditions = await filterConditions(on, workspaceId, filters, values);
  const keptOut = await readKeptOut(on, workspaceId);
  return keptOut.size === 0 ? conditions : [...conditions, `m.id not in (${keptOutRecords('$1')})`];
}

/** Which members a report lists, and in which order. */
export interface Selection {
  never: boolean;
  /** The number of selected members of a day, as an expression on `recognition_days`. */
  counted: string;
  conditions: string[];
  /** Those of the conditions that say nothing about recognition. */
  people: string[];
  order: string;
}

export function selectionOf({ neverRecognized, includeInactive }: LastRecognizedFilters): Selection {
  const never = neverRecognized;
  const withLeavers = includeInactive;
  const people = [...(never ? [isPerson('m')] : []), ...(withLeavers ? [] : [isHere('m')])];
  return {
    never,
    counted: withLeavers ? 'members + leavers' : 'members',
    conditions: [never ? 'm.last_recognized_on is null' : 'm.last_recognized_on is not null', ...people],
    people,
    order: never ? 'm.id' : 'm.last_recognized_on desc, m.id',
  };
}

/** The members of the report for a reader who may not see every private shoutout: read from all activities, because the columns of members count those too. */
export function seenMembers(
  reader: ActivityReader,
  filters: LastRecognizedFilters,
  conditions: readonly string[],
  memberId: string,
): string {
  const { never, people } = selectionOf(filters);
  const recognized = never ? 'last.number is null' : 'last.number is not null';
  const where = ['m.workspace_id = $1', recognized, ...people, ...conditions];
  return `
    select m.id, (a.created_on at time zone 'utc')::date as day, a.type
      from members m
      left join (select ${survivorOf('received_as')} as member_id, max(a.number) as number
                   from activities a
                   join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
                  where a.workspace_id = $1
                    and a.status = 'APPROVED'
                    and ${visibleTo(reader, 'a', memberId)}
                  group by 1) last on last.member_id = m.id
      left join activities a on a.workspace_id = m.workspace_id and a.number = last.number
     where ${where.join(' and ')}`;
}

/** The order of the report, of the rows of `seenMembers`. */
export const seenOrder = 'day desc nulls last, id';

function seenPageSql(members: string): string {
  const record = recordOf('page.day', 'page.type');
  return `
    with found as materialized (${members})
    select (select count(*) from found) as total,
           (select coalesce(json_agg(${record} order by page.day desc nulls last, page.id), '[]')
              from (select * from found order by ${seenOrder} offset $2::bigint limit $3::bigint) page
              join members m on m.workspace_id = $1 and m.id = page.id) as members`;
}

const recordOf = (date: string, type: string) => `
  json_build_object(
    'teamMember', json_build_object(
      'email', coalesce(m.email, ''), 'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}),
    'lastDate', ${date},
    'type', ${type})`;

const records = (order: string) => `
  coalesce(json_agg(${recordOf('m.last_recognized_on', 'm.last_recognized_by')} order by ${order}), '[]')`;

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
