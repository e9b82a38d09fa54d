import { columnsOf } from '../../company/directory/columns.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { isHere, isSurvivor } from '../../company/directory/who.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { cellEnd, csvBytes, rowEnd } from '../../ground/values/csv-bytes.ts';
import { memberFields, reportFields } from '../../ground/values/member.ts';
import type { Feed } from './feed.ts';
import type { Selection } from './last-recognized.ts';
import { textStatement } from './lines.ts';
import { begun } from './pieces.ts';

/** Members of the report whose rows are read later. Each is the text of a PostgreSQL array, which takes less memory than the values. */
export interface Listed {
  ids: string;
  dates: string;
  types: string;
}

/** The member after whom a piece begins. */
interface Place {
  date: string;
  id: number;
}

/** A piece of the report. `date` and `id` are those of its last member. */
interface Piece extends Place {
  rows: number;
  text: string | null;
}

const beginning: Place = { date: 'infinity', id: 0 };
const membersAtOnce = 2_000;
/** While more bytes of lines wait for the client, members are only listed. */
const mostWaitingBytes = 1_000_000;

/** Reads the whole report in one snapshot as fast as PostgreSQL can. Pieces are lines while the client keeps up, otherwise lists. */
export async function readSnapshot(
  tx: Queryable,
  workspaceId: number,
  selection: Selection,
  feed: Feed<Listed>,
): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
  await tx.query(joinTeamsByHashSql);
  const lines = linesAfter(selection);
  const list = listAfter(selection);
  const readList = (place: Place) =>
    queryOne<Piece & Listed>(tx, list, [workspaceId, place.date, place.id, membersAtOnce]);
  const readLines = (place: Place) =>
    queryOne<Piece>(tx, lines.sql, [workspaceId, place.date, place.id, membersAtOnce, cellEnd, rowEnd]);
  const read = (place: Place): Promise<Piece | (Piece & Listed)> =>
    begun(feed.waitingBytes < mostWaitingBytes ? readLines(place) : readList(place));
  let place = beginning;
  for (let reading = read(place); !feed.isLeft; ) {
    const piece = await reading;
    // PostgreSQL reads the next piece while this one becomes CSV.
    if (piece.rows === membersAtOnce) reading = read(piece);
    if ('ids' in piece) feed.push(piece);
    else feed.push(bytesOf(piece, lines.columns) ?? (await readList(place)));
    if (piece.rows < membersAtOnce) return;
    place = piece;
  }
}

/** Null if a text contains what ends cells or rows. */
function bytesOf({ text, rows }: Piece, columns: number): Buffer | null {
  return text === null ? Buffer.alloc(0) : csvBytes(text, rows, columns);
}

// The planner does not know how many teams this workspace has, and joins them row by row if workspaces usually have few.
const joinTeamsByHashSql = `select set_config('enable_hashjoin', 'on', true), set_config('enable_nestloop', 'off', true)`;

const order = 'm.last_recognized_on desc, m.id';
const lastPlace = [
  'min(m.last_recognized_on)::text as date',
  `(array_agg(m.id order by ${order}))[count(*)] as id`,
] as const;

/**
 * The members `m` who follow the place ($2, $3), at most $4 of them. Those of the same day and those of earlier days are found by an
 * index scan each, so that a piece of a day on which all people were recognized takes no longer than another.
 */
function following({ conditions }: Selection, columns: readonly string[]): string {
  const select = (where: string, limit: string) => `
      select ${columns.map((column) => `m.${column}`).join(', ')}
        from members m
       where m.workspace_id = $1
         and ${[...conditions, isSurvivor('m'), where].join(' and ')}
       order by ${order}
       limit ${limit}`;
  return `with same_day as materialized (${select('m.last_recognized_on = $2::date and m.id > $3::bigint', '$4::bigint')}
    ),
    earlier as (${select('m.last_recognized_on < $2::date', '$4::bigint - (select count(*) from same_day)')}
    ),
    m as (
      select * from same_day union all select * from earlier
    )`;
}

const listedColumns = ['id', 'last_recognized_on', 'last_recognized_by'];
const namingFields = ['email', 'firstName', 'lastName'] as const;
const textColumns = [...namingFields, 'preferredName' as const, ...reportFields].map(
  (name) => memberFields[name].column,
);

function listAfter(selection: Selection): string {
  const arrays = { ids: 'm.id', dates: 'm.last_recognized_on', types: 'm.last_recognized_by' };
  return `
    ${following(selection, listedColumns)}
    select ${['count(*) as rows', ...lastPlace].join(', ')},
           ${Object.entries(arrays).map(([name, column]) => `array_agg(${column} order by ${order})::text as ${name}`)}
      from m`;
}

function linesAfter(selection: Selection) {
  return textStatement(cellsOf('m.last_recognized_on', 'm.last_recognized_by'), {
    before: following(selection, [...listedColumns, ...textColumns, 'team_id', 'left_at']),
    beside: [...lastPlace],
    rest: 'from m left join teams t on t.workspace_id = $1 and t.id = m.team_id',
    order,
    parameters: 4,
  });
}

export const lastRecognizedColumns = [...namingFields, 'lastDate', 'type', ...reportFields, 'team', 'active'];

/** The cells of a row, of the member `m` in the team `t`. */
export function cellsOf(date: string, type: string): string[] {
  return [
    'm.email',
    shownFirstName('m'),
    shownLastName('m'),
    date,
    type,
    ...columnsOf('m', reportFields),
    't.name',
    isHere('m'),
  ];
}
