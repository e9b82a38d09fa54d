import { arrayText } from '../../ground/database/copy.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { memberFields, openFields } from '../../ground/values/member.ts';
import type { Identified } from '../directory/identify.ts';
import { hasEmail, hasFormerAddress, hasLogin, hasNumber, isHere, isSurvivor, survivorOf } from '../directory/who.ts';
import type { PersonRow } from './person.ts';

/** The members that the address and the number of a row identify. */
export interface RowMembers extends Identified {
  /** They identify one member, whose record has everything that the row says, beside the manager. */
  isSame: boolean;
  /** Only if `isSame`: the manager of the member, and how a list of changes and a dry run name the member. */
  managerId: number | null;
  email: string | null;
  employeeNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  active: boolean | null;
}

/**
 * Looks up the people of a batch of rows, and compares their records with the rows in the database: most rows of a file that is imported
 * again change nothing, and their records do not have to be sent. Undefined for a row that identifies no person.
 */
export async function findKnown(
  tx: Queryable,
  workspaceId: number,
  rows: readonly PersonRow[],
  needsNames: boolean,
): Promise<(RowMembers | undefined)[]> {
  const teams = await readTeams(tx, workspaceId, rows);
  const columns = sentColumns.map(([, read]) => arrayText(rows.map((row) => read(row, teams))));
  const found = await tx.query<RowMembers & { nth: number }>(findSql, [workspaceId, needsNames, ...columns]);
  const known: (RowMembers | undefined)[] = rows.map(() => undefined);
  for (const { nth, ...one } of found) known[nth - 1] = one;
  return known;
}

/** The ids of the teams that the rows name, by the name in lower case. */
async function readTeams(tx: Queryable, workspaceId: number, rows: readonly PersonRow[]): Promise<Map<string, number>> {
  const names = [...new Set(rows.flatMap(({ team }) => team?.toLowerCase() ?? []))];
  if (names.length === 0) return new Map();
  const teams = await tx.query<{ name: string; id: number }>(
    'select lower(name) as name, id from teams where workspace_id = $1 and lower(name) = any($2::text[])',
    [workspaceId, names],
  );
  return new Map(teams.map(({ name, id }) => [name, id]));
}

/** A team without members. */
const noTeam = 0;

/** Null if the row says nothing about the column. A text that the row clears is empty. */
const said = (value: string | null | undefined): string | null => (value === undefined ? null : (value ?? ''));

type SentColumn = [string, (row: PersonRow, teams: ReadonlyMap<string, number>) => string | boolean | number | null];

/** What is sent of the rows. All but the last three are texts of the record. */
const sentColumns: SentColumn[] = [
  ...openFields.map((name): SentColumn => [memberFields[name].column, ({ fields }) => said(fields[name])]),
  ['custom', ({ fields }) => (fields.custom ? JSON.stringify(fields.custom) : null)],
  ['active', ({ fields }) => fields.active ?? null],
  ['team_id', ({ team }, teams) => (team === undefined ? null : (teams.get(team.toLowerCase()) ?? noTeam))],
];

const names = sentColumns.map(([name]) => name);
const types: Record<string, string> = { custom: 'jsonb', active: 'boolean', team_id: 'bigint' };

function isSame(alias: string): string {
  const texts = openFields.map((name) => {
    const { column, kind } = memberFields[name];
    const text = kind === 'date' ? `${alias}.${column}::text` : `${alias}.${column}`;
    return `(asked.${column} is null or coalesce(${text}, '') = asked.${column})`;
  });
  return `${isSurvivor(alias)}
          and ${texts.join('\n          and ')}
          and (asked.custom is null
               or jsonb_strip_nulls(coalesce(${alias}.custom, '{}') || asked.custom) = coalesce(${alias}.custom, '{}'))
          and (asked.active is null or (${isHere(alias)}) = asked.active)
          and (asked.team_id is null or ${alias}.team_id = asked.team_id)`;
}

/** Of a row that has an address, the record that has the address is compared, of another the record that has the number. */
const ofRecord = (column: string) =>
  `case when asked.email is null then by_number.${column} else by_email.${column} end`;
const ofListed = (column: string, name: string) => `case when $2 then ${ofRecord(column)} end as "${name}"`;

// Each look-up is made only if the one before found nothing: a row that changes nothing costs one of them. Without `limit 1` the
// planner would join all members who have a login, and all former addresses, with all rows.
const findSql = `
  select asked.nth::int,
         coalesce(${survivorOf('by_email')}, by_login.id, by_former.id) as "byEmail",
         case when by_email.employee_number = asked.employee_number then ${survivorOf('by_email')}
              else ${survivorOf('by_number')} end as "byEmployeeNumber",
         not (${isSurvivor('by_email')}) as "isEmailOfMerged",
         by_email.id is null and by_login.id is null as "isFormerEmail",
         (case when asked.email is null then ${isSame('by_number')}
               else ${isSame('by_email')} end) is true as "isSame",
         ${ofRecord('manager_id')} as "managerId",
         ${ofListed('email', 'email')},
         ${ofListed('employee_number', 'employeeNumber')},
         ${ofListed('first_name', 'firstName')},
         ${ofListed('last_name', 'lastName')},
         case when $2 then case when asked.email is null then ${isHere('by_number')} else ${isHere('by_email')} end end as active
    from unnest(${names.map((name, nth) => `$${nth + 3}::${types[name] ?? 'text'}[]`).join(', ')})
         with ordinality as asked (${names.join(', ')}, nth)
    left join lateral (
           select m.* from members m where m.workspace_id = $1::bigint and ${hasEmail('m', 'asked.email')} limit 1) by_email on true
    left join lateral (
           select ${survivorOf('m')} as id
             from members m
            where by_email.id is null and m.workspace_id = $1::bigint and ${hasLogin('m', 'asked.email')}
            limit 1) by_login on true
    left join lateral (
           select ${survivorOf('m')} as id
             from former_addresses f
             join members m on m.workspace_id = f.workspace_id and m.id = f.member_id
            where by_email.id is null and by_login.id is null
              and f.workspace_id = $1::bigint and ${hasFormerAddress('f', 'asked.email')}
            limit 1) by_former on true
    left join lateral (
           select m.*
             from members m
            where by_email.employee_number is distinct from asked.employee_number
              and m.workspace_id = $1::bigint and ${hasNumber('m', 'asked.employee_number')}
            limit 1) by_number on true
   where coalesce(by_email.id, by_login.id, by_former.id, by_number.id) is not null
   order by asked.nth`;
