import type { NotRecognized, NotRecognizedPage, NotRecognizedQuery } from '../contract/coverage.ts';
import { type Database, type Queryable, queryOne } from '../database/database.ts';
import { filterConditions } from '../directory/filter.ts';
import { isSurvivor, survivorOf, survivorOr } from '../directory/who.ts';
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
    pieces.push([arrayOf(rows, 'id'), arrayOf(rows, 'day'), arrayOf(rows, 'type')]);
  yield* readPieces(pieces.length > 0 ? pieces : [['{}', '{}', '{}']], async (arrays) => {
    const rows = await database.query<{ record: NotRecognized }>(pieceSql, [reader.workspaceId, ...arrays]);
    return rows.map((row) => notRecognizedLine(row.record));
  });
}

const membersAtOnce = 1_000;

interface Found {
  id: number;
  day: string | null;
  type: string | null;
}

/** One column as the text of a PostgreSQL array, which takes less memory than the values. */
function arrayOf(rows: readonly Found[], column: keyof Found): string {
  return `{${rows.map((row) => row[column] ?? 'null').join(',')}}`;
}

/** The statement that finds the people: id, day and type of their last recognition. */
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
  const sql = `
    select m.id, last.day, last.type
      from members m
      ${asOf >= today ? lastOfNow : lastUntil}
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

/** The type of what a member received last at a moment. */
function latestAt(moment: string): string {
  return `(select a.type
             from activities a
             join members record on record.workspace_id = $1 and record.id = a.receiver_id
            where a.workspace_id = $1
              and a.created_on = ${moment}
              and a.status = 'APPROVED'
              and ${survivorOf('record')} = m.id
            order by a.number desc
            limit 1)`;
}

const teamCondition = (name: string) =>
  `m.team_id in (select t.id from teams t where t.workspace_id = $1 and lower(t.name) = lower(${name}))`;

/** The last recognition that a member's record has: of now. */
const lastOfNow = `cross join lateral (select m.last_recognized_on as day, m.last_recognized_by as type) last`;

/**
 * The last recognition until the moment $2, counted for everybody at once from an index alone. Looking up each person would take a
 * read of the table for each: activities have no index by receiver (migration 0013). Those of merged records count.
 */
const lastUntil = `
  left join (
    select ${survivorOr('merged', 'a.receiver_id')} as member_id,
           max(a.created_on) filter (where a.type = 'GIFT')     as gift,
           max(a.created_on) filter (where a.type = 'SHOUTOUT') as shoutout
      from activities a
      left join members merged on merged.workspace_id = $1 and merged.id = a.receiver_id and not (${isSurvivor('merged')})
     where a.workspace_id = $1
       and a.created_on < $2::timestamptz
       and a.status = 'APPROVED'
     group by 1) until on until.member_id = m.id
  cross join lateral (
    select (greatest(gift, shoutout) at time zone 'utc')::date as day,
           case when gift = shoutout then ${latestAt('gift')}
                when shoutout is null or gift > shoutout then 'GIFT'
                when gift is null or shoutout > gift then 'SHOUTOUT' end as type) last`;

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
    'type', page.type)`;

const joins = `
  join members m            on m.workspace_id = $1 and m.id = page.id
  join teams t              on t.workspace_id = $1 and t.id = m.team_id
  left join members manager on manager.workspace_id = $1 and manager.id = m.manager_id`;

// A record that was merged since then is left out; the record that it was merged into is listed if it was before.
const pieceSql = `
  select ${record} as record
    from unnest($2::bigint[], $3::date[], $4::text[]) with ordinality as page (id, day, type, nth)
    ${joins}
   where ${isSurvivor('m')}
   order by page.nth`;
