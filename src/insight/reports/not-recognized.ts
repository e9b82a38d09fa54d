import { readKeptOut } from '../../company/directory/kept-out.ts';
import { isSurvivor } from '../../company/directory/who.ts';
import { readToday } from '../../company/workspaces/days.ts';
import type { NotRecognized, NotRecognizedPage, NotRecognizedQuery } from '../../ground/contract/coverage.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { groupFields, memberFields } from '../../ground/values/member.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { readChosen } from './chosen.ts';
import { personSql } from './fairness.ts';
import type { Companies } from './memory/companies.ts';
import { findUnrecognized, type LastRecognition } from './memory/unrecognized.ts';
import { type Rows, readPieces } from './pieces.ts';
import { arrayOf, type Reader } from './span.ts';

const usualDays = 90;

type Filters = Omit<NotRecognizedQuery, 'page' | 'size' | 'bom'>;

/** The people who were not recognized lately: those never recognized first, then those whose last recognition is longest ago. */
export async function readNotRecognized(
  on: Queryable,
  companies: Companies,
  reader: Reader,
  filters: Filters,
  page: Page,
): Promise<NotRecognizedPage> {
  const { since, asOf, total, found, others } = await findForgotten(on, companies, reader, filters, page);
  return { since, asOf, ...pageFields(page, total), others, members: await readRecords(on, reader, found) };
}

/**
 * All of them as rows. Who is listed, in which order and with which date, is that of one moment; names and other columns are
 * those of the moment at which a member's row is read.
 */
export async function* streamNotRecognized(
  on: Queryable,
  companies: Companies,
  reader: Reader,
  filters: Filters,
): AsyncGenerator<Rows> {
  const { found } = await findForgotten(on, companies, reader, filters, allPeople);
  const pieces = [found.slice(0, membersAtOnce)];
  for (let first = membersAtOnce; first < found.length; first += membersAtOnce)
    pieces.push(found.slice(first, first + membersAtOnce));
  yield* readPieces(pieces, async (piece) => (await readRecords(on, reader, piece)).map(notRecognizedLine));
}

const membersAtOnce = 1_000;
const allPeople = { page: 0, size: 2 ** 31 };

async function findForgotten(
  on: Queryable,
  companies: Companies,
  reader: Reader,
  { since: asked, asOf: askedOn, never, ...people }: Filters,
  { page, size }: Page,
) {
  const { workspaceId } = reader;
  const asOf = askedOn ?? (await readToday(on, workspaceId));
  const since = asked ?? addDays(asOf, 1 - usualDays);
  const chosen = await readChosen(on, workspaceId, people);
  const except = await readKeptOut(on, workspaceId);
  const search = { asOf, since: never ? null : since, chosen, except };
  const part = [page * size, (page + 1) * size] as const;
  const { total, found, others } = await companies.ask(workspaceId, (company) =>
    findUnrecognized(company, reader, search, part),
  );
  return { since, asOf, total, found, others };
}

async function readRecords(on: Queryable, { workspaceId }: Reader, found: LastRecognition[]): Promise<NotRecognized[]> {
  const arrays = (['id', 'day', 'type'] as const).map((column) => arrayOf(found, column));
  const rows = await on.query<{ record: NotRecognized }>(recordsSql, [workspaceId, ...arrays]);
  return rows.map(({ record }) => record);
}

/** The file has the location before other groups. */
const laterGroups = ['location', ...groupFields.filter((name) => name !== 'department' && name !== 'location')];

export const notRecognizedColumns = [
  'id',
  'email',
  'firstName',
  'lastName',
  'lastDate',
  'type',
  'department',
  'team',
  ...laterGroups,
  'managerId',
  'managerEmail',
];

/** A line of the CSV file. */
function notRecognizedLine({ member, manager, ...fields }: NotRecognized): Record<string, unknown> {
  return { ...member, ...fields, managerId: manager?.id, managerEmail: manager?.email };
}

const record = `
  json_build_object(
    'member', ${personSql('m')},
    ${groupFields.map((name) => `'${name}', m.${memberFields[name].column}`).join(', ')},
    'team', t.name,
    'manager', case when manager.id is not null then ${personSql('manager')} end,
    'lastRecognizedOn', page.day,
    'lastDate', page.day,
    'type', page.type)`;

const joins = `
  join members m            on m.workspace_id = $1 and m.id = page.id
  join teams t              on t.workspace_id = $1 and t.id = m.team_id
  left join members manager on manager.workspace_id = $1 and manager.id = m.manager_id`;

// A record that was merged since then is left out; the record that it was merged into is listed if it was before.
const recordsSql = `
  select ${record} as record
    from unnest($2::bigint[], $3::date[], $4::text[]) with ordinality as page (id, day, type, nth)
    ${joins}
   where ${isSurvivor('m')}
   order by page.nth`;
