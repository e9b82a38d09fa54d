import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { changesAnything, isObject } from '../../ground/values/differences.ts';
import { longest, plainText, textProblem } from '../../ground/values/text.ts';
import { addTeam, deleteTeam, renameDefaultTeam, updateTeam } from '../directory/teams.ts';
import { tidyResource } from './attributes.ts';
import { invalidValue, ScimFailure } from './failure.ts';
import { type GroupRow, readGroup } from './group-rows.ts';
import {
  changeMembers,
  followOperation,
  type MembershipChange,
  noChange,
  readMembers,
  replaceMembers,
} from './membership.ts';
import { readOperations } from './operations.ts';
import { groupSchema } from './schemas.ts';
import { checkVersion } from './version.ts';
import { type Writer, type WrittenGroup, writeGroup } from './write.ts';

interface GroupChange {
  name?: string;
  externalId?: string | null;
  membership: MembershipChange;
}

export async function createGroup(writer: Writer, body: unknown): Promise<number> {
  const { workspaceId } = writer;
  const { name, externalId, membership } = readGroupBody(body);
  const { id } = await writeGroup(writer, 'team.added', async (tx) => {
    await checkNoOther(tx, workspaceId, name, null);
    const added = await addTeam(tx, workspaceId, { name, externalId });
    await changeMembers(tx, workspaceId, added, membership);
    return { id: added, name, isChanged: true };
  });
  return id;
}

export async function replaceGroup(writer: Writer, id: number, body: unknown, ifMatch?: string): Promise<void> {
  const change = readGroupBody(body);
  await writeGroup(writer, 'team.changed', (tx) => saveGroup(tx, writer.workspaceId, id, change, ifMatch));
}

/** Neither reads nor returns the group's members, so that the cost does not grow with the group. */
export async function updateGroup(writer: Writer, id: number, body: unknown, ifMatch?: string): Promise<void> {
  const change: GroupChange = { membership: noChange() };
  for (const operation of readOperations(body, groupSchema)) {
    const { attribute, value } = operation;
    if (attribute.name === 'members') followOperation(change.membership, operation);
    else if (attribute.name === 'displayName') change.name = checkName(value);
    else if (attribute.name === 'externalId')
      change.externalId = value === null ? null : checkText('externalId', value);
  }
  await writeGroup(writer, 'team.changed', (tx) => saveGroup(tx, writer.workspaceId, id, change, ifMatch));
}

/** Deletes the team. Its members belong to another team that they are in, or to the default team. */
export async function deleteGroup(writer: Writer, id: number, ifMatch?: string): Promise<void> {
  const { workspaceId } = writer;
  await writeGroup(writer, 'team.deleted', async (tx) => {
    const { name } = await checkGroup(tx, workspaceId, id, ifMatch);
    const membership = noChange();
    replaceMembers(membership, []);
    await changeMembers(tx, workspaceId, id, membership);
    await deleteTeam(tx, workspaceId, id);
    return { id, name, isChanged: true };
  });
}

export async function findGroup(
  tx: Queryable,
  workspaceId: number,
  id: number | null,
  withMembers: boolean,
): Promise<GroupRow> {
  const row = id === null ? null : await readGroup(tx, workspaceId, id, withMembers);
  if (!row) throw new Failure('missing', 'There is no group with this id.');
  return row;
}

/** A complete group: fields that it does not have are cleared. */
function readGroupBody(body: unknown): Required<GroupChange> {
  if (!isObject(body)) throw new ScimFailure('invalid', 'invalidSyntax', 'The body must be a JSON object.');
  const { displayName, externalId, members } = tidyResource(body, groupSchema);
  const membership = noChange();
  replaceMembers(membership, readMembers(members));
  return {
    name: checkName(displayName),
    externalId: externalId === undefined ? null : checkText('externalId', externalId),
    membership,
  };
}

async function saveGroup(
  tx: Queryable,
  workspaceId: number,
  id: number,
  { name, externalId, membership }: GroupChange,
  ifMatch: string | undefined,
): Promise<WrittenGroup> {
  const row = await checkGroup(tx, workspaceId, id, ifMatch);
  if (name !== undefined && name !== row.name) await checkNoOther(tx, workspaceId, name, id);
  const hasMoved = await changeMembers(tx, workspaceId, id, membership);
  const after = { name: name ?? row.name, externalId: externalId === undefined ? row.externalId : externalId };
  const isChanged = hasMoved || changesAnything(row, after);
  if (isChanged) await updateTeam(tx, workspaceId, id, after);
  return { id, name: after.name, isChanged };
}

async function checkGroup(
  tx: Queryable,
  workspaceId: number,
  id: number,
  ifMatch: string | undefined,
): Promise<GroupRow> {
  const row = await findGroup(tx, workspaceId, id, ifMatch !== undefined);
  checkVersion(ifMatch, row);
  return row;
}

/** A name in the form that names of people and departments have. */
function checkName(value: unknown): string {
  return checkText('displayName', typeof value === 'string' ? plainText(value) : value);
}

/** Names that differ only in case are the same name. */
async function checkNoOther(tx: Queryable, workspaceId: number, name: string, id: number | null): Promise<void> {
  const others = await tx.query<{ id: number; isDefault: boolean }>(
    `select t.id, t.id = w.default_team_id as "isDefault"
       from teams t
       join workspaces w on w.id = t.workspace_id
      where t.workspace_id = $1
        and lower(t.name) = lower($2)
        and t.id is distinct from $3::bigint`,
    [workspaceId, name, id],
  );
  if (others.some(({ isDefault }) => !isDefault))
    throw new ScimFailure('conflict', 'uniqueness', 'Another team has this displayName already.');
  // The default team is no group: a provider could not find out which team has the name.
  for (const own of others) await renameDefaultTeam(tx, workspaceId, own.id);
}

/** A group's externalId may be as long as its name. */
function checkText(attribute: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidValue(attribute, 'is required');
  const problem = textProblem(value, longest.teamName);
  if (problem !== null) throw invalidValue(attribute, problem);
  return value;
}
