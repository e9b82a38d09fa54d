import type { CoverageCounts, FairnessPage, FairnessQuery, ManagerFairness } from '../contract/coverage.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { isSurvivor, survivorOr } from '../directory/who.ts';
import { pageFields } from '../values/page.ts';
import { companySql, countFields, countReceived, shareSql } from './received.ts';
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

// Merged senders are few, as merged receivers are.
const fairnessSql = `
  with received as materialized (
    ${countReceived({
      more: `, array_agg(distinct ${survivorOr('sent_as', 'a.sender_id')}) as senders`,
      join: `left join members sent_as on sent_as.workspace_id = $1 and sent_as.id = a.sender_id and not (${isSurvivor('sent_as')})`,
    })}
     group by 1
  ),
  counted as (
    select m.manager_id as id, count(*) as people, count(received.member_id) as recognized,
           count(*) filter (where m.manager_id = any(received.senders)) as recognized_by_manager,
           coalesce(sum(received.gifts), 0)::bigint as gifts, coalesce(sum(received.shoutouts), 0)::bigint as shoutouts
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
                   'manager', ${personSql('m')}, ${countFields}, 'recognizedByManager', recognized_by_manager)
                   order by share, people desc, page.id), '[]')
            from (select * from managers order by share, people desc, id offset $5::bigint limit $6::bigint) page
            join members m on m.workspace_id = $1 and m.id = page.id) as managers`;
