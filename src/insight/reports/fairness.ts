import { readKeptOut } from '../../company/directory/kept-out.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import type { FairnessPage, FairnessQuery, ManagerFairness } from '../../ground/contract/coverage.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { readChosen } from './chosen.ts';
import type { Companies } from './memory/companies.ts';
import type { CompanyMemory } from './memory/company.ts';
import { countByManager, countsOf, tally, totalOf } from './memory/count.ts';
import { sortManagers } from './memory/groups.ts';
import { arrayOf, type Reader, type ReportSpan, readReportSpan } from './span.ts';

/** For each manager, how many of the people who report to them were recognized: by anyone, and by the manager. */
export async function readFairness(
  on: Queryable,
  companies: Companies,
  caller: Reader,
  { page, size, custom, ...asked }: FairnessQuery,
): Promise<FairnessPage> {
  const { workspaceId } = caller;
  const reader = { ...caller, chosen: await readChosen(on, workspaceId, custom === undefined ? {} : { custom }) };
  const span = await readReportSpan(on, workspaceId, asked);
  const except = await readKeptOut(on, workspaceId);
  const { company, total, listed } = await companies.ask(workspaceId, (memory) =>
    countManagers(memory, reader, span, { page, size }, except),
  );
  const people = await on.query<{ person: Person }>(peopleSql, [workspaceId, arrayOf(listed, 'id')]);
  const personOf = new Map(people.map(({ person }) => [person.id, person]));
  return {
    ...span,
    company,
    ...pageFields({ page, size }, total),
    managers: listed.map(({ id, ...counts }) => ({ manager: personOf.get(id) as Person, ...counts })),
  };
}

type Person = ManagerFairness['manager'];
/** Counts of the company and of one page of managers, the smallest share first. */
function countManagers(
  memory: CompanyMemory,
  reader: Reader,
  span: ReportSpan,
  { page, size }: Page,
  except: ReadonlySet<number>,
) {
  const { people } = memory;
  const counted = tally(memory, reader, span, { groupOf: people.manager, size: people.count });
  const managers = sortManagers(counted, people).filter((place) => !except.has(people.idOf(place)));
  const byManager = countByManager(memory, reader, span);
  return {
    company: totalOf(counted),
    total: managers.length,
    listed: managers.slice(page * size, (page + 1) * size).map((place) => ({
      id: people.idOf(place),
      ...countsOf(counted, place),
      recognizedByManager: byManager[place] as number,
    })),
  };
}

export const fairnessColumns = [
  'managerId',
  'managerEmail',
  'managerFirstName',
  'managerLastName',
  'people',
  'recognized',
  'share',
  'gifts',
  'shoutouts',
  'recognizedByManager',
];

/** A line of the CSV file. */
export function fairnessLine({ manager, ...counts }: ManagerFairness): Record<string, unknown> {
  const { id, email, firstName, lastName } = manager;
  return {
    managerId: id,
    managerEmail: email,
    managerFirstName: firstName,
    managerLastName: lastName,
    ...counts,
  };
}

/** A person for json_build_object. `m` is an alias of members. */
export const personSql = (m: string) => `
  json_build_object(
    'id', ${m}.id, 'email', ${m}.email, 'firstName', ${shownFirstName(m)}, 'lastName', ${shownLastName(m)}, 'avatar', ${m}.picture_url)`;

const peopleSql = `
  select ${personSql('m')} as person
    from members m
   where m.workspace_id = $1
     and m.id = any($2::bigint[])`;
