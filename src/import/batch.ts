import { type Database, lookUpByKey, type Queryable } from '../database/database.ts';
import { takeNotes } from '../directory/events.ts';
import { type Identified, identify } from '../directory/identify.ts';
import { comparePerson } from '../directory/recycled.ts';
import { addMembers, updateMembers } from '../directory/save.ts';
import { findOrAddTeams, joinTeams, replaceTeams } from '../directory/teams.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import type { Claims, Person } from './claims.ts';
import { type CurrentMember, readCurrent } from './current.ts';
import { toldBy } from './managers.ts';
import { followMerges } from './merges.ts';
import { countBatch, keepWritten, type Written } from './open-imports.ts';
import type { PersonRow } from './person.ts';
import { type Plan, planRows, type Renumbering } from './plan.ts';

interface Batches {
  database: Database;
  workspaceId: number;
  importId: string;
  isDryRun: boolean;
  written: Written;
}

/** The transaction of one batch. A dry run only reads, from one snapshot, and takes no lock. */
export async function inTransaction<T>(batches: Batches, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const { database, workspaceId, importId, isDryRun, written } = batches;
  const { result, notes } = await database.transaction(async (tx) => {
    if (isDryRun) await tx.query('set transaction isolation level repeatable read, read only');
    else await lockWorkspace(tx, workspaceId);
    // The import makes the table grow, and the planner's statistics are stale.
    await lookUpByKey(tx);
    const result = await work(tx);
    const notes = takeNotes(tx, workspaceId);
    await countBatch(tx, workspaceId, importId, written, notes);
    return { result, notes };
  });
  keepWritten(written, notes);
  return result;
}

export async function planBatch(
  tx: Queryable,
  claims: Claims,
  people: PersonRow[],
  renumbering: Renumbering,
): Promise<Plan> {
  const { workspaceId } = claims;
  const told = people.flatMap(({ manager }) => (manager ? (toldBy(claims, manager) ?? []) : []));
  await followMerges(tx, claims, told);
  const identified = await identify(
    tx,
    workspaceId,
    people.map(({ fields }) => fields),
  );
  const ids = new Set(identified.flatMap(({ byEmail, byEmployeeNumber }) => [byEmail, byEmployeeNumber]));
  const current = await readCurrent(
    tx,
    workspaceId,
    [...ids].filter((id) => id !== null),
  );
  const present = new Set(
    identified.flatMap(({ byEmail, byEmployeeNumber, isFormerEmail }) => [
      isFormerEmail ? null : byEmail,
      byEmployeeNumber,
    ]),
  );
  const isPresent = (id: number) => present.has(id) || claims.people.has(id);
  const known = identified.map((found, nth) => withoutRecycled(found, people[nth] as PersonRow, current, isPresent));
  return planRows(claims, people, known, current, renumbering);
}

/**
 * A former address now belongs to another person if it comes with another employee number, or if the file also has its former
 * owner under their current address or number.
 */
function withoutRecycled(
  found: Identified,
  { fields }: PersonRow,
  current: ReadonlyMap<number, CurrentMember>,
  isPresent: (id: number) => boolean,
): Identified {
  const member = found.byEmail !== null && found.isFormerEmail ? current.get(found.byEmail) : undefined;
  const isAnother =
    member && (isPresent(member.id) || comparePerson({ ...member, hasLeft: !member.active }, fields) !== 'same');
  return isAnother ? { ...found, byEmail: null } : found;
}

export async function savePlan(tx: Queryable, workspaceId: number, plan: Plan): Promise<void> {
  const teams = await findTeams(tx, workspaceId, plan);
  for (const { changes, additions } of plan.steps) {
    if (changes.length > 0) await updateMembers(tx, workspaceId, changes);
    if (additions.length === 0) continue;
    const people = additions.map(({ person, fields }) => {
      const teamId = teams.get(person);
      return { ...fields, ...(teamId !== undefined && { teamId }) };
    });
    const ids = await addMembers(tx, workspaceId, people);
    for (const [nth, { person }] of additions.entries()) person.id = ids[nth] as number;
  }
  if (teams.size === 0) return;
  const wanted = [...teams].map(([{ id, outcome }, teamId]) => ({ memberId: id, teamId, outcome }));
  const moving = wanted.filter(({ outcome }) => outcome !== 'added');
  if (moving.length > 0) await replaceTeams(tx, workspaceId, moving);
  const joining = wanted.filter(({ outcome }) => outcome === 'added');
  if (joining.length > 0) await joinTeams(tx, workspaceId, joining);
}

async function findTeams(tx: Queryable, workspaceId: number, { teams }: Plan): Promise<Map<Person, number>> {
  if (teams.length === 0) return new Map();
  const ids = await findOrAddTeams(tx, workspaceId, [...new Set(teams.map(({ team }) => team))]);
  return new Map(teams.map(({ person, team }) => [person, ids.get(team) as number]));
}
