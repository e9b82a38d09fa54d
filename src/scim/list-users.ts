import type { Queryable } from '../database/database.ts';
import type { Comparable, Parameter } from './filter-sql.ts';
import { type Listed, type ListQuery, readList, type Source } from './list.ts';
import { enterpriseSchema, userSchema } from './schemas.ts';
import { readId } from './user-fields.ts';
import { isUser, selectUsers, shownDisplayName, shownFormattedName, shownUserName, type UserRow } from './user-rows.ts';

export function listUsers(database: Queryable, workspaceId: number, query: ListQuery): Promise<Listed<UserRow>> {
  return readList<UserRow>(database, workspaceId, users, query);
}

const hasEmail = (value: string) => `case when m.email is not null then ${value} end`;
const email: Comparable = {
  sql: 'm.email',
  type: 'text',
  equals: (value, parameter) => `m.email_key = lower(${parameter(value)}::text)`,
};
const id = (column: string): Comparable => ({
  sql: `${column}::text`,
  type: 'exact',
  equals: (value, parameter) => `${column} = ${parameter(readId(value))}::bigint`,
});
const manager = id('m.manager_id');

/** As it is shown. In parts, for each of which there is an index: the planner makes nothing of one condition with or. */
function hasUserName(value: string, parameter: Parameter): string {
  const [name, number] = [`lower(${parameter(value)}::text)`, `${parameter(readId(value))}::bigint`];
  const part = (condition: string) =>
    `select coalesce(o.merged_into, o.id) from members o where o.workspace_id = $1::bigint and ${condition}`;
  return `m.id in (
    ${part(`o.user_name is not null and lower(o.user_name) = ${name}`)}
     union all
    ${part(`o.user_name is null and o.email_key = ${name}`)}
     union all
    ${part(`o.user_name is null and o.email is null and lower(o.employee_number) = ${name}`)}
     union all
    ${part(`o.user_name is null and o.email is null and o.employee_number is null and o.id = ${number}`)})`;
}

const users: Source = {
  from: `from members m where m.workspace_id = $1::bigint and ${isUser}`,
  id: 'm.id',
  select: selectUsers,
  filterable: {
    schemaIds: [userSchema.id, enterpriseSchema.id],
    attributes: {
      id: id('m.id'),
      externalid: { sql: 'm.external_id', type: 'exact' },
      username: {
        sql: shownUserName,
        type: 'text',
        equals: hasUserName,
      },
      displayname: { sql: shownDisplayName, type: 'text' },
      'name.formatted': { sql: shownFormattedName, type: 'text' },
      'name.givenname': { sql: `nullif(m.first_name, '')`, type: 'text' },
      'name.familyname': { sql: `nullif(m.last_name, '')`, type: 'text' },
      active: { sql: '(m.left_at is null)', type: 'boolean' },
      emails: email,
      'emails.value': email,
      'emails.type': { sql: hasEmail(`'work'`), type: 'text' },
      'emails.primary': { sql: hasEmail('true'), type: 'boolean' },
      employeenumber: { sql: 'm.employee_number', type: 'text' },
      costcenter: { sql: 'm.cost_centre', type: 'text' },
      department: { sql: 'm.department', type: 'text' },
      manager,
      'manager.value': manager,
      'addresses.locality': { sql: 'm.location', type: 'text' },
      'meta.created': { sql: `date_trunc('milliseconds', m.created_at)`, type: 'time' },
      'meta.lastmodified': { sql: `date_trunc('milliseconds', m.changed_at)`, type: 'time' },
    },
  },
};
