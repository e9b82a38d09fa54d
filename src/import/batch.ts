import { type Database, lookUpByKey, type Queryable } from '../database/database.ts';
import { takeNotes } from '../directory/events.ts';
import { comparePerson } from '../directory/recycled.ts';
import { addMembers, takeMemberIds, updateMembers } from '../directory/save.ts';
import { findOrAddTeams, replaceTeams } from '../directory/teams.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import type { Claims } from './claims.ts';
import { type CurrentMember, readCurrent } from './current.ts';
import { findKnown, type Known } from './known.ts';
import { recallManagers, toldBy } from './managers.ts';
import { countBatch, keepWritten } from './open-imports.ts';
import type { Person } from './people.ts';
import type { PersonRow } from './person.ts';
import { type Plan, planRows, type Renumbering, type Step } from './plan.ts';
import type { Written } from './written.ts';

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
  await recallManagers(
    tx,
    claims,
    people.flatMap(({ manager }) => manager ?? []),
  );
  const found = await findKnown(tx, workspaceId, people, claims.isListing);
  const current = await readCurrent(tx, workspaceId, changedIds(found));
  const present = new Set(
    found.flatMap((one) => [one?.isFormerEmail ? null : one?.byEmail, one?.byEmployeeNumber]).filter(Boolean),
  );
  const isPresent = (id: number) => present.has(id) || claims.people.byId(id) !== undefined;
  const known = found.map((one, nth) => one && withoutRecycled(one, people[nth] as PersonRow, current, isPresent));
  return planRows({ claims, current, renumbering }, people, known);
}

/** The members whose records have to be compared with their rows. */
function changedIds(found: readonly (Known | undefined)[]): number[] {
  const ids = found.flatMap((one) => (one && !one.isSame ? [one.byEmail, one.byEmployeeNumber] : []));
  return [...new Set(ids)].filter((id) => id !== null);
}

/**
 * A former address now belongs to another person if it comes with another employee number, or if the file also has its former
 * owner under their current address or number.
 */
function withoutRecycled(
  found: Known,
  { fields }: PersonRow,
  current: ReadonlyMap<number, CurrentMember>,
  isPresent: (id: number) => boolean,
): Known {
  const member = found.byEmail !== null && found.isFormerEmail ? current.get(found.byEmail) : undefined;
  const isAnother =
    member && (isPresent(member.id) || comparePerson({ ...member, hasLeft: !member.active }, fields) !== 'same');
  return isAnother ? { ...found, byEmail: null } : found;
}

export async function savePlan(tx: Queryable, claims: Claims, plan: Plan): Promise<void> {
  const { workspaceId } = claims;
  const teams = await findTeams(tx, workspaceId, plan);
  for (const { changes, additions } of plan.steps) {
    if (changes.length > 0) await updateMembers(tx, workspaceId, changes);
    if (additions.length === 0) continue;
    const ids = await takeMemberIds(tx, additions.length);
    for (const [nth, { person }] of additions.entries()) person.id = ids[nth] as number;
    setManagersWithin(plan, claims, additions);
    const people = additions.map(({ person, fields }) => {
      const teamId = teams.get(person);
      return { ...fields, ...(teamId !== undefined && { teamId }) };
    });
    await addMembers(tx, workspaceId, people, ids);
  }
  const moving = [...teams].filter(([{ outcome }]) => outcome !== 'added');
  if (moving.length > 0)
    await replaceTeams(
      tx,
      workspaceId,
      moving.map(([{ id }, teamId]) => ({ memberId: id, teamId })),
    );
}

/** New people whose manager is added with them, or comes later in the same batch, are added with that manager. */
function setManagersWithin(plan: Plan, claims: Claims, additions: Step['additions']): void {
  const fieldsOf = new Map(additions.map(({ person, fields }) => [person, fields]));
  plan.managers = plan.managers.filter(({ person, manager }) => {
    const fields = fieldsOf.get(person);
    const told = fields && toldBy(claims, manager);
    // An id of 0: the manager is added by a later step.
    if (!fields || !told || told.nth === person.nth || told.id === 0) return true;
    fields.managerId = told.id;
    return false;
  });
}

async function findTeams(tx: Queryable, workspaceId: number, { teams }: Plan): Promise<Map<Person, number>> {
  if (teams.length === 0) return new Map();
  const ids = await findOrAddTeams(tx, workspaceId, [...new Set(teams.map(({ team }) => team))]);
  return new Map(teams.map(({ person, team }) => [person, ids.get(team) as number]));
}
