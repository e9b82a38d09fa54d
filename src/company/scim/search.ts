import type { Queryable } from '../../ground/database/database.ts';
import type { Document } from './attributes.ts';
import { beside } from './filter-sql.ts';
import { groupDocument, groups, listGroups } from './group-rows.ts';
import type { ListQuery } from './list.ts';
import { listScimUsers, userSource } from './list-users.ts';
import { isWanted, type Projection, project } from './projection.ts';
import { userDocument } from './user-document.ts';

export interface Found {
  total: number;
  documents: Document[];
}

/** The database, the workspace and the base address of its resources. */
export interface SearchPlace {
  database: Queryable;
  workspaceId: number;
  base: string;
}

export async function searchUsers(
  place: SearchPlace,
  query: ListQuery,
  projection: Projection,
  source = userSource,
): Promise<Found> {
  const { total, rows } = await listScimUsers(place.database, place.workspaceId, query, source);
  return { total, documents: rows.map((row) => project(userDocument(row, place.base), projection)) };
}

export async function searchGroups(
  place: SearchPlace,
  query: ListQuery,
  projection: Projection,
  source = groups,
): Promise<Found> {
  const withMembers = isWanted('members', projection);
  const { total, rows } = await listGroups(place.database, place.workspaceId, query, withMembers, source);
  return { total, documents: rows.map((row) => project(groupDocument(row, place.base), projection)) };
}

const usersAmongAll = { ...userSource, filterable: beside(userSource.filterable, groups.filterable) };
const groupsAmongAll = { ...groups, filterable: beside(groups.filterable, userSource.filterable) };

/** Users first, then groups, counted as one list. */
export async function searchAll(place: SearchPlace, query: ListQuery, projection: Projection): Promise<Found> {
  const first = await searchUsers(place, query, projection, usersAmongAll);
  const rest = {
    ...query,
    startIndex: Math.max(1, query.startIndex - first.total),
    count: query.count - first.documents.length,
  };
  const second = await searchGroups(place, rest, projection, groupsAmongAll);
  return { total: first.total + second.total, documents: [...first.documents, ...second.documents] };
}
