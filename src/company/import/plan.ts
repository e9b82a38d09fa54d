import { readCell } from '../../ground/sheets/cells.ts';
import { safeCell } from '../../ground/values/csv.ts';
import type { CustomChange } from '../../ground/values/custom-field.ts';
import { addressKey } from '../../ground/values/email.ts';
import { openFields } from '../../ground/values/member.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import { comparePerson } from '../directory/recycled.ts';
import type { MemberUpdate } from '../directory/save.ts';
import { describeChange, type Named, noteChange } from './changes.ts';
import { emailKey, numberKey, type RowClaims, whoIs } from './claims.ts';
import { customColumn } from './columns.ts';
import type { CurrentMember } from './current.ts';
import type { RowMembers } from './known.ts';
import { noteManager, toldBy } from './managers.ts';
import type { Leaver, OpenManager } from './open-rows.ts';
import type { FilePerson } from './people.ts';
import type { PersonRow } from './person.ts';

/** Rows that can be written together: no row takes an address or number that another row of the step gives up. */
export interface PlanStep {
  changes: MemberUpdate[];
  additions: { person: FilePerson; fields: MemberFields }[];
  givenUp: Set<string>;
}

export interface Plan {
  people: FilePerson[];
  steps: PlanStep[];
  /** New teams of people. */
  teams: { person: FilePerson; team: string }[];
  managers: OpenManager[];
  /** Not in `changes`: the number of leavers in the whole file has to be known first. */
  leavers: Leaver[];
  returning: number;
  /** How many rows repeat an earlier row. */
  repeated: number;
  rejected: { row: PersonRow; reason: string }[];
}

/** Whose employee number may change: keys of email addresses, or all people. */
export type Renumbering = ReadonlySet<string> | 'all';

/** What is known about the people of a batch before it is planned. */
interface Knowledge {
  claims: RowClaims;
  current: ReadonlyMap<number, CurrentMember>;
  renumbering: Renumbering;
}

/** Plans what a batch of rows changes. Modifies only `claims`. */
export function planRows(
  knowledge: Knowledge,
  rows: readonly PersonRow[],
  known: readonly (RowMembers | undefined)[],
): Plan {
  const plan: Plan = {
    people: [],
    steps: [],
    teams: [],
    managers: [],
    leavers: [],
    returning: 0,
    repeated: 0,
    rejected: [],
  };
  for (const [nth, row] of rows.entries()) planRow(plan, knowledge, row, known[nth]);
  return plan;
}

function planRow(plan: Plan, knowledge: Knowledge, row: PersonRow, found: RowMembers | undefined): void {
  const { claims, current, renumbering } = knowledge;
  const who = whoIs(claims, row.fields, found);
  if (typeof who === 'object' && who !== null) {
    if (who.saidSame(textOf(row))) plan.repeated++;
    else plan.rejected.push({ row, reason: `this is the person of line ${who.line} again, and says something else` });
    return;
  }
  if (typeof who === 'number' && found?.isSame) {
    planSame(plan, claims, row, { ...found, id: who });
    return;
  }
  const member = typeof who === 'number' ? current.get(who) : undefined;
  const reason = typeof who === 'string' ? who : member && contradiction(claims, row, member, found, renumbering);
  if (reason !== undefined) plan.rejected.push({ row, reason });
  else if (member) planKnown(plan, claims, row, member, found);
  else planNew(plan, claims, row);
}

function planNew(plan: Plan, claims: RowClaims, row: PersonRow): void {
  const { fields } = row;
  const person = takePerson(plan, claims, row, undefined);
  const managerId = planManager(plan, claims, row, person, null);
  if (managerId !== undefined) fields.managerId = managerId;
  planTeam(plan, row, person, undefined);
  stepFor(plan, fields).additions.push({ person, fields });
}

/** The record has everything that the row says. Only the manager may have changed. */
function planSame(plan: Plan, claims: RowClaims, row: PersonRow, member: RowMembers & { id: number }): void {
  const person = takePerson(plan, claims, row, member);
  const managerId = planManager(plan, claims, row, person, member.managerId);
  if (managerId === undefined) return;
  noteChange(person, ['managerId']);
  stepFor(plan, {}).changes.push({ id: member.id, managerId });
}

function planKnown(
  plan: Plan,
  claims: RowClaims,
  row: PersonRow,
  member: CurrentMember,
  found: RowMembers | undefined,
): void {
  const person = takePerson(plan, claims, row, member);
  const fields = differences(row.fields, member, found);
  planLeaving(plan, row, person, fields);
  const managerId = planManager(plan, claims, row, person, member.managerId);
  if (managerId !== undefined) fields.managerId = managerId;
  planTeam(plan, row, person, member);
  if (Object.keys(fields).length === 0) return;
  const { custom = {}, ...others } = fields;
  noteChange(person, [...Object.keys(others), ...Object.keys(custom).map(customColumn)]);
  const step = stepFor(plan, fields);
  step.changes.push({ id: member.id, ...fields });
  for (const key of keysGivenUp(fields, member)) {
    step.givenUp.add(key);
    claims.givenUp.set(key, member.id);
  }
}

type KnownPerson = Named & { id: number; active?: boolean | null };

function takePerson(plan: Plan, claims: RowClaims, row: PersonRow, member: KnownPerson | undefined): FilePerson {
  const { email, employeeNumber } = row.fields;
  const person = claims.people.add({
    line: row.line,
    id: member?.id ?? 0,
    outcome: member ? 'unchanged' : 'added',
    said: textOf(row),
    email: email ? addressKey(email) : undefined,
    number: employeeNumber || undefined,
    change: claims.isListing ? describeChange(member ?? row.fields, member !== undefined) : null,
  });
  plan.people.push(person);
  if (claims.isDryRun) keepName(claims, row.fields, person, member);
  return person;
}

