import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { longest, plainText, textProblem } from '../../ground/values/text.ts';
import { readToday } from '../workspaces/days.ts';
import { auditMember } from './audit.ts';
import { listCustomFields, readCustomChange } from './custom-fields.ts';
import { identify } from './identify.ts';
import { checkMemberFields, type MemberFields, storedForm } from './member-fields.ts';
import { shownName } from './names.ts';
import { releaseAddresses, releaseFromMerged, releaseNumber } from './recycled.ts';
import { addMembers, updateMembers } from './save.ts';
import { findOrAddTeams, replaceTeams } from './teams.ts';
import { hasLeft, isDeprovisioned, isPerson, memberById } from './who.ts';

/** The fields of a person that a user may set by hand. `team` is a name; null is the workspace's own team. */
export interface PersonChange
  extends Omit<MemberFields, 'active' | 'leftOn' | 'userName' | 'externalId' | 'managerReference'> {
  team?: string | null;
}

/** Adds a person by hand, and returns their id. The caller holds the workspace's lock. */
export async function addPerson(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  person: PersonChange,
): Promise<number> {
  if (!person.email && !person.employeeNumber)
    throw invalid([{ path: 'email', problem: 'is required where there is no employeeNumber' }]);
  const { team, ...fields } = await check(tx, workspaceId, null, person);
  const [id = 0] = await addMembers(tx, workspaceId, [fields]);
  if (team) await setTeam(tx, workspaceId, id, team);
  await auditMember(tx, actor, workspaceId, 'member.added', id);
  return id;
}

/**
 * Changes a person by hand. Fields that are absent stay as they are. Identifiers of another person are rejected, except those of people
 * whom SCIM has deleted. The caller holds the workspace's lock.
 */
export async function changePerson(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: PersonChange,
): Promise<void> {
  const person = await checkChangeable(tx, workspaceId, id);
  if (change.leavesOn && person.hasLeft)
    throw invalid([{ path: 'leavesOn', problem: 'is for people who have not left' }]);
  const { team, ...fields } = await check(tx, workspaceId, id, change);
  await releaseFromMerged(tx, workspaceId, id, fields);
  const changed = await updateMembers(tx, workspaceId, [{ ...fields, id }]);
  const hasMoved = team !== undefined && (await setTeam(tx, workspaceId, id, team));
  if (changed.length === 0 && !hasMoved) return;
  await auditMember(tx, actor, workspaceId, 'member.changed', id, { fields: Object.keys(change) });
}

/**
 * Makes a person a leaver, or lets a leaver return. Nothing happens where they are that already. A day in the future is kept as their last
 * day. A person who returns, or stays after all, has no last day.
 */
export async function setPresence(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  presence: { active: true } | { active: false; leftOn?: string },
): Promise<void> {
  const person = await checkChangeable(tx, workspaceId, id);
  const day = presence.active ? undefined : presence.leftOn;
  const leavesOn = day !== undefined && day > (await readToday(tx, workspaceId)) ? day : null;
  if (leavesOn !== null && person.hasLeft) return;
  const change = leavesOn === null ? { ...presence, leavesOn } : { leavesOn };
  const changed = await updateMembers(tx, workspaceId, [{ id, ...change }]);
  if (changed.length === 0) return;
  if (leavesOn === null && presence.active === person.hasLeft)
    await auditMember(tx, actor, workspaceId, presence.active ? 'member.returned' : 'member.left', id);
  else await auditMember(tx, actor, workspaceId, 'member.changed', id, { fields: ['leavesOn'] });
}

/** The same for a change: the record of a person who was erased stays as it is. Else it would identify them again. */
export async function checkChangeable(tx: Queryable, workspaceId: number, id: number): Promise<{ hasLeft: boolean }> {
  const { hasLeft, isErased } = await checkPerson(tx, workspaceId, id);
  if (isErased)
    throw new Failure(
      'conflict',
      `Member ${id} was erased, and the record stays empty. Add a person who comes back as a new one.`,
    );
  return { hasLeft };
}

/** A merged record and an integration are no people. */
export async function checkPerson(
  on: Queryable,
  workspaceId: number,
  id: number,
): Promise<{ hasLeft: boolean; isErased: boolean }> {
  const person = await queryOptional<{ hasLeft: boolean; isErased: boolean }>(
    on,
    `select ${hasLeft('m')} as "hasLeft", m.erased_at is not null as "isErased"
       from members m
      where m.workspace_id = $1 and m.id = $2 and ${isPerson('m')}`,
    [workspaceId, id],
  );
  if (!person) throw new Failure('missing', 'There is no member with this id in this workspace.');
  return person;
}

