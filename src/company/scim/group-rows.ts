import type { Queryable } from '../../ground/database/database.ts';
import { readId } from '../../ground/values/id.ts';
import { isUser } from '../directory/who.ts';
import type { Document } from './attributes.ts';
import type { AddParameter, Comparable } from './filter-sql.ts';
import { type ListedRows, type ListQuery, readList, type Source } from './list.ts';
import { groupSchema } from './schemas.ts';
import { readReference } from './user-fields.ts';
import { shownDisplayName } from './user-rows.ts';
import { versionOf } from './version.ts';

/** A group's row: a team. */
export interface GroupRow {
  id: number;
  name: string;
  externalId: string | null;
  createdAt: Date;
  changedAt: Date;
  /** Absent if they were not asked for. */
  members?: { id: number; name: string }[];
}

export async function readGroup(
  tx: Queryable,
  workspaceId: number,
  id: number,
  withMembers: boolean,
): Promise<GroupRow | null> {
  const rows = await tx.query<GroupRow>(oneSql, [workspaceId, id]);
  return (withMembers ? await addMembers(tx, workspaceId, rows) : rows)[0] ?? null;
}

export async function listGroups(
  database: Queryable,
  workspaceId: number,
  query: ListQuery,
  withMembers: boolean,
  source: Source = groups,
): Promise<ListedRows<GroupRow>> {
  const { total, rows } = await readList<GroupRow>(database, workspaceId, source, query);
  return {
    total,
    rows: withMembers ? await addMembers(database, workspaceId, await fitting(database, workspaceId, rows)) : rows,
  };
}

/** Most memberships on a page; a group with more gets a page of its own. RFC 7644 lets a page be smaller than asked for. */
const maxMemberships = 20_000;
const countedAtOnce = 50;

/** The first of these groups, as many as fit on a page with their members. */
async function fitting(tx: Queryable, workspaceId: number, rows: readonly GroupRow[]): Promise<GroupRow[]> {
  let memberships = 0;
  for (let from = 0; from < rows.length; from += countedAtOnce) {
    const some = rows.slice(from, from + countedAtOnce);
    const counts = await tx.query<{ count: number }>(countSql, [workspaceId, some.map(({ id }) => id), maxMemberships]);
    for (const [nth, { count }] of counts.entries()) {
      memberships += count;
      if (memberships > maxMemberships) return rows.slice(0, Math.max(1, from + nth));
    }
  }
  return [...rows];
}

/** Counts no further than one more than fits on a page. */
const countSql = `
  select (select count(*)
            from (select from team_members where workspace_id = $1 and team_id = asked.id limit $3::int + 1) counted) as count
    from unnest($2::bigint[]) with ordinality as asked (id, nth)
   order by nth`;

/** A group as a SCIM resource. It has a version only if it is shown with its members: they are part of its state. */
export function groupDocument(row: GroupRow, base: string): Document {
  return {
    schemas: [groupSchema.id],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.name,
    ...(row.members && {
      members: row.members.map(({ id, name: display }) => ({
        value: String(id),
        $ref: `${base}/Users/${id}`,
        display,
        type: 'User',
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: row.createdAt,
      lastModified: row.changedAt,
      location: `${base}/Groups/${row.id}`,
      ...(row.members && { version: versionOf(row) }),
    },
  };
}

/** The default team is no group. */
const from = `
  from teams t
 where t.workspace_id = $1::bigint
   and t.id <> (select default_team_id from workspaces where id = $1::bigint)`;

const select = `
  select t.id, t.name, t.external_id as "externalId", t.created_at as "createdAt", t.changed_at as "changedAt"
    from page
    join teams t on t.workspace_id = $1::bigint and t.id = page.id
   order by t.id`;

const oneSql = `with page as (select t.id ${from} and t.id = $2::bigint) ${select}`;

const hasMember: Comparable = {
  sql: `(select min(tm.member_id)
           from team_members tm
           join members m on m.workspace_id = $1 and m.id = tm.member_id and ${isUser('m')}
          where tm.workspace_id = $1::bigint and tm.team_id = t.id)`,
  type: 'reference',
  equals: (value, parameter) => isMember(readId(value), parameter),
};

const isMember = (id: number | null, parameter: AddParameter) => `t.id in (
    select tm.team_id
      from team_members tm
      join members m on m.workspace_id = $1 and m.id = tm.member_id and ${isUser('m')}
     where tm.workspace_id = $1::bigint and tm.member_id = ${parameter(id)}::bigint)`;

const amongMembers = (condition: string) => `
  exists (select
            from team_members tm
            join members m on m.workspace_id = $1 and m.id = tm.member_id and ${isUser('m')}
           where tm.workspace_id = $1::bigint and tm.team_id = t.id and ${condition})`;

export const groups: Source = {
  from,
  id: 't.id',
  select,
  filterable: {
    schemaIds: [groupSchema.id],
    attributes: {
      id: {
        sql: 't.id::text',
        type: 'exact',
        equals: (value, parameter) => `t.id = ${parameter(readId(value))}::bigint`,
      },
      externalid: { sql: 't.external_id', type: 'exact' },
      displayname: { sql: 't.name', type: 'text' },
      members: hasMember,
      'members.value': hasMember,
      'members.type': { sql: `case when ${hasMember.sql} is not null then 'User' end`, type: 'text' },
      'members.display': { sql: shownDisplayName, type: 'text', among: amongMembers },
      'members.ref': {
        ...hasMember,
        equals: (value, parameter) => isMember(readReference('Users', value), parameter),
      },
      schemas: {
        sql: 't.id',
        type: 'reference',
        equals: (value, parameter) => `lower(${parameter(value)}::text) = '${groupSchema.id.toLowerCase()}'`,
      },
      'meta.resourcetype': { sql: `'Group'`, type: 'text' },
      'meta.location': {
        sql: 't.id',
        type: 'reference',
        equals: (value, parameter) => `t.id = ${parameter(readReference('Groups', value))}::bigint`,
      },
      'meta.created': { sql: `date_trunc('milliseconds', t.created_at)`, type: 'time' },
      'meta.lastmodified': { sql: `date_trunc('milliseconds', t.changed_at)`, type: 'time' },
    },
  },
};

async function addMembers(tx: Queryable, workspaceId: number, rows: readonly GroupRow[]): Promise<GroupRow[]> {
  const members = await tx.query<{ teamId: number; id: number; name: string }>(membersSql, [
    workspaceId,
    rows.map(({ id }) => id),
  ]);
  const byTeam = Map.groupBy(members, ({ teamId }) => teamId);
  return rows.map((row) => ({ ...row, members: (byTeam.get(row.id) ?? []).map(({ id, name }) => ({ id, name })) }));
}

const membersSql = `
  select tm.team_id as "teamId", m.id, ${shownDisplayName} as name
    from team_members tm
    join members m on m.workspace_id = $1 and m.id = tm.member_id
   where tm.workspace_id = $1
     and tm.team_id = any($2::bigint[])
     and ${isUser('m')}
   order by tm.team_id, m.id`;
