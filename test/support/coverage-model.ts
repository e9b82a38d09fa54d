/** A person of the model. Ages are days before today. */
export interface Person {
  id: number;
  email: string;
  department: string | null;
  location: string | null;
  team: string | null;
  manager: Person | null;
  /** When they were added, in ms. The days that follow from it are those of the workspace's time zone. */
  addedAt: number;
  addedDaysAgo: number;
  leftDaysAgo: number | null;
  mergedInto: Person | null;
}

export interface Act {
  type: 'GIFT' | 'SHOUTOUT';
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
  /** Null: an integration. */
  sender: Person | null;
  receiver: Person;
  daysAgo: number;
  amount: number;
}

/** Who was given what, as plain lists. */
export interface Company {
  people: Person[];
  acts: Act[];
}

/** Days before today, the last one included: the first is at least as long ago as the last. */
export interface Days {
  from: number;
  to: number;
  asOf: number;
}

export const counted = (person: Person) => person.mergedInto ?? person;

/** Days of recognition that count in a span: neither later than its last day nor than the day of the report. */
export const isIn = ({ daysAgo, status }: Act, { from, to, asOf }: Days) =>
  status === 'APPROVED' && daysAgo <= from && daysAgo >= Math.max(to, asOf);

export const wereHere = ({ people }: Company, asOf: number) =>
  people.filter(
    ({ mergedInto, addedDaysAgo, leftDaysAgo }) =>
      mergedInto === null && addedDaysAgo >= asOf && (leftDaysAgo === null || leftDaysAgo < asOf),
  );

export function countsOf(company: Company, people: readonly Person[], days: Days) {
  const acts = company.acts.filter((act) => isIn(act, days) && people.includes(counted(act.receiver)));
  const recognized = new Set(acts.map(({ receiver }) => counted(receiver))).size;
  return {
    people: people.length,
    recognized,
    share: people.length === 0 ? null : Math.round((recognized / people.length) * 10_000) / 10_000,
    gifts: acts.filter(({ type }) => type === 'GIFT').length,
    shoutouts: acts.filter(({ type }) => type === 'SHOUTOUT').length,
  };
}

/** Groups by the lower-cased name, because `Care` and `CARE` are one department. */
export function groupsOf(company: Company, days: Days, nameOf: (person: Person) => string | null) {
  const groups = Map.groupBy(wereHere(company, days.asOf), (person) => nameOf(person)?.toLowerCase() ?? null);
  return new Map([...groups].map(([name, people]) => [name, countsOf(company, people, days)]));
}

/** How many of a manager's people the manager has recognized. */
export function recognizedBy(company: Company, manager: Person, days: Days): number {
  const people = wereHere(company, days.asOf).filter((one) => one.manager === manager);
  const acts = company.acts.filter((act) => isIn(act, days) && act.sender && counted(act.sender) === manager);
  return people.filter((one) => acts.some(({ receiver }) => counted(receiver) === one)).length;
}

/** The age of a person's last recognition until a day; null: never. */
export function lastOf({ acts }: Company, person: Person, asOf: number): number | null {
  const ages = acts
    .filter(({ receiver, status, daysAgo }) => counted(receiver) === person && status === 'APPROVED' && daysAgo >= asOf)
    .map(({ daysAgo }) => daysAgo);
  return ages.length > 0 ? Math.min(...ages) : null;
}

export const dayMs = 86_400_000;
export const dayOf = (today: string, daysAgo: number) =>
  new Date(Date.parse(today) - daysAgo * dayMs).toISOString().slice(0, 10);
export const queryOf = (today: string, { from, to, asOf }: Days) =>
  `from=${dayOf(today, from)}&to=${dayOf(today, to)}&asOf=${dayOf(today, asOf)}`;

export const dayIn = (zone: string, moment: Date | number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(moment);

/** Of a person who was just added. */
export const newPerson = {
  location: null,
  team: null,
  manager: null,
  addedDaysAgo: 0,
  leftDaysAgo: null,
  mergedInto: null,
};
