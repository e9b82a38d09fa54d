import { readKeptOut } from '../../company/directory/kept-out.ts';
import { shownName } from '../../company/directory/names.ts';
import type {
  CoverageCounts,
  CoverageGroup,
  CoveragePage,
  CoverageQuery,
  Grouping,
} from '../../ground/contract/coverage.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { neutralText } from '../../ground/values/personal.ts';
import { readChosen } from './chosen.ts';
import type { Companies } from './memory/companies.ts';
import { countAll } from './memory/count.ts';
import { findGroups } from './memory/groups.ts';
import { countMonths } from './memory/months.ts';
import { monthsOf } from './months.ts';
import { arrayOf, type Reader, type ReportSpan, readReportSpan } from './span.ts';

interface Groups {
  company: CoverageCounts;
  total: number;
  groups: CoverageGroup[];
}

/** How many people of each group were recognized in a span of days. */
export async function readCoverage(
  on: Queryable,
  companies: Companies,
  caller: Reader,
  { by, sort, page, size, custom, ...asked }: CoverageQuery,
): Promise<CoveragePage> {
  const reader = {
    ...caller,
    chosen: await readChosen(on, caller.workspaceId, custom === undefined ? {} : { custom }),
  };
  const span = await readReportSpan(on, reader.workspaceId, asked);
  const { company, total, groups } =
    by === 'month'
      ? await readMonths(companies, reader, span, { page, size })
      : await readGroups(on, companies, reader, span, { by, sort, page, size });
  return { ...span, company, ...pageFields({ page, size }, total), groups };
}

export const coverageColumns = ['id', 'name', 'people', 'recognized', 'share', 'gifts', 'shoutouts'];

/**
 * Coverage month by month: of the people who were here at the end of a month, or on the last day of the span, how many were
 * recognized in it. The company's counts are those of the whole span.
 */
function readMonths(companies: Companies, reader: Reader, span: ReportSpan, { page, size }: Page): Promise<Groups> {
  const months = monthsOf(span);
  const asked = months.slice(page * size, (page + 1) * size);
  return companies.ask(reader.workspaceId, (company) => {
    const counts = countMonths(company, reader, asked);
    const groups = counts.map((one, nth) => ({ id: null, name: asked[nth]?.name ?? null, ...one }));
    return { company: countAll(company, reader, span), total: months.length, groups };
  });
}

type GroupPage = Page & { by: Exclude<Grouping, 'month'>; sort: CoverageQuery['sort'] };

async function readGroups(
  on: Queryable,
  companies: Companies,
  reader: Reader,
  span: ReportSpan,
  asked: GroupPage,
): Promise<Groups> {
  const { company, total, before, spellings } = await companies.ask(reader.workspaceId, (memory) =>
    findGroups(memory, reader, span, asked),
  );
  const numbers = (['id', 'people', 'recognized', 'gifts', 'shoutouts'] as const).map((one) => arrayOf(spellings, one));
  const values = [
    reader.workspaceId,
    asked.page * asked.size - before,
    asked.size,
    spellings.map(({ text }) => text),
    ...numbers,
  ];
  const { groups } = await queryOne<Pick<Groups, 'groups'>>(
    on,
    groupsSql(names[asked.by] ?? 'g.text', orders[asked.sort]),
    values,
  );
  return { company, total, groups: asked.by === 'manager' ? await withoutKeptOut(on, reader, groups) : groups };
}

/** Groups of managers who are kept out of reports about individuals have no name. */
async function withoutKeptOut(
  on: Queryable,
  { workspaceId }: Reader,
  groups: CoverageGroup[],
): Promise<CoverageGroup[]> {
  const keptOut = await readKeptOut(on, workspaceId);
  return groups.map((group) => (keptOut.has(group.id ?? 0) ? { ...group, id: null, name: neutralText } : group));
}

/** The name by which a list shows a person. */
const personName = (m: string) => `coalesce(nullif(${shownName(m)}, ''), ${m}.email, ${m}.employee_number, '')`;

/** The name of a group `g`; of the others it is their text. */
const names: Partial<Record<GroupPage['by'], string>> = {
  team: '(select t.name from teams t where t.workspace_id = $1 and t.id = g.id)',
  manager: `(select ${personName('n')} from members n where n.workspace_id = $1 and n.id = g.id)`,
};

const orders: Record<CoverageQuery['sort'], string> = {
  share: 'share, people desc, name, id',
  people: 'people desc, name, id',
  name: 'name, id',
};

const groupsSql = (name: string, order: string) => `
  with counted as (
    select $1::bigint as workspace_id, id, min(text) as text, sum(people) as people, sum(recognized) as recognized, sum(gifts) as gifts,
           sum(shoutouts) as shoutouts
      from unnest($4::text[], $5::bigint[], $6::int[], $7::int[], $8::int[], $9::int[])
           as written (text, id, people, recognized, gifts, shoutouts)
     group by id, lower(text)
  ),
  groups as (
    select g.*, ${name} as name, round(recognized / people::numeric, 4) as share from counted g
  )
  select (select coalesce(json_agg(json_build_object(
                   'id', id, 'name', name, 'people', people, 'recognized', recognized, 'share', share, 'gifts', gifts,
                   'shoutouts', shoutouts) order by ${order}), '[]')
            from (select * from groups order by ${order} offset $2::bigint limit $3::bigint) page) as groups`;
