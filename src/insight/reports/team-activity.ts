import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { keptOutRecords, readKeptOut } from '../../company/directory/kept-out.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import {
  activityFields,
  activityJoins,
  activityMoment,
  activityText,
  manyActivityJoins,
  personOf,
} from '../../giving/recognition/activity.ts';
import { seesAllShoutouts, visibleTo } from '../../giving/recognition/visibility.ts';
import type { TeamActivityPage } from '../../ground/contract/report.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { neutral, neutralText } from '../../ground/values/personal.ts';
import { readLines, textStatement } from './lines.ts';
import type { Companies } from './memory/companies.ts';
import { findReceived } from './memory/count.ts';
import { piecesAhead, readPieces } from './pieces.ts';

interface Row {
  total: number;
  activities: TeamActivityPage['activities'];
}

type Activities = Pick<Row, 'activities'>;

/** A page of activities, newest first. Numbers are dense except for counted gaps, so the last page is as fast as the first. */
export async function readTeamActivity(
  database: Queryable,
  companies: Companies,
  reader: WorkspaceGrant,
  page: Page,
): Promise<TeamActivityPage> {
  const { workspaceId, memberId, onlyReportsOf } = reader;
  const begin = page.page * page.size;
  if (onlyReportsOf === null && seesAllShoutouts(reader)) {
    const [row] = await database.query<Row>(pageSql, [workspaceId, begin, page.size, memberId]);
    const { total, activities } = row ?? { total: 0, activities: [] };
    return { ...pageFields(page, total), activities: await withoutKeptOut(database, workspaceId, activities) };
  }
  // What a manager's reports received is found in memory: in the database gifts have no index by receiver. So is what is left without private shoutouts.
  const part = [begin, begin + page.size] as const;
  const { total, numbers } = await companies.ask(workspaceId, (company) => findReceived(company, reader, part));
  const { activities } = await queryOne<Activities>(database, numbersSql(reader), [workspaceId, numbers, memberId]);
  return { ...pageFields(page, total), activities: await withoutKeptOut(database, workspaceId, activities) };
}

/** Activities of people who are kept out of reports about individuals stay, so that the total does, without their names, their addresses and the text. */
async function withoutKeptOut(
  on: Queryable,
  workspaceId: number,
  activities: Row['activities'],
): Promise<Row['activities']> {
  const keptOut = await readKeptOut(on, workspaceId);
  if (keptOut.size === 0) return activities;
  const hidden = (person: Row['activities'][number]['sender']) =>
    keptOut.has(person.id) ? { ...person, email: '', firstName: '', lastName: '' } : person;
  return activities.map((one) =>
    keptOut.has(one.sender.id) || keptOut.has(one.receiver.id)
      ? { ...one, sender: hidden(one.sender), receiver: hidden(one.receiver), description: neutralText }
      : one,
  );
}

export const teamActivityColumns = [
  'status',
  'type',
  'createdOn',
  'senderId',
  'senderEmail',
  'senderFirstName',
  'senderLastName',
  'receiverId',
  'receiverEmail',
  'receiverFirstName',
  'receiverLastName',
  'description',
  'reason',
  'isPrivate',
  'team',
];

/**
 * The whole report as rows: each activity that exists at the beginning, once, newest first. A shoutout that is approved
 * meanwhile has either status; one that is declined meanwhile may be missing. Names are those of the moment of reading.
 */
export async function* streamTeamActivity(database: Queryable, reader: WorkspaceGrant): AsyncGenerator<Buffer> {
  const { workspaceId, memberId } = reader;
  const [counter] = await database.query<{ total: number }>(
    'select total from activity_counters where workspace_id = $1',
    [workspaceId],
  );
  const text = pieceText(reader);
  const read = ({ above, upTo }: Range) => readLines(database, text, [workspaceId, above, upTo, memberId]);
  yield* readPieces(rangesDown(counter?.total ?? 0), read, piecesAhead);
}

// Few enough that turning them into text does not block the event loop for long.
const numbersAtOnce = 500;

interface Range {
  above: number;
  upTo: number;
}

/** Ranges of activity numbers, the newest first. Without activities there is one empty range. */
function* rangesDown(total: number): Generator<Range> {
  for (let upTo = Math.max(total, 1); upTo > 0; upTo -= numbersAtOnce) yield { above: upTo - numbersAtOnce, upTo };
}

const pageSql = `
  select start.total,
         coalesce(listed.activities, '[]') as activities
    from find_activities($1, $2::bigint) start
   cross join lateral (
           select json_agg(json_build_object(${activityFields('$4')}) order by a.number desc) as activities
             from (select *
                     from activities
                    where workspace_id = $1
                      and number <= start.newest
                      and status <> 'DECLINED'
                    order by number desc
                   offset start.skipped
                    limit $3::bigint) a
             ${activityJoins}
         ) listed`;

// A shoutout that was declined since its number was found is left out.
const numbersSql = (reader: WorkspaceGrant) => `
  select coalesce(json_agg(json_build_object(${activityFields('$3')}) order by a.number desc), '[]') as activities
    from unnest($2::bigint[]) as page (number)
    join activities a on a.workspace_id = $1 and a.number = page.number and a.status <> 'DECLINED'
     and ${visibleTo(reader, 'a', '$3::bigint')}
    ${activityJoins}`;

/** Holds for a person who is kept out of reports about individuals. */
const isKeptOut = (m: string) => `${m}.id in (${keptOutRecords('$1')})`;
const unlessKeptOut = (of: (m: string) => string) => (m: string) =>
  `case when ${isKeptOut(m)} then '' else ${of(m)} end`;

const personColumns = [
  'id',
  unlessKeptOut((m) => `${m}.email`),
  unlessKeptOut(shownFirstName),
  unlessKeptOut(shownLastName),
];

const pieceColumns = [
  'a.status',
  'a.type',
  activityMoment,
  ...personColumns.map((column) => personOf('sender', column)),
  ...personColumns.map((column) => personOf('receiver', column)),
  `case when ${personOf('sender', isKeptOut)} or ${personOf('receiver', isKeptOut)} then ${neutral} else ${activityText} end`,
  'reason.description',
  'a.is_private',
  't.name',
];

const pieceText = (reader: WorkspaceGrant) =>
  textStatement(pieceColumns, {
    rest: `from activities a
         ${manyActivityJoins}
    left join teams t on t.workspace_id = $1 and t.id = ${personOf('receiver', 'team_id')}
   where a.workspace_id = $1
     and a.number > $2::bigint
     and a.number <= $3::bigint
     and a.status <> 'DECLINED'
     and $4::bigint is not null
     and ${visibleTo(reader, 'a', '$4::bigint')}`,
    order: 'a.number desc',
    parameters: 4,
  });
