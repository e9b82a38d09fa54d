import type { Filter } from 'scim2-parse-filter';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { isObject } from '../../ground/values/differences.ts';
import { readId } from '../../ground/values/id.ts';
import { beginningOf } from '../../ground/values/text.ts';
import { joinTeams, leaveTeams, type Membership } from '../directory/teams.ts';
import { isUser } from '../directory/who.ts';
import type { Document } from './attributes.ts';
import { invalidValue, ScimFailure } from './failure.ts';
import type { PatchOperation } from './operations.ts';
import { parseFilter } from './parse-filter.ts';
import { readReference } from './user-fields.ts';

const maxMembers = 10_000;
const portionSize = 500;

/** A change of a group's members, summed up over all operations of a request. */
export interface MembershipChange {
  /** Whether all members who are not in `added` leave. */
  replaces: boolean;
  added: Set<number>;
  removed: Set<number>;
}

export function noChange(): MembershipChange {
  return { replaces: false, added: new Set(), removed: new Set() };
}

/** Adds an operation on `members` to the change. */
export function followOperation(change: MembershipChange, { op, filter, part, value }: PatchOperation): void {
  if (part !== null || (filter !== null && op !== 'remove'))
    throw new ScimFailure('invalid', 'invalidPath', 'Members are added and removed as a whole, by their value.');
  if (op === 'remove' && filter === null && value === null) replaceMembers(change, []);
  else if (op === 'replace') replaceMembers(change, readMembers(value));
  else if (op === 'add')
    for (const id of readMembers(value)) {
      change.added.add(id);
      change.removed.delete(id);
    }
  else
    for (const id of filter === null ? mentionedMembers(value) : chosenMembers(parseFilter(filter))) {
      change.removed.add(id);
      change.added.delete(id);
    }
}

export function replaceMembers(change: MembershipChange, members: readonly number[]): void {
  change.replaces = true;
  change.added = new Set(members);
  change.removed = new Set();
}

/** The ids in a tidied list of members. */
export function readMembers(value: unknown): number[] {
  return entriesOf(value).map((text) => {
    const id = readId(text);
    if (id === null) throw noMember(text);
    return id;
  });
}

/** Applies the change, with up to 500 people in a statement. Returns whether a person has joined or left. */
export async function changeMembers(
  tx: Queryable,
  workspaceId: number,
  teamId: number,
  { replaces, added, removed }: MembershipChange,
): Promise<boolean> {
  if (added.size + removed.size > maxMembers)
    throw new Failure('tooLarge', `One request may change at most ${maxMembers} members of a group: send several.`);
  const joining = [...added];
  const [unknown] = await tx.query<{ id: number }>(unknownSql, [workspaceId, joining]);
  if (unknown) throw noMember(String(unknown.id));
  const leaving = replaces
    ? (await tx.query<{ id: number }>(othersSql, [workspaceId, teamId, joining])).map(({ id }) => id)
    : [...removed];
  let moved = 0;
  for (const some of portions(leaving, teamId)) moved += await leaveTeams(tx, workspaceId, some);
  for (const some of portions(joining, teamId)) moved += await joinTeams(tx, workspaceId, some);
  return moved > 0;
}

/** Portions that a statement finishes well before its time-out. */
function portions(memberIds: readonly number[], teamId: number): Membership[][] {
  const count = Math.ceil(memberIds.length / portionSize);
  return Array.from({ length: count }, (_, nth) =>
    memberIds.slice(nth * portionSize, (nth + 1) * portionSize).map((memberId) => ({ memberId, teamId })),
  );
}

const unknownSql = `
  select asked.id
    from unnest($2::bigint[]) as asked (id)
   where not exists (select from members m where m.workspace_id = $1 and m.id = asked.id and ${isUser('m')})
   limit 1`;

const othersSql = `
  select member_id as id
    from team_members
   where workspace_id = $1
     and team_id = $2
     and member_id not in (select unnest($3::bigint[]))`;

/** The ids to remove. Texts that are no id are ignored: no such user is a member. */
function mentionedMembers(value: unknown): number[] {
  return entriesOf(value).flatMap((text) => readId(text) ?? []);
}

function entriesOf(value: unknown): string[] {
  return [value ?? []].flat().map((entry) => {
    if (!isObject(entry)) return String(entry);
    checkIsUser(entry);
    return String(entry.value);
  });
}

/** Users and groups have ids of their own: that of a group must not be taken for a user's. */
function checkIsUser({ type = 'User', $ref = '' }: Document): void {
  if (String(type).toLowerCase() !== 'user') throw invalidValue('members.type', 'must be User: a group has no groups');
  if (readReference('Groups', String($ref)) !== null)
    throw invalidValue('members.$ref', 'must be the address of a user: a group has no groups');
}

/** `value eq "5" or value eq "6"`. */
function chosenMembers(filter: Filter): number[] {
  if (filter.op === 'or') return filter.filters.flatMap(chosenMembers);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value')
    return mentionedMembers(String(filter.compValue));
  throw new ScimFailure(
    'invalid',
    'invalidPath',
    'Members are chosen by their value, for example members[value eq "5"].',
  );
}

function noMember(id: string): ScimFailure {
  return invalidValue('members.value', `must be the id of a user: ${beginningOf(id, 40)} does not exist`);
}
