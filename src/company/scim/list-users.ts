import type { Filter } from 'scim2-parse-filter';
import type { Queryable } from '../../ground/database/database.ts';
import { readId } from '../../ground/values/id.ts';
import {
  type MemberFieldName,
  memberFields,
  type ScimExtension,
  type ScimField,
  scimFields,
  scimPlaces,
} from '../../ground/values/member.ts';
import { columnsOf } from '../directory/columns.ts';
import { customOf } from '../directory/custom-fields.ts';
import { countUsers } from '../directory/days.ts';
import { emailsOf } from '../directory/emails.ts';
import { addressKey, hasEmail, hasLogin, isHere, isUser, survivorOf } from '../directory/who.ts';
import type { AddParameter, Comparable } from './filter-sql.ts';
import { type ListedRows, type ListQuery, readList, type Source } from './list.ts';
import { enterpriseSchema, giftwireSchema, userSchema } from './schemas.ts';
import { attributePath, readReference } from './user-fields.ts';
import {
  selectUsers,
  shownDisplayName,
  shownFormattedName,
  shownManagerName,
  shownUserName,
  type UserRow,
} from './user-rows.ts';

export function listScimUsers(
  database: Queryable,
  workspaceId: number,
  query: ListQuery,
  source: Source = userSource,
): Promise<ListedRows<UserRow>> {
  return readList<UserRow>(database, workspaceId, source, query);
}

const amongEmails = (condition: string) => `exists (select from (${emailsOf('m')}) e where ${condition})`;

/** Any of a person's addresses. A union, because the planner would use no index for conditions joined by `or`. */
const email: Comparable = {
  sql: 'e.value',
  type: 'text',
  among: amongEmails,
  equals: (value, parameter) => {
    const address = `${parameter(value)}::text`;
    return `m.id in (
    select o.id from members o where o.workspace_id = $1::bigint and ${hasEmail('o', address)}
     union all
    select o.member_id from member_emails o where o.workspace_id = $1::bigint and ${addressKey('o.value')} = ${addressKey(address)})`;
  },
};
const id = (column: string): Comparable => ({
  sql: `${column}::text`,
  type: 'exact',
  equals: (value, parameter) => `${column} = ${parameter(readId(value))}::bigint`,
});
const hasId = (column: string, value: number | null, parameter: AddParameter) =>
  `${column} = ${parameter(value)}::bigint`;

/** A manager by id, or by the text that names one who is not known yet. */
const manager: Comparable = {
  sql: 'coalesce(m.manager_id::text, m.manager_reference)',
  type: 'exact',
  equals: (value, parameter) => `m.id in (
    select o.id from members o where o.workspace_id = $1::bigint and ${hasId('o.manager_id', readId(value), parameter)}
     union all
    select o.id
      from members o
     where o.workspace_id = $1::bigint
       and o.manager_reference is not null
       and ${addressKey('o.manager_reference')} = ${addressKey(`${parameter(value)}::text`)})`,
};

const inGroup = (condition: string) => `
  exists (select
            from team_members tm
            join teams t on t.workspace_id = $1 and t.id = tm.team_id
           where tm.workspace_id = $1 and tm.member_id = m.id and ${condition})`;
const group: Comparable = {
  sql: 't.id::text',
  type: 'exact',
  among: inGroup,
  equals: (value, parameter) => inGroup(hasId('t.id', readId(value), parameter)),
};
const ofExtension = (extension: ScimExtension) => scimFields.filter((name) => scimPlaces[name].extension === extension);
const hasAny = (names: readonly MemberFieldName[]) => `num_nonnulls(${columnsOf('m', names).join(', ')}) > 0`;

/** The attributes of the fields, as they are stored. Other lists than emails have one value, so their name means a part of that value too. */
const stored = Object.fromEntries(
  scimFields.flatMap((name): [string, Comparable][] => {
    const { kind } = memberFields[name];
    const { attribute, type } = scimPlaces[name];
    const sql = storedText(name);
    const value: Comparable = { sql, type: kind === 'url' ? 'exact' : 'text' };
    const path = attributePath(scimPlaces[name]).toLowerCase();
    if (type === undefined) return [[path, value]];
    const parts = scimFields.filter((one) => scimPlaces[one].attribute === attribute).map(storedText);
    const any = `coalesce(${parts.join(', ')})`;
    const typeOf: Comparable = { sql: `case when ${any} is not null then '${type}' end`, type: 'text' };
    const list = attribute.toLowerCase();
    return [
      [list, { ...value, sql: any }],
      [path, value],
      [`${list}.type`, typeOf],
    ];
  }),
);

