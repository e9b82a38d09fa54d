import type { NotRecognized, NotRecognizedPage, NotRecognizedQuery } from '../contract/coverage.ts';
import { type Database, type Queryable, queryOne } from '../database/database.ts';
import { filterConditions } from '../directory/filter.ts';
import { isSurvivor } from '../directory/who.ts';
import { type Page, pageFields } from '../values/page.ts';
import { personSql } from './fairness.ts';
import { type Rows, readPieces } from './pieces.ts';
import { addDays, endOf, isSeen, type Reader, readToday, wasHere } from './span.ts';

const usualDays = 90;

type Filters = Omit<NotRecognizedQuery, 'page' | 'size' | 'bom'>;

/** The people who were not recognized lately: those never recognized first, then those whose last recognition is longest ago. */
export async function readNotRecognized(
  on: Queryable,
  reader: Reader,
  filters: Filters,
  page: Page,
): Promise<NotRecognizedPage> {
  const { since, asOf, sql, values } = await searchOf(on, reader, filters);
  const slice = `offset $${values.push(page.page * page.size)}::bigint limit $${values.push(page.size)}::bigint`;
  const { total, members } = await queryOne<{ total: number; members: NotRecognized[] }>(
    on,
    `with forgotten as (${sql})
     select (select count(*) from forgotten) as total,
            (select coalesce(json_agg(${record} order by page.day nulls first, page.id), '[]')
               from (select * from forgotten order by ${order} ${slice}) page
               ${joins}) as members`,
    values,
    'once',
  );
  return { since, asOf, ...pageFields(page, total), members };
}

/**
 * All of them as rows. Who is listed, in which order and with which date, is that of one moment; names and other columns are
 * those of the moment at which a member's row is read.
 */
export async function* streamNotRecognized(database: Database, reader: Reader, filters: Filters): AsyncGenerator<Rows> {
  const { sql, values } = await searchOf(database, reader, filters);
  const pieces: [string, string, string][] = [];
  for await (const rows of database.stream<Found>(`${sql} order by ${order}`, values, membersAtOnce))
    pieces.push([arrayOf(rows, 'id'), arrayOf(rows, 'day'), arrayOf(rows, 'number')]);
  yield* readPieces(pieces.length > 0 ? pieces : [['{}', '{}', '{}']], async (arrays) => {
    const rows = await database.query<{ record: NotRecognized }>(pieceSql, [reader.workspaceId, ...arrays]);
    return rows.map((row) => notRecognizedLine(row.record));
  });
}

const membersAtOnce = 1_000;

interface Found {
  id: number;
  day: string | null;
  number: number | null;
}

/** One column as the text of a PostgreSQL array, which takes less memory than the values. */
function arrayOf(rows: readonly Found[], column: keyof Found): string {
  return `{${rows.map((row) => row[column] ?? 'null').join(',')}}`;
}

/** The statement that finds the people: id, day and number of their last recognition. */
async function searchOf(on: Queryable, { workspaceId, onlyReportsOf }: Reader, filters: Filters) {
  const { since: asked, asOf: askedOn, never, team, ...others } = filters;
  const today = await readToday(on, workspaceId);
  const asOf = askedOn ?? today;
  const since = asked ?? addDays(asOf, 1 - usualDays);
  const values: unknown[] = [workspaceId, endOf(asOf), onlyReportsOf];
  const conditions = await filterConditions(on, workspaceId, { ...others, includeInactive: true }, values);
  if (team !== undefined) conditions.push(teamCondition(`$${values.push(team)}`));
  conditions.push(never ? 'last.day is null' : `(last.day is null or last.day < $${values.push(since)}::date)`);
  // Nothing was given after today, so the records say it all.
  const last = asOf >= today ? lastOfNow : lastUntil(`$${values.push(asOf)}::date`);
  const sql = `
    select m.id, last.day, last.number
      from members m
     cross join lateral (${last}) last
     where ${['m.workspace_id = $1', wasHere('m', '$2::timestamptz'), isSeen('m', '$3'), ...conditions].join(' and ')}`;
  return { since, asOf, sql, values };
}

export const notRecognizedColumns = [
  'id',
  'email',
  'firstName',
  'lastName',
  'lastDate',
  'type',
  'department',
  'team',
  'location',
  'costCentre',
  'managerId',
  'managerEmail',
];

/** A line of the CSV file. */
function notRecognizedLine({ member, manager, ...fields }: NotRecognized): Record<string, unknown> {
  return { ...member, ...fields, managerId: manager?.id, managerEmail: manager?.email };
}

const teamCondition = (name: string) =>
  `m.team_id in (select t.id from teams t where t.workspace_id = $1 and lower(t.name) = lower(${name}))`;

/** The last recognition that a member's record has: of now. */
const lastOfNow = `select m.last_recognized_on as day, m.last_recognized_number as number`;

/** The last number that was given until the moment $2: numbers and times grow together. */
const lastNumber = `
  (select max(number)
     from activities
    where workspace_id = $1
      and created_on = (select max(created_on) from activities where workspace_id = $1 and created_on < $2::timestamptz))`;

/**
 * The last recognition until a day, which ends at the moment $2. It is looked up only for those who were recognized later too: for the
 * others it is the one that the record has. Those of merged records count.
 */
const lastUntil = (day: string) => `
  select coalesce((found.created_on at time zone 'utc')::date, kept.day) as day, coalesce(found.number, kept.number) as number
    from (select case when m.last_recognized_on <= ${day} then m.last_recognized_on end     as day,
                 case when m.last_recognized_on <= ${day} then m.last_recognized_number end as number) kept
    left join lateral (
           select a.number, a.created_on
             from (select m.id
                    union all
                   select r.id from members r where r.workspace_id = $1 and r.merged_into = m.id) record
            cross join lateral (
                    select number, created_on
                      from activities
                     where workspace_id = $1
                       and receiver_id = record.id
                       and status = 'APPROVED'
                       and number <= ${lastNumber}
                     order by number desc
                     limit 1) a
            where m.last_recognized_on > ${day}
            order by a.number desc
            limit 1) found on true`;

const order = 'day nulls first, id';

const record = `
  json_build_object(
    'member', ${personSql('m')},
    'department', m.department,
    'team', t.name,
    'location', m.location,
    'costCentre', m.cost_centre,
    'manager', case when manager.id is not null then ${personSql('manager')} end,
    'lastDate', page.day,
    'type', a.type)`;

const joins = `
  join members m            on m.workspace_id = $1 and m.id = page.id
  join teams t              on t.workspace_id = $1 and t.id = m.team_id
  left join members manager on manager.workspace_id = $1 and manager.id = m.manager_id
  left join activities a    on a.workspace_id = $1 and a.number = page.number`;

// A record that was merged since then is left out; the record that it was merged into is listed if it was before.
const pieceSql = `
  select ${record} as record
    from unnest($2::bigint[], $3::date[], $4::bigint[]) with ordinality as page (id, day, number, nth)
    ${joins}
   where ${isSurvivor('m')}
   order by page.nth`;
