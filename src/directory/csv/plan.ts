import { safeCell } from '../../contract/csv.ts';
import { isEmail } from '../../contract/email.ts';
import type { Identified } from '../identify.ts';
import type { MemberFields } from '../member-fields.ts';
import type { MemberChange } from '../save.ts';
import { type Claims, claim, emailKey, numberKey, type Person, whoIs } from './claims.ts';
import type { CurrentMember } from './current.ts';
import { type PersonRow, readCell } from './person.ts';

/** What can be written together: nobody takes an address or a number here that somebody gives up here. */
export interface Step {
  changes: MemberChange[];
  additions: { person: Person; fields: MemberFields }[];
  givenUp: Set<string>;
}

/** A manager who is not known yet, because they may come later in the file. */
export interface OpenManager {
  person: Person;
  manager: string;
  currentManagerId: number | null;
  line: number;
  /** As one text, because a file may have very many of them. */
  cells: string;
}

export interface Plan {
  people: Person[];
  steps: Step[];
  /** The team that is new to a person. */
  teams: { person: Person; team: string }[];
  managers: OpenManager[];
  rejected: { row: PersonRow; reason: string }[];
}

/** Decides what a batch of rows means. Nothing but claims is changed by this. */
export function planRows(
  claims: Claims,
  rows: readonly PersonRow[],
  identified: readonly Identified[],
  current: ReadonlyMap<number, CurrentMember>,
): Plan {
  const plan: Plan = { people: [], steps: [], teams: [], managers: [], rejected: [] };
  for (const [nth, row] of rows.entries()) {
    const found = identified[nth];
    const who = whoIs(claims, row.fields, found);
    if (typeof who === 'string') {
      plan.rejected.push({ row, reason: who });
      continue;
    }
    const member = who === null ? undefined : current.get(who);
    const person: Person = { line: row.line, id: who ?? 0, outcome: member ? 'unchanged' : 'added' };
    claim(claims, person, row.fields);
    plan.people.push(person);
    const fields = member ? differences(row.fields, member, found) : row.fields;
    const managerId = planManager(plan, claims, row, person, member);
    if (managerId !== undefined) fields.managerId = managerId;
    planTeam(plan, row, person, member);
    if (!member) stepFor(plan, fields).additions.push({ person, fields });
    else if (Object.keys(fields).length > 0) {
      person.outcome = 'changed';
      const step = stepFor(plan, fields);
      step.changes.push({ id: member.id, ...fields });
      for (const key of keysGivenUp(fields, member)) {
        step.givenUp.add(key);
        claims.givenUp.set(key, member.id);
      }
    }
  }
  return plan;
}

/** The step that is being planned, or another one where these fields take what it gives up. */
function stepFor({ steps }: Plan, { email, employeeNumber }: MemberFields): Step {
  const last = steps.at(-1);
  if (last && !last.givenUp.has(emailKey(email)) && !last.givenUp.has(numberKey(employeeNumber))) return last;
  const next: Step = { changes: [], additions: [], givenUp: new Set() };
  steps.push(next);
  return next;
}

const texts = [
  'email',
  'employeeNumber',
  'firstName',
  'lastName',
  'department',
  'costCentre',
  'location',
  'currency',
  'pictureUrl',
] as const;

function differences(fields: MemberFields, member: CurrentMember, found: Identified | undefined): MemberFields {
  const changed: MemberFields = {};
  for (const name of texts) {
    const value = fields[name];
    if (value !== undefined && !isSame(member[name], value)) changed[name] = value;
  }
  if (fields.active !== undefined && fields.active !== member.active) {
    changed.active = fields.active;
    if (fields.leftOn !== undefined) changed.leftOn = fields.leftOn;
  }
  // Whom an address or number leads to that is not their own had it before a merge: it stays another one of theirs.
  if (found?.byEmail === member.id && emailKey(changed.email) !== emailKey(member.email)) delete changed.email;
  if (found?.byEmployeeNumber === member.id) delete changed.employeeNumber;
  return changed;
}

/** Whether an export would write a text so that it reads as this: whatever the text is, the way there and back is none. */
function isSame(text: string | null, value: string | null): boolean {
  return readCell(safeCell(text ?? '')) === (value ?? '');
}

function keysGivenUp({ email, employeeNumber }: MemberFields, member: CurrentMember): string[] {
  return [
    ...(email && member.email && emailKey(email) !== emailKey(member.email) ? [emailKey(member.email)] : []),
    ...(employeeNumber && member.employeeNumber ? [numberKey(member.employeeNumber)] : []),
  ];
}

function planTeam(plan: Plan, { team }: PersonRow, person: Person, member: CurrentMember | undefined): void {
  if (team === undefined || (member && isSame(member.team, team))) return;
  if (member) person.outcome = 'changed';
  plan.teams.push({ person, team });
}

/** The manager's id where it is certain already; whoever the file has told of is. */
function planManager(
  plan: Plan,
  claims: Claims,
  row: PersonRow,
  person: Person,
  member: CurrentMember | undefined,
): number | null | undefined {
  const { manager, line } = row;
  const currentManagerId = member?.managerId ?? null;
  if (manager === undefined || manager === null)
    return manager === null && currentManagerId !== null ? null : undefined;
  const told = isEmail(manager) ? claims.emails.get(manager.toLowerCase()) : claims.numbers.get(manager);
  if (told && told !== person && told.id !== 0) return told.id === currentManagerId ? undefined : told.id;
  plan.managers.push({ person, manager, currentManagerId, line, cells: JSON.stringify(row.cells) });
  return undefined;
}