function storedText(name: ScimField): string {
  const { column, kind } = memberFields[name];
  if (kind === 'name') return `nullif(m.${column}, '')`;
  if (kind === 'language') return `replace(m.${column}, '_', '-')`;
  return kind === 'date' ? `m.${column}::text` : `m.${column}`;
}

/** Compares the userName that is shown. A union, because the planner would use no index for conditions joined by `or`. */
function hasUserName(value: string, parameter: AddParameter): string {
  const [name, number] = [`${parameter(value)}::text`, `${parameter(readId(value))}::bigint`];
  const part = (condition: string) =>
    `select ${survivorOf('o')} from members o where o.workspace_id = $1::bigint and ${condition}`;
  return `m.id in (
    ${part(hasLogin('o', name))}
     union all
    ${part(`o.user_name is null and ${hasEmail('o', name)}`)}
     union all
    ${part(`o.user_name is null and o.email is null and ${addressKey('o.employee_number')} = ${addressKey(name)}`)}
     union all
    ${part(`o.user_name is null and o.email is null and o.employee_number is null and o.id = ${number}`)})`;
}

/** All users, or those of `active eq true` and `active eq false`. */
function countMatches(filter: Filter | null): string | null {
  if (filter === null) return countUsers(null);
  if (filter.op !== 'eq' || typeof filter.compValue !== 'boolean') return null;
  const isActive = [`${userSchema.id}:active`, 'active'].some((name) => sameName(name, filter.attrPath));
  return isActive ? countUsers(filter.compValue) : null;
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const userSource: Source = {
  from: `from members m where m.workspace_id = $1::bigint and ${isUser('m')}`,
  id: 'm.id',
  select: selectUsers,
  count: countMatches,
  filterable: {
    schemaIds: [userSchema.id, enterpriseSchema.id, giftwireSchema.id],
    attributes: {
      ...stored,
      id: id('m.id'),
      externalid: { sql: 'm.external_id', type: 'exact' },
      username: {
        sql: shownUserName,
        type: 'text',
        equals: hasUserName,
      },
      displayname: { sql: shownDisplayName, type: 'text' },
      'name.formatted': { sql: shownFormattedName, type: 'text' },
      active: { sql: `(${isHere('m')})`, type: 'boolean' },
      emails: email,
      'emails.value': email,
      'emails.type': { sql: 'e.type', type: 'text', among: amongEmails },
      'emails.primary': { sql: 'e.is_primary', type: 'boolean', among: amongEmails },
      manager,
      'manager.value': manager,
      'manager.ref': {
        sql: 'm.manager_id',
        type: 'reference',
        equals: (value, parameter) => hasId('m.manager_id', readReference('Users', value), parameter),
      },
      'manager.displayname': {
        sql: `(select ${shownManagerName}
                 from members above
                where above.workspace_id = $1 and above.id = m.manager_id)`,
        type: 'text',
      },
      groups: group,
      'groups.value': group,
      'groups.display': { sql: 't.name', type: 'text', among: inGroup },
      'groups.ref': {
        sql: 't.id',
        type: 'reference',
        among: inGroup,
        equals: (value, parameter) => inGroup(hasId('t.id', readReference('Groups', value), parameter)),
      },
      name: { sql: shownFormattedName, type: 'text' },
      schemas: {
        sql: 'm.id',
        type: 'reference',
        equals: (value, parameter) => `case lower(${parameter(value)}::text)
          when '${userSchema.id.toLowerCase()}' then true
          when '${enterpriseSchema.id.toLowerCase()}' then ${hasAny([...ofExtension('enterprise'), 'managerId', 'managerReference'])}
          when '${giftwireSchema.id.toLowerCase()}' then ${hasAny(ofExtension('giftwire'))} or ${customOf('m')} is not null
          else false end`,
      },
      'meta.resourcetype': { sql: `'User'`, type: 'text' },
      'meta.location': {
        sql: 'm.id',
        type: 'reference',
        equals: (value, parameter) => hasId('m.id', readReference('Users', value), parameter),
      },
      'meta.created': { sql: `date_trunc('milliseconds', m.created_at)`, type: 'time' },
      'meta.lastmodified': { sql: `date_trunc('milliseconds', m.changed_at)`, type: 'time' },
    },
  },
};
