import type { CoverageCounts, FairnessPage, FairnessQuery, ManagerFairness } from '../contract/coverage.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { recordsOf, survivorOf } from '../directory/who.ts';
import { pageFields } from '../values/page.ts';
import { companySql, countFields, groupCounts, receivedSql, shareSql } from './received.ts';
import { endOf, isSeen, momentsOf, type Reader, readSpan, wasHere } from './span.ts';

interface Row {
  company: CoverageCounts;
  total: number;
  managers: ManagerFairness[];
}

/** For each manager, how many of the people who report to them were recognized: by anybody, and by the manager. */
export async function readFairness(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  { page, size, ...asked }: FairnessQuery,
): Promise<FairnessPage> {
  const span = await readSpan(on, workspaceId, asked);
  const { begin, end } = momentsOf(span);
  const values = [workspaceId, begin, end, endOf(span.asOf), page * size, size, onlyReportsOf];
  const { company, total, managers } = await queryOne<Row>(on, fairnessSql, values);
  return { ...span, company, ...pageFields({ page, size }, total), managers };
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
    'id', ${m}.id, 'email', ${m}.email, 'firstName', ${m}.first_name, 'lastName', ${m}.last_name, 'avatar', ${m}.picture_url)`;

/** How many of the people of the manager `page.id` this manager has recognized. Only managers on the page are asked about. */
const recognizedByManager = `
  (select count(distinct report.id)
     from (${recordsOf('$1', 'page.id')}) sender
     join activities a   on a.workspace_id = $1 and a.sender_id = sender.id and a.status = 'APPROVED'
                        and a.created_on >= $2::timestamptz and a.created_on < $3::timestamptz
     join members record on record.workspace_id = $1 and record.id = a.receiver_id
     join members report on report.workspace_id = $1 and report.id = ${survivorOf('record')}
    where report.manager_id = page.id
      and ${wasHere('report', '$4::timestamptz')}
      and ${isSeen('report', '$7')})`;

const fairnessSql = `
  with ${receivedSql},
  counted as (
    select m.manager_id as id, ${groupCounts}
      from members m
      left join received on received.member_id = m.id
     where m.workspace_id = $1
       and ${wasHere('m', '$4::timestamptz')}
       and ${isSeen('m', '$7')}
     group by m.manager_id
  ),
  managers as (
    select *, ${shareSql} as share from counted where id is not null
  )
  select ${companySql('counted')} as company,
         (select count(*) from managers) as total,
         (select coalesce(json_agg(json_build_object(
                   'manager', ${personSql('m')}, ${countFields}, 'recognizedByManager', ${recognizedByManager})
                   order by share, people desc, page.id), '[]')
            from (select * from managers order by share, people desc, id offset $5::bigint limit $6::bigint) page
            join members m on m.workspace_id = $1 and m.id = page.id) as managers`;