/** The name by which the rows of a dry run find this person as a manager. Leavers leave after managers are found. */
function keepName(claims: RowClaims, fields: MemberFields, person: FilePerson, member: KnownPerson | undefined): void {
  const isHere = member ? member.active || fields.active === true : fields.active !== false;
  const { firstName = member?.firstName, lastName = member?.lastName } = fields;
  const key = `${firstName ?? ''} ${lastName ?? ''}`.trim().toLowerCase();
  if (isHere && key !== '') claims.people.addName(person, key);
}

/** What a row says, to recognize rows that repeat it. */
function textOf({ fields, team, manager }: PersonRow): string {
  return JSON.stringify([fields, team, manager]);
}

/** Why the row is not about the member that its address identifies; undefined if it is. */
function contradiction(
  { workspaceId, advice }: RowClaims,
  { fields: { email, employeeNumber } }: PersonRow,
  member: CurrentMember,
  found: RowMembers | undefined,
  renumbering: Renumbering,
): string | undefined {
  if (!email || !employeeNumber || found?.byEmployeeNumber === member.id) return undefined;
  if (isSame(member.employeeNumber, employeeNumber)) return undefined;
  if (renumbering === 'all' || renumbering.has(addressKey(email))) return undefined;
  const compared = comparePerson({ ...member, hasLeft: !member.active }, { employeeNumber });
  if (compared === 'same') return undefined;
  return (
    `email is that of member ${member.id}, who ${compared === 'recycled' ? 'has left' : 'is here'} and has the ` +
    `employeeNumber "${member.employeeNumber}": if this is the same person with a new number, ${advice.renumber(email)}; ` +
    `if the address now belongs to another person, ${advice.split({ workspaceId, id: member.id })}`
  );
}

/** Moves the leaving out of the fields that are written with the batch. */
function planLeaving(plan: Plan, { cells }: PersonRow, person: FilePerson, fields: MemberFields): void {
  if (fields.active === true) {
    plan.returning++;
    if (person.change) person.change.change = 'returns';
  }
  if (fields.active !== false) return;
  plan.leavers.push({ person, leftOn: fields.leftOn, cells });
  delete fields.active;
  delete fields.leftOn;
}

/** The current step, or a new one if these fields take what a row of the current step gives up. */
function stepFor({ steps }: Plan, { email, employeeNumber }: MemberFields): PlanStep {
  const last = steps.at(-1);
  if (last && !last.givenUp.has(emailKey(email)) && !last.givenUp.has(numberKey(employeeNumber))) return last;
  const next: PlanStep = { changes: [], additions: [], givenUp: new Set() };
  steps.push(next);
  return next;
}

function differences(fields: MemberFields, member: CurrentMember, found: RowMembers | undefined): MemberFields {
  const changed: MemberFields = {};
  for (const name of openFields) {
    const value = fields[name];
    if (value !== undefined && !isSame(member[name], value)) changed[name] = value;
  }
  const custom = customDifferences(fields, member);
  if (custom) changed.custom = custom;
  if (fields.active !== undefined && fields.active !== member.active) {
    changed.active = fields.active;
    if (fields.leftOn !== undefined) changed.leftOn = fields.leftOn;
  }
  // An address or number that identifies the person but is not their own is that of a merged record: it stays there.
  if (found?.byEmail === member.id && found.isEmailOfMerged) delete changed.email;
  if (found?.byEmployeeNumber === member.id) delete changed.employeeNumber;
  return changed;
}

function customDifferences({ custom = {} }: MemberFields, member: CurrentMember): CustomChange | null {
  const differing = Object.entries(custom).filter(([key, value]) => {
    const stored = member.custom?.[key] ?? null;
    return typeof stored === 'string' && typeof value === 'string' ? !isSame(stored, value) : stored !== value;
  });
  return differing.length === 0 ? null : Object.fromEntries(differing);
}

/** Whether an export would write the stored text exactly as this cell. Then the cell changes nothing. */
function isSame(text: string | null, value: string | null): boolean {
  return readCell(safeCell(text ?? '')) === (value ?? '');
}

function keysGivenUp({ email, employeeNumber }: MemberFields, member: CurrentMember): string[] {
  return [
    ...(email && member.email && emailKey(email) !== emailKey(member.email) ? [emailKey(member.email)] : []),
    ...(employeeNumber && member.employeeNumber ? [numberKey(member.employeeNumber)] : []),
  ];
}

function planTeam(plan: Plan, { team }: PersonRow, person: FilePerson, member: CurrentMember | undefined): void {
  if (team === undefined || (member && isSame(member.team.toLowerCase(), team.toLowerCase()))) return;
  if (member) noteChange(person, ['team']);
  plan.teams.push({ person, team });
}

/**
 * The manager's id if an earlier row has them; else they are identified after all rows. A new manager of a person who was here before is
 * set then too: whether it closes a loop depends on all rows.
 */
function planManager(
  plan: Plan,
  claims: RowClaims,
  row: PersonRow,
  person: FilePerson,
  currentManagerId: number | null,
): number | null | undefined {
  const { manager, cells } = row;
  if (manager === undefined) return undefined;
  if (manager === null) {
    if (currentManagerId === null) return undefined;
    noteManager(claims, person, null);
    return null;
  }
  const told = toldBy(claims, manager);
  if (told && told.nth !== person.nth && told.id !== 0 && told.id !== person.id) {
    if (told.id === currentManagerId) return undefined;
    if (person.outcome === 'added') {
      noteManager(claims, person, told.id);
      return told.id;
    }
  }
  plan.managers.push({ person, manager, currentManagerId, cells });
  return undefined;
}
