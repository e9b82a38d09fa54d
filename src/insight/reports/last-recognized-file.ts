import { isSurvivor } from '../../company/directory/who.ts';
import { type ActivityReader, seesAllShoutouts } from '../../giving/recognition/visibility.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { Feed } from './feed.ts';
import {
  individualConditions,
  type LastRecognizedFilters,
  type Selection,
  seenMembers,
  seenOrder,
  selectionOf,
} from './last-recognized.ts';
import { cellsOf, type Listed, readSnapshot } from './last-recognized-snapshot.ts';
import { readLines, textStatement } from './lines.ts';
import { piecesAhead, readPieces } from './pieces.ts';

/**
 * The whole report as lines. Ids, order, dates and types are those of one moment; names and the other columns are those of that
 * moment, or of the moment at which a member's row is read.
 *
 * Members move to the front when they are recognized, so reading page after page could miss some or list them twice. The members
 * are therefore read in one snapshot, which never waits for the client. Of those for whom the client is not ready yet, only ids,
 * dates and types are kept, 25 bytes a member, and their rows are read again when the client has come so far.
 */
export async function* streamLastRecognized(
  database: Database,
  reader: ActivityReader,
  filters: LastRecognizedFilters,
): AsyncGenerator<Buffer> {
  const { workspaceId } = reader;
  const values: unknown[] = [workspaceId];
  const conditions = await individualConditions(database, workspaceId, filters, values);
  const selection = selectionOf(filters);
  const seesAll = seesAllShoutouts(reader);
  const isWhole = conditions.length === 0 && !selection.never && seesAll;
  const sql = seesAll
    ? momentSql(selection, conditions)
    : seenMomentSql(seenMembers(reader, filters, conditions, `$${values.push(reader.memberId)}::bigint`));
  const pieces = isWhole ? feedFrom(database, workspaceId, selection) : await readList(database, sql, values);
  const read = async (piece: Buffer | Listed) =>
    Buffer.isBuffer(piece) ? piece : readListed(database, workspaceId, piece);
  yield* readPieces<Buffer | Listed, Buffer>(pieces, read, piecesAhead);
}

function feedFrom(database: Database, workspaceId: number, selection: Selection): Feed<Listed> {
  const feed = new Feed<Listed>();
  feed.endWith(database.transaction((tx) => readSnapshot(tx, workspaceId, selection, feed)));
  return feed;
}

/** For a report with filters: which index finds the members depends on them, so they are listed with one statement. */
async function readList(database: Database, sql: string, values: readonly unknown[]): Promise<Listed[]> {
  const pieces: Listed[] = [];
  for await (const rows of database.stream<Moment>(sql, values, membersAtOnce)) pieces.push(arraysOf(rows));
  return pieces;
}

const membersAtOnce = 1_000;

/** Id, date and type of a member, as one text: a row of one column is read faster. */
interface Moment {
  listed: string;
}

function arraysOf(rows: readonly Moment[]): Listed {
  const [ids, dates, types] = [[] as string[], [] as string[], [] as string[]];
  for (const { listed } of rows) {
    const [id = '', date = '', type = ''] = listed.split(' ');
    ids.push(id);
    dates.push(date);
    types.push(type);
  }
  const arrayOf = (values: readonly string[]) => `{${values.map((value) => value || 'null').join(',')}}`;
  return { ids: arrayOf(ids), dates: arrayOf(dates), types: arrayOf(types) };
}

function momentSql({ conditions, order }: Selection, filters: readonly string[]): string {
  const where = ['m.workspace_id = $1', ...conditions, ...filters].join(' and ');
  return `
    select concat_ws(' ', m.id, m.last_recognized_on, m.last_recognized_by) as listed
      from members m
     where ${where}
     order by ${order}`;
}

const seenMomentSql = (members: string) => `
    select concat_ws(' ', id, day, type) as listed
      from (${members}) found
     order by ${seenOrder}`;

function readListed(database: Queryable, workspaceId: number, { ids, dates, types }: Listed): Promise<Buffer> {
  return readLines(database, listedText, [workspaceId, ids, dates, types]);
}

// A record that was merged since then is left out; the record that it was merged into is listed if it was before.
const listedText = textStatement(cellsOf('listed.last_date', 'listed.type'), {
  rest: `from unnest($2::bigint[], $3::date[], $4::text[]) with ordinality as listed (id, last_date, type, nth)
    join members m on m.workspace_id = $1 and m.id = listed.id
    left join teams t on t.workspace_id = $1 and t.id = m.team_id
   where ${isSurvivor('m')}`,
  order: 'listed.nth',
  parameters: 4,
});
