import { type Database, lookUpByKey, type Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { differences } from '../../ground/values/differences.ts';
import { listCustomFields } from '../directory/custom-fields.ts';
import { erasedText, findErased } from '../directory/erased-marks.ts';
import { type MemberNote, takeNotes } from '../directory/events.ts';
import { beginKeeping, endKeeping } from '../directory/kept-people.ts';
import { findLoopsAmong } from '../directory/manager-loops.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import { comparePerson } from '../directory/recycled.ts';
import { addMembers, takeMemberIds, updateMembers } from '../directory/save.ts';
import { findOrAddTeams, replaceTeams } from '../directory/teams.ts';
import { continueUndo, dropUndo } from '../undo/undo.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import type { RowClaims } from './claims.ts';
import { type CurrentMember, readCurrent } from './current.ts';
import { type DamagedNumber, damageText, findDamaged } from './damaged-numbers.ts';
import { findKnown, type RowMembers } from './known.ts';
import { noteManager, recallManagers, toldBy } from './managers.ts';
import { countBatch, keepWritten } from './open-imports.ts';
import type { FilePerson } from './people.ts';
import type { PersonRow } from './person.ts';
import { type Plan, type PlanStep, planRows, type Renumbering } from './plan.ts';
import type { Written } from './written.ts';

interface Batches {
  database: Database;
  workspaceId: number;
  importId: string;
  isDryRun: boolean;
  written: Written;
}

/** The transaction of one batch. A dry run only reads, from one snapshot, and takes no lock. */
export async function inBatch<T>(batches: Batches, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const { database, workspaceId, importId, isDryRun, written } = batches;
  const { result, notes } = await database.transaction(async (tx) => {
    if (isDryRun) await tx.query('set transaction isolation level repeatable read, read only');
    else {
      await lockWorkspace(tx, workspaceId);
      if (written.count <= mostUndone) beginKeeping(tx, workspaceId, importId);
    }
    // The import makes the table grow, and the planner's statistics are stale.
    await lookUpByKey(tx);
    const result = await work(tx);
    const notes = takeNotes(tx, workspaceId);
    await countBatch(tx, workspaceId, importId, written, notes);
    if (notes.length > 0 && written.count <= mostUndone) await keepForUndo(tx, batches, notes);
    return { result, notes };
  });
  keepWritten(written, notes);
  return result;
}

/** Undoing is one transaction, in which no other one changes people: it must not take longer than some seconds. */
const mostUndone = 10_000;

/** An import that changes more people than that is given up as one that can be undone. */
async function keepForUndo(
  tx: Queryable,
  { workspaceId, importId, written }: Batches,
  notes: readonly MemberNote[],
): Promise<void> {
  await continueUndo(tx, workspaceId, importId);
  const count = written.count + notes.filter(({ id }) => written.how(id) === null).length;
  if (count > mostUndone) return dropUndo(tx, workspaceId, importId);
  const idsOf = (some: readonly MemberNote[]) => some.map(({ id }) => id);
  const added = notes.filter(({ isAdded }) => isAdded);
  const changed = notes.filter(({ isAdded }) => !isAdded);
  await endKeeping(tx, workspaceId, idsOf(changed), idsOf(added));
}

/** The plan of a batch, and its rows that wait until all others are taken. */
interface BatchPlan extends Plan {
  waiting: PersonRow[];
  damaged: DamagedNumber[];
}

export async function planBatch(
  tx: Queryable,
  claims: RowClaims,
  people: PersonRow[],
  renumbering: Renumbering,
): Promise<BatchPlan> {
  const { workspaceId } = claims;
  await recallManagers(
    tx,
    claims,
    people.flatMap(({ manager }) => manager ?? []),
  );
  const found = await findKnown(tx, workspaceId, people, claims.isListing || claims.isDryRun);
  const damaged = await findDamaged(tx, claims, people, found);
  const current = await readCurrent(tx, workspaceId, changedIds(found));
  const isPresent = presence(claims, found);
  const known = found.map((one, nth) => one && withoutRecycled(one, people[nth] as PersonRow, current, isPresent));
  const isDamaged = (nth: number) => damaged.has(people[nth] as PersonRow);
  const waits = known.map((one, nth) => claims.beforeWaiting === null && !isDamaged(nth) && isByFormerAlone(one));
  const erased = await findErasedRows(tx, workspaceId, people, found);
  const ready = <T>(_: T, nth: number) => !waits[nth] && !isDamaged(nth) && !erased.has(people[nth] as PersonRow);
  const plan = planRows({ claims, current, renumbering }, people.filter(ready), known.filter(ready));
  for (const [row, number] of damaged) plan.rejected.push({ row, reason: damageText(number, claims.advice) });
  for (const [row, day] of erased) plan.rejected.push({ row, reason: erasedText(day) });
  return { ...plan, waiting: people.filter((_, nth) => waits[nth]), damaged: [...damaged.values()] };
}

/** Rows that identify no member, and whose address or number was an erased person's. */
async function findErasedRows(
  tx: Queryable,
  workspaceId: number,
  people: readonly PersonRow[],
  found: readonly (RowMembers | undefined)[],
): Promise<Map<PersonRow, string>> {
  const unknown = people.filter((_, nth) => found[nth] === undefined);
  const days = await findErased(
    tx,
    workspaceId,
    unknown.map(({ fields }) => fields),
  );
  return new Map(unknown.flatMap((row, nth) => (days[nth] ? [[row, days[nth]] as const] : [])));
}

/** Whether the file has a member under their current address or number, in this batch or before. */
function presence(
  { people, beforeWaiting }: RowClaims,
  found: readonly (RowMembers | undefined)[],
): (id: number) => boolean {
  // By now the whole file was looked at. Those whom a former address alone has led to do not count.
  if (beforeWaiting !== null) return (id) => (people.byId(id)?.nth ?? beforeWaiting) < beforeWaiting;
  const here = found.flatMap((one) => [one?.isFormerEmail ? null : one?.byEmail, one?.byEmployeeNumber]);
  const present = new Set(here.filter(Boolean));
  return (id) => present.has(id) || people.byId(id) !== undefined;
}

/** Whether a former address alone identifies the member: the file may have its former owner in a later batch. */
function isByFormerAlone(known: RowMembers | undefined): boolean {
  if (!known?.isFormerEmail) return false;
  return known.byEmail !== null && known.byEmployeeNumber !== known.byEmail;
}

/** The members whose records have to be compared with their rows. */
function changedIds(found: readonly (RowMembers | undefined)[]): number[] {
  const ids = found.flatMap((one) => (one && !one.isSame ? [one.byEmail, one.byEmployeeNumber] : []));
  return [...new Set(ids)].filter((id) => id !== null);
}

/**
 * A former address now belongs to another person if it comes with another employee number, or if the file also has its former
 * owner under their current address or number.
 */
function withoutRecycled(
  found: RowMembers,
  { fields }: PersonRow,
  current: ReadonlyMap<number, CurrentMember>,
  isPresent: (id: number) => boolean,
): RowMembers {
  const member = found.byEmail !== null && found.isFormerEmail ? current.get(found.byEmail) : undefined;
  const isAnother =
    member && (isPresent(member.id) || comparePerson({ ...member, hasLeft: !member.active }, fields) !== 'same');
  return isAnother ? { ...found, byEmail: null } : found;
}

/** What a dry run does in place of saving: it needs distinct ids that no member has, which are negative line numbers. */
export function keepPlan(claims: RowClaims, plan: Plan): void {
  for (const { additions } of plan.steps) {
    for (const { person } of additions) person.id = -person.line;
    setManagersWithin(plan, claims, additions);
  }
}

export async function savePlan(tx: Queryable, claims: RowClaims, plan: Plan): Promise<void> {
  const { workspaceId } = claims;
  await checkCustomFields(tx, claims, plan);
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

/**
 * New people whose manager is added with them, or comes later in the same batch, are added with that manager, unless that closes a loop:
 * all rows decide about these.
 */
function setManagersWithin(plan: Plan, claims: RowClaims, additions: PlanStep['additions']): void {
  const fieldsOf = new Map(additions.map(({ person, fields }) => [person, fields]));
  const told = plan.managers.flatMap((row) => {
    const manager = fieldsOf.has(row.person) ? toldBy(claims, row.manager) : undefined;
    // An id of 0: the manager is added by a later step.
    const isNamed = manager && manager.nth !== row.person.nth && manager.id !== 0;
    return isNamed ? [{ row, id: row.person.id, managerId: manager.id }] : [];
  });
  const known = additions.map(({ person, fields }) => ({ id: person.id, managerId: fields.managerId ?? null }));
  const loops = findLoopsAmong([...known, ...told]);
  const set = new Map(told.flatMap(({ row, id, managerId }) => (loops.has(id) ? [] : [[row, managerId] as const])));
  for (const [{ person }, managerId] of set) {
    (fieldsOf.get(person) as MemberFields).managerId = managerId;
    noteManager(claims, person, managerId);
  }
  plan.managers = plan.managers.filter((row) => !set.has(row));
}

/** Custom fields may be defined and removed between two batches. Values that were checked with others are not written. */
async function checkCustomFields(tx: Queryable, { workspaceId, custom }: RowClaims, { steps }: Plan): Promise<void> {
  const isWritten = steps.some(({ changes, additions }) =>
    [...changes, ...additions.map(({ fields }) => fields)].some((fields) => fields.custom !== undefined),
  );
  if (isWritten && differences(await listCustomFields(tx, workspaceId), custom).length > 0)
    throw new Failure('conflict', 'The custom fields were changed during the import: import the file again.');
}

async function findTeams(tx: Queryable, workspaceId: number, { teams }: Plan): Promise<Map<FilePerson, number>> {
  if (teams.length === 0) return new Map();
  const ids = await findOrAddTeams(tx, workspaceId, [...new Set(teams.map(({ team }) => team))]);
  return new Map(teams.map(({ person, team }) => [person, ids.get(team) as number]));
}