async function check(
  tx: Queryable,
  workspaceId: number,
  id: number | null,
  given: PersonChange,
): Promise<PersonChange> {
  const custom = given.custom && readCustomChange(await listCustomFields(tx, workspaceId), given.custom);
  const change = {
    ...storedForm(given),
    ...(given.team && { team: plainText(given.team) || null }),
    ...(custom && { custom: custom.change }),
  };
  const teamProblem = change.team ? textProblem(change.team, longest.teamName) : null;
  const faults = [
    ...checkMemberFields(change),
    ...(custom?.faults ?? []),
    ...(teamProblem === null ? [] : [{ path: 'team', problem: teamProblem }]),
  ];
  if (faults.length === 0 && change.leavesOn && change.leavesOn < (await readToday(tx, workspaceId)))
    faults.push({ path: 'leavesOn', problem: 'must be today or later' });
  if (faults.length > 0) throw invalid(faults);
  const { email = null, employeeNumber = null } = change;
  const [found] = await identify(tx, workspaceId, [{ email, employeeNumber }]);
  const byEmail = found && !found.isFormerEmail ? found.byEmail : null;
  if (email && byEmail !== null && byEmail !== id) await takeFrom(tx, workspaceId, byEmail, 'email', email);
  const byNumber = found?.byEmployeeNumber ?? null;
  if (employeeNumber && byNumber !== null && byNumber !== id)
    await takeFrom(tx, workspaceId, byNumber, 'employeeNumber', employeeNumber);
  if (!change.managerId) return change;
  return { ...change, managerId: await findNamed(tx, workspaceId, change.managerId) };
}

interface Owner {
  name: string;
  hasLeft: boolean;
  isDeleted: boolean;
}

/** Identifiers of people whom SCIM has deleted are free (RFC 7644, 3.6). All other people keep theirs. */
async function takeFrom(
  tx: Queryable,
  workspaceId: number,
  id: number,
  field: 'email' | 'employeeNumber',
  value: string,
): Promise<void> {
  const owner = await queryOne<Owner>(tx, ownerSql, [workspaceId, id]);
  if (owner.isDeleted) {
    if (field === 'email') await releaseAddresses(tx, workspaceId, [id], [value]);
    else await releaseNumber(tx, workspaceId, id, value);
    return;
  }
  const who = `${owner.name || 'another person'} (member ${id}${owner.hasLeft ? ', who has left' : ''})`;
  throw new Failure(
    'conflict',
    `${field} belongs to ${who}: merge the two records if they are one person, or take it away from that record first.`,
  );
}

const ownerSql = `
  select ${shownName('m')} as name,
         ${hasLeft('m')} as "hasLeft",
         ${isDeprovisioned('m')} as "isDeleted"
    from members m
   where m.workspace_id = $1
     and m.id = $2`;

/** The record that counts of a manager whom the caller names by id. */
async function findNamed(tx: Queryable, workspaceId: number, managerId: number): Promise<number> {
  const { found } = await queryOne<{ found: number | null }>(tx, `select ${memberById('$1', '$2::bigint')} as found`, [
    workspaceId,
    managerId,
  ]);
  if (found === null) throw invalid([{ path: 'managerId', problem: 'is no member of this workspace' }]);
  return found;
}

/** Moves a person to a team. Returns whether they were in another one. */
async function setTeam(tx: Queryable, workspaceId: number, id: number, team: string | null): Promise<boolean> {
  const teamId = team === null ? await readDefaultTeam(tx, workspaceId) : await teamOf(tx, workspaceId, team);
  return (await replaceTeams(tx, workspaceId, [{ memberId: id, teamId }])) > 0;
}

async function teamOf(tx: Queryable, workspaceId: number, team: string): Promise<number> {
  return (await findOrAddTeams(tx, workspaceId, [team])).get(team) as number;
}

async function readDefaultTeam(tx: Queryable, workspaceId: number): Promise<number> {
  const { id } = await queryOne<{ id: number }>(tx, 'select default_team_id as id from workspaces where id = $1', [
    workspaceId,
  ]);
  return id;
}
