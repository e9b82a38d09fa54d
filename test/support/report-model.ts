import fc from './fast-check.ts';

/** A record of the directory: a person, or an earlier one that was merged into a person. */
export interface Kept {
  id: number;
  email: string | null;
  formerEmails?: string[];
  employeeNumber: string | null;
  firstName: string;
  department: string | null;
  costCentre: string | null;
  location: string | null;
  currency: string | null;
  manager: Kept | null;
  active: boolean;
  mergedInto: Kept | null;
  /** In the order in which they were joined. */
  teams: string[];
}

export interface Recorded {
  type: 'GIFT' | 'SHOUTOUT';
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
  /** Null stands for an integration. */
  sender: Kept | null;
  receiver: Kept;
  text: string;
  isPrivate: boolean;
}

/** What both reports show, as plain lists. The nth activity has the number n + 1. */
export interface Model {
  people: Kept[];
  activities: Recorded[];
  asksForApproval: boolean;
  named: number;
}

export const words = ['Care', 'CARE', 'Équipe', 'équipe', 'a%', null] as const;
export const currencies = ['CAD', 'USD', null] as const;
export const teamNames = ['Voice', 'Web', 'Ops'];
export const fields = ['department', 'costCentre', 'location', 'currency'] as const;

export const survivor = (kept: Kept) => kept.mergedInto ?? kept;
export const same = (one: string | null, other: string | null) =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
export const at = <T>(list: readonly T[], which: number): T => list[which % list.length] as T;
export const persons = ({ people }: Model) => people.filter(({ mergedInto }) => mergedInto === null);

/** A recipient: a known person by one of their addresses or numbers, or a new one. */
export function wish(model: Model, who: number, byNumber: boolean) {
  const known = at(model.people, who);
  const isNew = who % 5 === 0 || (known.email === null && known.employeeNumber === null);
  const name = `new${who % 7}`;
  const wanted = isNew ? { email: `${name}@example.com`, employeeNumber: name } : known;
  const takesNumber = wanted.employeeNumber !== null && (byNumber || wanted.email === null);
  const recipient = takesNumber
    ? { employeeNumber: wanted.employeeNumber as string, firstName: name }
    : { email: who % 2 ? (wanted.email as string).toUpperCase() : (wanted.email as string), firstName: name };
  return { recipient, kept: find(model, recipient) };
}

export function find(
  { people }: Model,
  { email, employeeNumber }: { email?: string; employeeNumber?: string },
): Kept | null {
  const found =
    email === undefined
      ? people.find((one) => one.employeeNumber === employeeNumber)
      : // A former address finds its member until somebody else has it.
        (people.find((one) => same(one.email, email)) ??
        people.find((one) => one.formerEmails?.some((former) => same(former, email))));
  return found ? survivor(found) : null;
}

export type Named = { email?: string; employeeNumber?: string; firstName: string };

export function findOrAdd(model: Model, recipient: Named, id: number): Kept {
  const known = find(model, recipient);
  if (known) known.firstName ||= recipient.firstName;
  if (known) return known;
  const nothing = { department: null, costCentre: null, location: null, currency: null, manager: null };
  const { email = null, employeeNumber = null, firstName } = recipient;
  const added = { id, email, employeeNumber, firstName, ...nothing, active: true, mergedInto: null, teams: [] };
  model.people.push(added);
  return added;
}

export const query = fc.record(
  {
    department: fc.constantFrom('care', 'ÉQUIPE', 'A%', '%'),
    costCentre: fc.constantFrom('CARE', 'équipe'),
    location: fc.constantFrom('care', 'a%'),
    currency: fc.constantFrom('cad', 'USD'),
    employeeNumber: fc.constantFrom('E0', 'e1', 'new0'),
    manager: fc.nat(50),
    neverRecognized: fc.boolean(),
    includeInactive: fc.boolean(),
  },
  { requiredKeys: [] },
);
export type Query = Parameters<Parameters<typeof query.map>[0]>[0];

export const managerText = ({ id, email, employeeNumber }: Kept, which: number) =>
  at([`${id}`, email?.toUpperCase() ?? `${id}`, employeeNumber?.toUpperCase() ?? `${id}`], which);

export function expectedRows(
  model: Model,
  given: string[],
  { neverRecognized = false, includeInactive, ...query }: Query,
) {
  const lead = query.manager === undefined ? null : at(model.people, query.manager);
  const text = lead && managerText(lead, query.manager as number);
  const leads = model.people
    .filter(({ id, email, employeeNumber }) => `${id}` === text || same(email, text) || same(employeeNumber, text))
    .map(survivor);
  return persons(model)
    .map((person) => {
      const last = model.activities.findLastIndex(
        ({ status, receiver }) => status === 'APPROVED' && survivor(receiver) === person,
      );
      const activity = model.activities[last];
      return { person, lastDate: activity ? (given[last] as string) : null, type: activity?.type ?? null };
    })
    .filter(({ lastDate }) => (lastDate === null) === neverRecognized)
    .filter(({ person }) => includeInactive || person.active)
    .filter(({ person }) => fields.every((field) => query[field] === undefined || same(person[field], query[field])))
    .filter(({ person }) => query.employeeNumber === undefined || same(person.employeeNumber, query.employeeNumber))
    .filter(({ person }) => lead === null || (person.manager !== null && leads.includes(person.manager)))
    .sort((a, b) => (b.lastDate ?? '').localeCompare(a.lastDate ?? '') || a.person.id - b.person.id)
    .map(({ person, lastDate, type }) => ({
      teamMember: { email: person.email ?? '', firstName: person.firstName, lastName: '' },
      lastDate,
      type,
    }));
}
