import type { CoveragePage, CoverageQuery, Grouping } from '../contract/coverage.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { type Page, pageFields } from '../values/page.ts';
import { readMonths } from './months.ts';
import { companySql, countFields, type Groups, groupCounts, receivedSql, shareSql } from './received.ts';
import { endOf, isSeen, momentsOf, type Reader, readSpan, type Span, wasHere } from './span.ts';

/** How many people of each group were recognized in a span of days. */
export async function readCoverage(
  on: Queryable,
  reader: Reader,
  { by, sort, page, size, ...asked }: CoverageQuery,
): Promise<CoveragePage> {
  const span = await readSpan(on, reader.workspaceId, asked);
  const { company, total, groups } =
    by === 'month'
      ? await readMonths(on, reader, span, { page, size })
      : await readGroups(on, reader, span, by, sort, { page, size });
  return { ...span, company, ...pageFields({ page, size }, total), groups };
}

export const coverageColumns = ['id', 'name', 'people', 'recognized', 'share', 'gifts', 'shoutouts'];

function readGroups(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  span: Span,
  by: Exclude<Grouping, 'month'>,
  sort: CoverageQuery['sort'],
  { page, size }: Page,
): Promise<Groups> {
  const { begin, end } = momentsOf(span);
  return queryOne(on, groupsSql(dimensions[by], orders[sort]), [
    workspaceId,
    begin,
    end,
    endOf(span.asOf),
    page * size,
    size,
    onlyReportsOf,
  ]);
}

interface Dimension {
  /** Of `members m`. */
  id: string;
  text: string;
  /** The name of a group `g`. */
  name: string;
}

const ofText = (column: string): Dimension => ({ id: 'null::bigint', text: `m.${column}`, name: 'g.text' });

/** The name by which a list shows a person. */
const personName = (m: string) =>
  `coalesce(nullif(trim(${m}.first_name || ' ' || ${m}.last_name), ''), ${m}.email, ${m}.employee_number, '')`;

const dimensions: Record<Exclude<Grouping, 'month'>, Dimension> = {
  department: ofText('department'),
  location: ofText('location'),
  costCentre: ofText('cost_centre'),
  team: {
    id: 'm.team_id',
    text: 'null::text',
    name: '(select t.name from teams t where t.workspace_id = $1 and t.id = g.id)',
  },
  manager: {
    id: 'm.manager_id',
    text: 'null::text',
    name: `(select ${personName('n')} from members n where n.workspace_id = $1 and n.id = g.id)`,
  },
};

const orders: Record<CoverageQuery['sort'], string> = {
  share: 'share, people desc, name, id',
  people: 'people desc, name, id',
  name: 'name, id',
};

// Names are lower-cased after counting: there are few spellings, and many people.
const groupsSql = ({ id, text, name }: Dimension, order: string) => `
  with ${receivedSql},
  written as (
    select ${id} as id, ${text} as text, ${groupCounts}
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$7')}
     group by 1, 2
  ),
  counted as (
    select id, min(text) as text, sum(people)::bigint as people, sum(recognized)::bigint as recognized,
           sum(gifts)::bigint as gifts, sum(shoutouts)::bigint as shoutouts
      from written
     group by id, lower(text)
  ),
  groups as (
    select g.*, ${name} as name, ${shareSql} as share from counted g
  )
  select ${companySql('groups')} as company,
         (select count(*) from groups) as total,
         (select coalesce(json_agg(json_build_object('id', id, 'name', name, ${countFields}) order by ${order}), '[]')
            from (select * from groups order by ${order} offset $5::bigint limit $6::bigint) page) as groups`;
