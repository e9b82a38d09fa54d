import type { Member, MemberPage, MemberQuery } from '../../ground/contract/member.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { apiName, memberFields, openFields } from '../../ground/values/member.ts';
import { pageFields } from '../../ground/values/page.ts';
import { customOf } from './custom-fields.ts';
import { filterConditions } from './filter.ts';
import { lastRecognizedOn } from './last-recognition.ts';
import { shownFirstName, shownLastName } from './names.ts';
import { checkFilters, type RecordReader, readableBy } from './readers.ts';
import { isReportOf } from './reporting-line.ts';
import { hasWords, wordsOf } from './search.ts';
import { isHere, isPerson, isUser, leftOn, survivorOf } from './who.ts';

/** Of the people who match a search or a filter this many are counted: a search for one letter matches nearly all people. */
const mostCounted = 1_000;

/** A page of the workspace's people, ordered by id, as this reader may see them. For a manager, of the people below them. */
export async function listMembers(
  database: Queryable,
  workspaceId: number,
  { page, size, search, ...filters }: MemberQuery,
  reader: RecordReader,
): Promise<MemberPage> {
  checkFilters(reader, filters);
  const { onlyReportsOf } = reader;
  const values: unknown[] = [workspaceId, page * size, size];
  const conditions = await filterConditions(database, workspaceId, filters, values, true);
  const words = wordsOf(search);
  if (words.length > 0)
    conditions.push(`
    m.id in (select t.member_id from member_texts t
              where t.workspace_id = $1 and ${hasWords(words, (value) => `$${values.push(value)}`)})`);
  if (onlyReportsOf !== null) conditions.push(isReportOf('$1', `$${values.push(onlyReportsOf)}`, 'm.id'));
  const isFiltered = conditions.length > 0;
  // One more than the page needs, so that the total always says whether another page follows.
  const mostRead = isFiltered ? Math.max(mostCounted, (page + 1) * size) + 1 : Number.POSITIVE_INFINITY;
  const sql = pageSql(conditions, filters.includeInactive, mostRead);
  const [row] = await database.query<{ total: number; members: Member[] }>(
    sql,
    values,
    isFiltered ? 'once' : 'prepared',
  );
  const { total, members: found } = row ?? { total: 0, members: [] };
  const members = found.map((member) => readableBy(reader, member));
  return { ...pageFields({ page, size }, total), ...(total === mostRead && { totalIsMinimum: true }), members };
}

/** One member, as this reader may see them; the id of a merged record resolves to the surviving record. */
export async function readMember(
  database: Queryable,
  workspaceId: number,
  id: number,
  reader: RecordReader,
): Promise<Member | null> {
  const row = await queryOptional<{ record: Member }>(database, oneSql, [workspaceId, id]);
  return row ? readableBy(reader, row.record) : null;
}

const record = `
  json_build_object(
    'id', m.id,
    ${openFields.map((name) => `'${apiName(name)}', m.${memberFields[name].column}`).join(', ')},
    'custom', coalesce(${customOf('m')}, '{}'),
    'manager', case when manager.id is not null then json_build_object(
      'id', manager.id, 'email', manager.email, 'firstName', ${shownFirstName('manager')}, 'lastName', ${shownLastName('manager')}) end,
    'team', json_build_object('id', team.id, 'name', team.name),
    'active', ${isHere('m')},
    'leftOn', ${leftOn('m')},
    'recognitions', m.recognition_count,
    'lastRecognizedOn', ${lastRecognizedOn('m')},
    'lastRecognizedBy', m.last_recognized_by,
    'provisioned', m.user_name is not null and ${isUser('m')})`;

const joins = `
  join teams team           on team.workspace_id = m.workspace_id and team.id = m.team_id
  left join members manager on manager.workspace_id = m.workspace_id and manager.id = m.manager_id`;

const oneSql = `
  select ${record} as record
    from members asked
    join members m on m.workspace_id = asked.workspace_id and m.id = ${survivorOf('asked')}
    ${joins}
   where asked.workspace_id = $1
     and asked.id = $2
     and not m.is_integration`;

/**
 * The total without filters is the sum of the counts by day. With filters, matches are read in the order of ids until there are `mostRead`:
 * these are counted, and the page is one part of them.
 */
function pageSql(conditions: readonly string[], withLeavers: boolean, mostRead: number): string {
  const where = ['m.workspace_id = $1', isPerson('m'), ...(withLeavers ? [] : [isHere('m')]), ...conditions].join(
    ' and ',
  );
  const found = `select m.id from members m where ${where}`;
  const page = (from: string) => `
           (select coalesce(json_agg(${record} order by m.id), '[]')
              from (${from} order by id offset $2::bigint limit $3::bigint) page
              join members m on m.workspace_id = $1 and m.id = page.id
              ${joins}) as members`;
  if (conditions.length > 0)
    return `
    with found as materialized (${found} order by m.id limit ${mostRead})
    select (select count(*) from found) as total, ${page('select id from found')}`;
  return `
    select (select coalesce(sum(${withLeavers ? 'members + leavers' : 'members'}), 0)::bigint
              from recognition_days where workspace_id = $1) as total, ${page(found)}`;
}
