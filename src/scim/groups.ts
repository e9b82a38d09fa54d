import type { Database, Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { isObject } from '../values/differences.ts';
import { isText } from '../values/text.ts';
import { inWorkspace } from '../workspaces/lock.ts';
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

interface GroupChange {
  name?: string;
  externalId?: string | null;
  membership: MembershipChange;
}

export async function createGroup(database: Database, workspaceId: number, body: unknown): Promise<number> {
  const { name, externalId, membership } = readGroupBody(body);
  return inWorkspace(database, workspaceId, async (tx) => {
    await checkName(tx, workspaceId, name, null);
    const [team] = await tx.query<{ id: number }>(
      'insert into teams (workspace_id, name, external_id) values ($1, $2, $3) returning id',
      [workspaceId, name, externalId],
    );
    const { id } = team as { id: number };
    await changeMembers(tx, workspaceId, id, membership);
    return id;
  });
}

export async function replaceGroup(
  database: Database,
  workspaceId: number,
  id: number,
  body: unknown,
  ifMatch?: string,
): Promise<void> {
  const change = readGroupBody(body);
  await inWorkspace(database, workspaceId, (tx) => saveGroup(tx, workspaceId, id, change, ifMatch));
}

/** The group's members are neither read nor sent: what a step costs does not grow with the group. */
export async function updateGroup(
  database: Database,
  workspaceId: number,
  id: number,
  body: unknown,
  ifMatch?: string,
): Promise<void> {
  const change: GroupChange = { membership: noChange() };
  for (const operation of readOperations(body, groupSchema)) {
    const { attribute, value } = operation;
    if (attribute.name === 'members') followOperation(change.membership, operation);
    else if (attribute.name === 'displayName') change.name = checkText('displayName', value);
    else if (attribute.name === 'externalId')
      change.externalId = value === null ? null : checkText('externalId', value);
  }
  await inWorkspace(database, workspaceId, (tx) => saveGroup(tx, workspaceId, id, change, ifMatch));
}

/** The team goes; its members stay, and have another team they are in, or the default one. */
export async function deleteGroup(
  database: Database,
  workspaceId: number,
  id: number,
  ifMatch?: string,
): Promise<void> {
  await inWorkspace(database, workspaceId, async (tx) => {
    await checkGroup(tx, workspaceId, id, ifMatch);
    const membership = noChange();
    replaceMembers(membership, []);
    await changeMembers(tx, workspaceId, id, membership);
    await tx.query('delete from teams where workspace_id = $1 and id = $2', [workspaceId, id]);
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

/** A group as it is sent whole: what it does not say is cleared. */
function readGroupBody(body: unknown): Required<GroupChange> {
  if (!isObject(body)) throw new ScimFailure('invalid', 'invalidSyntax', 'The body must be a JSON object.');
  const { displayName, externalId, members } = tidyResource(body, groupSchema);
  const membership = noChange();
  replaceMembers(membership, readMembers(members));
  return {
    name: checkText('displayName', displayName),
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
): Promise<void> {
  const row = await checkGroup(tx, workspaceId, id, ifMatch);
  if (name !== undefined && name !== row.name) await checkName(tx, workspaceId, name, id);
  await changeMembers(tx, workspaceId, id, membership);
  await tx.query(
    'update teams set name = $3, external_id = $4, changed_at = now() where workspace_id = $1 and id = $2',
    [workspaceId, id, name ?? row.name, externalId === undefined ? row.externalId : externalId],
  );
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

/** Names that differ in case only are one. */
async function checkName(tx: Queryable, workspaceId: number, name: string, id: number | null): Promise<void> {
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
  // The workspace's own team is no group, and nobody could find out who has the name.
  for (const own of others) await tx.query(renameDefaultSql, [workspaceId, own.id]);
}

// The first name that no team has: "Everyone (1)", "Everyone (1) (2)" and so on.
const renameDefaultSql = `
  update teams t
     set name = (select candidate.name
                   from generate_series(1, (select count(*) + 1 from teams where workspace_id = $1)) as nth
                  cross join lateral (select t.name || ' (' || t.id || ')' || case when nth > 1 then ' (' || nth || ')' else '' end)
                             as candidate (name)
                  where not exists (select from teams o where o.workspace_id = $1 and lower(o.name) = lower(candidate.name))
                  order by nth
                  limit 1)
   where t.workspace_id = $1
     and t.id = $2`;

const longest = 200;

function checkText(attribute: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidValue(attribute, 'is required');
  if (!isText(value)) throw invalidValue(attribute, 'must be text without NUL or broken characters');
  if ([...value].length > longest) throw invalidValue(attribute, `must have at most ${longest} characters`);
  return value;
}
